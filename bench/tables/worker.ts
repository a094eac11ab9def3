/** Holds one contender's table in a process of its own, and times what is asked of it. */
import { collectGarbage } from "../collect-garbage.ts";
import { type ContenderName, makers, withIndexes } from "../contenders/all.ts";
import type { Contender } from "../contenders/contender.ts";
import { cpuTime } from "../cpu-time.ts";
import { makeItems } from "../items-file.ts";
import type { ReadName } from "../operations.ts";
import { serveCalls } from "../process/serve-calls.ts";
import type { Answers } from "./judge.ts";
import { digestOfCalls, digestOfKeys, type Reading, readingOf } from "./reads.ts";
import { Series } from "./series.ts";
import { Writes, type WriteTimes } from "./writes.ts";

/** Microseconds of CPU for which calls are repeated before they count. Writes have more code to compile. */
const warmTimes = { read: 250_000, write: 800_000 };
/** Writes of one kind in a series, at most; and at most every fourth row. */
const mostWrites = 5000;
const comparedWrites = 50;
/** Rows that are compared after writes, besides those that were written. */
const mostCompared = 1000;

interface Held {
  readonly contender: Contender;
  readonly size: number;
  readonly writes: Writes;
}

let held: Held | undefined;
let reading: Reading = () => [];
/** What is timed now. */
let series = new Series(() => 0);

function table(): Held {
  if (held === undefined) throw new Error("No table has been made.");
  return held;
}

function timeReads(calls: number): number {
  const started = cpuTime();
  let rows = 0;
  for (let call = 0; call < calls; call++) rows += reading().length;
  const used = cpuTime() - started;
  return rows < 0 ? NaN : used / calls;
}

function totalOf(times: WriteTimes): number {
  return times.insert + times.update + times.delete;
}

export const tableCalls = {
  async make({ name, size }: { readonly name: ContenderName; readonly size: number }) {
    const contender = await makers[name](makeItems(size));
    const writes = new Writes(contender, { size, settle: withIndexes.includes(name) });
    held = { contender, size, writes };
    collectGarbage();
  },

  digests(names: readonly ReadName[]): Answers {
    const { contender, size } = table();
    return Object.fromEntries(names.map((name) => [name, digestOfCalls(contender, name, size)]));
  },

  /** Writes some rows of each kind, and says what the table looks like after it, also by these reads. */
  async writeDigests(names: readonly ReadName[]): Promise<Answers> {
    const { contender, size, writes } = table();
    await writes.cycle(comparedWrites);
    const keys = Array.from({ length: size + comparedWrites }, (_, index) => index + 1);
    const stride = Math.ceil(size / mostCompared);
    const written = new Set(writes.touched);
    const compared = keys.filter((key) => key % stride === 0 || written.has(key));
    return { rows: digestOfKeys(contender, compared), ...tableCalls.digests(names) };
  },

  /** Gets ready for `read`, and says how long one series takes. */
  warmRead(name: ReadName): Promise<number> {
    reading = readingOf(table().contender, name, table().size);
    series = new Series(timeReads);
    return series.warm(warmTimes.read);
  },

  /** Microseconds of CPU for one call. */
  read(): number {
    return timeReads(series.count);
  },

  warmWrites(): Promise<number> {
    collectGarbage();
    const time = async (count: number): Promise<number> =>
      totalOf(await table().writes.cycle(count));
    series = new Series(time, Math.min(mostWrites, table().size / 4));
    return series.warm(warmTimes.write);
  },

  write(): Promise<WriteTimes> {
    return table().writes.cycle(series.count);
  },

  warmMixed(): Promise<number> {
    series = new Series((count) => table().writes.mixed(count));
    return series.warm(warmTimes.write);
  },

  mixed(): number {
    return table().writes.mixed(series.count);
  },
};

serveCalls(tableCalls);
