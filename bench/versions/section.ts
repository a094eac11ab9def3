/** What versions cost: snapshots, restores and forks, and the work on a fork. */
import { type Line, printBySize } from "../by-size.ts";
import { labels, type ReadName, writeNames } from "../operations.ts";
import { type Child, withChild } from "../process/child.ts";
import { showCount } from "../report.ts";
import { type Setup, usualSizes } from "../setup.ts";
import type { versionCalls, VersionStep } from "./worker.ts";

const stepGoal = { goal: 20, is: "atMost", unit: "µs" } as const;
const ratioGoal = { goal: 1.5, is: "atMost", unit: "×" } as const;

interface Step {
  readonly name: VersionStep;
  readonly label: string;
  readonly goal?: typeof stepGoal;
}

const steps: readonly Step[] = [
  { name: "snapshot", label: "snapshot", goal: stepGoal },
  { name: "restore", label: "restore", goal: stepGoal },
  { name: "fork", label: "fork", goal: stepGoal },
  { name: "write", label: "(an update alone)" },
  { name: "snapshotWrite", label: "snapshot, then an update" },
  { name: "restoreWrite", label: "restore, then an update" },
  { name: "forkWrite", label: "fork, then an update" },
  { name: "forkWriteRead", label: "fork, update, 4 indexed reads" },
];
const reads: readonly ReadName[] = ["get", "equal", "range", "like", "in", "top", "fullSort"];
/** Writes that a fork sees while it is timed. The first ones copy what they touch. */
const fewWrites = 100;
const manyWrites = 5000;

const script = "versions/worker.ts";

export async function benchVersions({
  sizes = usualSizes,
  available,
  goals,
}: Setup): Promise<void> {
  const times = [];
  const ratios = [];
  for (const size of sizes) {
    const found = await withChild<typeof versionCalls, Measured>(script, (worker) =>
      measureEngine(worker, size),
    );
    const sqlite = available.includes("better-sqlite3") ? await measureSqlite(size) : [];
    times.push({ size, lines: [...found.steps, ...sqlite] });
    ratios.push({ size, lines: found.ratios });
  }
  printBySize("Versions: microseconds of CPU, with four indexes", times, { goals });
  const title = "Work on a fork, as a ratio to the same on a database that was never forked";
  printBySize(title, ratios, { goals });
}

type Worker = Child<typeof versionCalls>;

interface Measured {
  readonly steps: readonly Line[];
  readonly ratios: readonly Line[];
}

async function measureEngine(worker: Worker, size: number): Promise<Measured> {
  await worker.call("make", size);
  const stepLines: Line[] = [];
  for (const { name, ...line } of steps) {
    stepLines.push({ ...line, value: await worker.call("step", name) });
  }
  const ratios: Line[] = [];
  for (const name of reads) {
    const value = await worker.call("readRatio", name);
    ratios.push({ label: labels[name], value, goal: ratioGoal });
  }
  ratios.push(...(await measureWrites(worker, { size, count: fewWrites })));
  const many = await measureWrites(worker, { size, count: manyWrites });
  ratios.push(...many.map((line) => ({ ...line, goal: ratioGoal })));
  return { steps: stepLines, ratios };
}

async function measureWrites(
  worker: Worker,
  { size, count }: { readonly size: number; readonly count: number },
): Promise<readonly Line[]> {
  const ratios = await worker.call("writeRatios", Math.min(count, size / 4));
  return writeNames.map((name) => ({
    label: `${name}, first ${showCount(count)} after the fork`,
    value: ratios[name],
  }));
}

async function measureSqlite(size: number): Promise<readonly Line[]> {
  const found = await withChild<typeof versionCalls, object>(script, (worker) =>
    worker.call("sqlite", size),
  );
  return Object.entries(found).map(([name, value]) => ({
    label: `better-sqlite3: ${name}, by a copy`,
    value: Number(value),
  }));
}
