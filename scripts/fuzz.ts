/**
 * Sends the emulator what nobody should: `npm run fuzz -- <kind> [--count n] [--seed s] [--from i]`. Without a kind all
 * are tried, one after the other. Seed and number alone make an input again, so a run that was ended goes on from where
 * it was.
 */
import { parseArgs } from "node:util";
import { anySeed } from "../src/emulator/environment.ts";
import type { Finding, Fuzzer, FuzzReport } from "../test/fuzz/fuzz-run.ts";
import { fuzzers } from "../test/fuzz/kinds.ts";
import { Watchdog } from "../test/fuzz/watchdog.ts";

const usage = "Usage: npm run fuzz -- [<kind>…] [--count <n>] [--seed <n>] [--from <n>]";
const mostGrowth = 1.2;
const stuckMs = 30_000;

const { values, positionals } = readArguments();
const kinds = positionals.length === 0 ? fuzzers : positionals.map(fuzzerCalled);
const count = wholeNumber("count", values.count);
const from = wholeNumber("from", values.from);
const seed = values.seed === undefined ? anySeed() : wholeNumber("seed", values.seed);

// Whoever ends a run wants to know how far it came.
const stopped = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stopped.abort());

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        count: { type: "string", default: "1000000" },
        from: { type: "string", default: "0" },
        seed: { type: "string" },
      },
    });
  } catch (error) {
    // What follows the first sentence is about words that begin with a dash.
    const [reason = ""] = String(error instanceof Error ? error.message : error).split(/[.\n]/);
    return refuse(`${reason}.`);
  }
}

function fuzzerCalled(name: string): Fuzzer {
  const names = fuzzers.map((one) => one.name).join(", ");
  return (
    fuzzers.find((one) => one.name === name) ?? refuse(`There is no kind "${name}": ${names}.`)
  );
}

function wholeNumber(name: string, text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  return refuse(`--${name} is "${text}" and takes a whole number.`);
}

function refuse(reason: string): never {
  console.error(`error: ${reason} ${usage}`);
  return process.exit(2);
}

function thousands(number: number): string {
  return number.toLocaleString("en-US");
}

function showFinding({ kind, index, problem, inputs, again }: Finding): void {
  const failsAtTimes = again ? "" : " It was not found again.";
  console.error(
    `\nfound by ${kind}, seed ${seed}, input ${index}.${failsAtTimes}\n${problem}\n${JSON.stringify(inputs)}`,
  );
}

/** The heap after the last sample, as a multiple of that after the first. */
function growthOf({ heap }: FuzzReport): number | undefined {
  const [first, last] = [heap[0], heap.at(-1)];
  return heap.length < 2 || first === undefined || last === undefined ? undefined : last / first;
}

function showReport(report: FuzzReport, ms: number): void {
  const growth = growthOf(report);
  const heap = report.heap.at(-1);
  console.log(
    [
      `${report.kind}: ${thousands(report.tried)} inputs in ${Math.round(ms / 1000)} s`,
      `${report.findings.length} findings`,
      heap === undefined ? "heap not sampled" : `heap ${Math.round(heap / 1e6)} MB`,
      growth === undefined ? [] : `${growth.toFixed(2)} times the first sample`,
      `seed ${seed}`,
      `go on with --from ${report.next}`,
    ]
      .flat()
      .join(", "),
  );
}

async function run(fuzzer: Fuzzer): Promise<void> {
  const watchdog = new Watchdog(stuckMs);
  const started = performance.now();
  let shown = started;
  const onProgress = (next: number): void => {
    watchdog.reached(next);
    if (!process.stderr.isTTY || performance.now() - shown < 200) return;
    shown = performance.now();
    process.stderr.write(
      `\r\x1b[K${fuzzer.name}: ${thousands(next - from)} of ${thousands(count)}`,
    );
  };
  const { signal } = stopped;
  const report = await fuzzer.run({
    seed,
    from,
    count,
    signal,
    onProgress,
    onFinding: showFinding,
  });
  await watchdog.close();
  if (process.stderr.isTTY) process.stderr.write("\r\x1b[K");
  showReport(report, performance.now() - started);
  if (report.findings.length > 0 || (growthOf(report) ?? 0) >= mostGrowth) process.exitCode = 1;
}

for (const fuzzer of kinds) {
  if (!stopped.signal.aborted) await run(fuzzer);
}
