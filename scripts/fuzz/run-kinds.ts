/** What `npm run fuzz` runs: inputs of some kinds, one after the other, and a line that says how each went. */
import { anySeed } from "../../src/core/emulator/environment.ts";
import type { Finding, Fuzzer, FuzzReport } from "../../test/fuzz/fuzz-run.ts";
import { fuzzers } from "../../test/fuzz/kinds.ts";
import { Watchdog } from "../../test/fuzz/watchdog.ts";
import { count as thousands, readArguments } from "../arguments.ts";

const usage = "Usage: npm run fuzz -- [<kind>…] [--count <n>] [--seed <n> [--path <path>]]";
const stuckMs = 30_000;
const mostShown = 20_000;

const { values, positionals, refuse, wholeNumber } = readArguments(usage, {
  allowPositionals: true,
  options: {
    count: { type: "string", default: "1000000" },
    path: { type: "string" },
    seed: { type: "string" },
  },
});
const kinds = positionals.length === 0 ? fuzzers : positionals.map(fuzzerCalled);
const count = wholeNumber("count", values.count);
const { path } = values;
const seed = values.seed === undefined ? anySeed() : wholeNumber("seed", values.seed);

// Whoever ends a run wants to know how far it came.
const stopped = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stopped.abort());

function fuzzerCalled(name: string): Fuzzer {
  const names = fuzzers.map((one) => one.name).join(", ");
  return (
    fuzzers.find((one) => one.name === name) ?? refuse(`There is no kind "${name}": ${names}.`)
  );
}

function showFinding(kind: string, { problem, inputs, seed: found, path: way }: Finding): void {
  const again =
    way === undefined ? "" : `, again by: npm run fuzz -- ${kind} --seed ${found} --path ${way}`;
  console.error(
    `\nfound by ${kind}, seed ${found}${again}\n${problem}\n${JSON.stringify(inputs).slice(0, mostShown)}`,
  );
}

async function run(fuzzer: Fuzzer): Promise<void> {
  const watchdog = new Watchdog(stuckMs);
  const started = performance.now();
  const before = process.cpuUsage();
  let shown = started;
  const onProgress = (tried: number, reached: number): void => {
    watchdog.reached(reached);
    if (!process.stderr.isTTY || performance.now() - shown < 200) return;
    shown = performance.now();
    process.stderr.write(`\r\x1b[K${fuzzer.name}: ${tried} of ${count}`);
  };
  const report = await fuzzer.run({ seed, path, count, signal: stopped.signal, onProgress });
  await watchdog.close();
  if (process.stderr.isTTY) process.stderr.write("\r\x1b[K");
  if (report.finding !== undefined) {
    showFinding(fuzzer.name, report.finding);
    process.exitCode = 1;
  }
  const { user, system } = process.cpuUsage(before);
  console.log(reportLine(report, performance.now() - started, (user + system) / 1000));
}

/** What a run came to, how fast it was, and what memory it took. Work is less than time where a machine is busy. */
function reportLine(
  { kind, tried, finding, heap, next }: FuzzReport,
  ms: number,
  workMs: number,
): string {
  const perSecond = (of: number): string => thousands(Math.round((tried / of) * 1000));
  const [first, last] = [heap[0], heap.at(-1)];
  return [
    `${kind}: ${thousands(tried)} inputs in ${Math.round(ms / 1000)} s`,
    `${perSecond(ms)} a second, ${perSecond(workMs)} in a second of work`,
    finding === undefined ? "nothing found" : "1 finding",
    first === undefined || last === undefined
      ? "heap not sampled"
      : `heap ${megabytes(last)}, ${(last / first).toFixed(2)} times the first of ${heap.length} samples`,
    `at most ${megabytes(process.resourceUsage().maxRSS * 1024)} in all`,
    `seed ${seed}`,
    `go on with --seed ${next}`,
  ].join(", ");
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}

for (const fuzzer of kinds) {
  if (!stopped.signal.aborted) await run(fuzzer);
}
// An input that was never answered, which is a finding, may still have a timer.
process.exit();
