/**
 * Has a built server go through requests, faults, sessions, snapshots, reloads, full disks and deaths in any order, and compares it with
 * a plain model after each: `npm run fuzz -- world [--steps n] [--seed s]`. A finding says how to repeat it.
 */
import { join } from "node:path";
import { anySeed } from "../src/core/emulator/environment.ts";
import { HeapBound } from "../test/fuzz/heap.ts";
import { fixturesOf } from "../test/fuzz/world/real.ts";
import { beginning, fuzzWorld } from "../test/fuzz/world/run.ts";
import { count, readArguments } from "./arguments.ts";
import { WorldProcess } from "./fuzz/world-process.ts";

const usage =
  "Usage: npm run fuzz -- world [--steps <n>] [--seed <n> [--path <path> --replay <path>]]";
/** After so many moves the server's heap is swept and looked at. */
const heapEvery = 20_000;
const longest = 100;

const { values, wholeNumber } = readArguments(usage, {
  options: {
    steps: { type: "string", default: "1000000" },
    seed: { type: "string" },
    path: { type: "string" },
    replay: { type: "string" },
  },
});
const steps = wholeNumber("steps", values.steps);
const seed = values.seed === undefined ? anySeed() : wholeNumber("seed", values.seed);

// Whoever ends a run wants to know how far it came.
const stopped = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stopped.abort());

const server = await WorldProcess.start(
  join(process.cwd(), "dist/command/backlot.js"),
  fixturesOf(beginning),
);
const heap = new HeapBound();
let heapDue = heapEvery;
const started = performance.now();

async function grownHeap(made: number): Promise<string | undefined> {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${count(made)} of ${count(steps)} steps`);
  if (made < heapDue) return undefined;
  heapDue = made + heapEvery;
  return heap.take(await server.heapInUse());
}

const { path, replay: replayPath } = values;
const { signal } = stopped;
const range = { seed, path, replayPath, steps, longest, signal, onRun: grownHeap };
const report = await fuzzWorld(server, range);
await server.close();
if (process.stderr.isTTY) process.stderr.write("\r\x1b[K");
if (report.finding !== undefined) {
  console.error(report.finding);
  const [, found = ""] = /seed: (-?\d+)/.exec(report.finding) ?? [];
  const [, way = ""] = /path: "([^"]+)"/.exec(report.finding) ?? [];
  const [, moves = ""] = /replayPath="([^"]+)"/.exec(report.finding) ?? [];
  console.error(`Again by: npm run fuzz -- world --seed ${found} --path ${way} --replay ${moves}`);
  process.exitCode = 1;
}
const megabytes = heap.samples.map((bytes) => Math.round(bytes / 1e6));
console.log(
  [
    `${count(report.steps)} steps in ${count(report.runs)} runs`,
    report.finding === undefined ? "nothing found" : "1 finding",
    `the longest answer ${Math.round(report.slowest)} ms`,
    megabytes.length === 0
      ? "heap not sampled"
      : `heap ${Math.min(...megabytes)} to ${Math.max(...megabytes)} MB in ${megabytes.length} samples`,
    ...(server.canBeFull ? [] : ["no disk was full, which takes root"]),
    `seed ${seed}`,
    `${Math.round((performance.now() - started) / 1000)} s`,
  ].join(", "),
);
