/** All contenders at one number of rows. */
import { type ContenderName, contenderNames, mostRows, withIndexes } from "../contenders/all.ts";
import {
  indexedReads,
  type OperationName,
  type ReadName,
  readNames,
  writeNames,
} from "../operations.ts";
import { median } from "../cpu-time.ts";
import { Child } from "../process/child.ts";
import { interleave } from "./interleave.ts";
import { judge } from "./judge.ts";
import type { tableCalls } from "./worker.ts";

/** Microseconds of CPU per operation; "wrong" where the rows are not those that were asked for. */
export type Figure = number | "wrong" | undefined;
type FiguresOfOne = ReadonlyMap<ContenderName, Figure>;
export type Figures = ReadonlyMap<OperationName, FiguresOfOne>;

type Workers = ReadonlyMap<ContenderName, Child<typeof tableCalls>>;

const workerScript = "tables/worker.ts";

/** Times every operation. Contenders that answer wrongly are not timed. */
export async function compareTables(
  size: number,
  available: readonly ContenderName[],
): Promise<Figures> {
  const names = contenderNames.filter((name) => available.includes(name) && size <= mostRows[name]);
  const workers = new Map(names.map((name) => [name, new Child<typeof tableCalls>(workerScript)]));
  try {
    await Promise.all(Array.from(workers, ([name, worker]) => worker.call("make", { name, size })));
    const reads = new Map<ReadName, FiguresOfOne>();
    for (const name of readNames) reads.set(name, await compareRead(name, workers));
    const writes = await compareWrites(workers, reads);
    return new Map<OperationName, FiguresOfOne>([...reads, ...writes]);
  } finally {
    await Promise.all(Array.from(workers.values(), (worker) => worker.close()));
  }
}

async function compareRead(name: ReadName, workers: Workers): Promise<FiguresOfOne> {
  const { right, wrong } = await judge(workers, (worker) => worker.call("digests", [name]));
  const times = await interleave(right, {
    warm: (worker) => worker.call("warmRead", name),
    time: (worker) => worker.call("read"),
  });
  return new Map<ContenderName, Figure>([...wrong, ...mapValues(times, median)]);
}

/** Writes, and writes mixed with reads where there are indexes. */
async function compareWrites(
  workers: Workers,
  reads: ReadonlyMap<ReadName, FiguresOfOne>,
): Promise<Figures> {
  const { right, wrong } = await judge(workers, (worker, contender) => {
    // Who answers a read wrongly can still write rightly.
    const isAsked = (name: ReadName): boolean => reads.get(name)?.get(contender) !== "wrong";
    return worker.call("writeDigests", indexedReads.filter(isAsked));
  });
  const times = await interleave(right, {
    warm: (worker) => worker.call("warmWrites"),
    time: (worker) => worker.call("write"),
  });
  const found = new Map<OperationName, FiguresOfOne>();
  for (const name of writeNames) {
    const medians = mapValues(times, (each) => median(each.map((cycle) => cycle[name])));
    found.set(name, new Map<ContenderName, Figure>([...wrong, ...medians]));
  }
  const indexed = new Map([...right].filter(([name]) => withIndexes.includes(name)));
  const mixed = await interleave(indexed, {
    warm: (worker) => worker.call("warmMixed"),
    time: (worker) => worker.call("mixed"),
  });
  return found.set("mixed", mapValues(mixed, median));
}

function mapValues<From, To>(
  map: ReadonlyMap<ContenderName, From>,
  to: (value: From) => To,
): ReadonlyMap<ContenderName, To> {
  return new Map(Array.from(map, ([name, value]) => [name, to(value)]));
}
