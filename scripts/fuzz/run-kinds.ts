/** What `npm run fuzz` runs: inputs of some kinds, one after the other, and a line that says how each went. */
import { parseArgs } from "node:util";
import { anySeed } from "../../src/core/emulator/environment.ts";
import type { Finding, Fuzzer } from "../../test/fuzz/fuzz-run.ts";
import { fuzzers } from "../../test/fuzz/kinds.ts";
import { Watchdog } from "../../test/fuzz/watchdog.ts";
import { reportLine } from "./report-line.ts";

const usage = "Usage: npm run fuzz -- [<kind>…] [--count <n>] [--seed <n>] [--from <n>]";
const stuckMs = 30_000;
const mostShown = 20_000;

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

function showFinding({ kind, index, problem, inputs, again }: Finding): void {
  const failsAtTimes = again ? "" : " It was not found again.";
  console.error(
    `\nfound by ${kind}, seed ${seed}, input ${index}.${failsAtTimes}\n${problem}\n${JSON.stringify(inputs).slice(0, mostShown)}`,
  );
}

async function run(fuzzer: Fuzzer): Promise<void> {
  const watchdog = new Watchdog(stuckMs);
  const started = performance.now();
  const before = process.cpuUsage();
  let shown = started;
  const onProgress = (next: number): void => {
    watchdog.reached(next);
    if (!process.stderr.isTTY || performance.now() - shown < 200) return;
    shown = performance.now();
    process.stderr.write(`\r\x1b[K${fuzzer.name}: ${next - from} of ${count}`);
  };
  const { signal } = stopped;
  const range = { seed, from, count, signal, onProgress, onFinding: showFinding };
  const report = await fuzzer.run(range);
  await watchdog.close();
  if (process.stderr.isTTY) process.stderr.write("\r\x1b[K");
  const { user, system } = process.cpuUsage(before);
  const ms = performance.now() - started;
  const peak = process.resourceUsage().maxRSS * 1024;
  console.log(reportLine(report, { seed, ms, workMs: (user + system) / 1000, peak }));
  if (report.findings.length > 0) process.exitCode = 1;
}

for (const fuzzer of kinds) {
  if (!stopped.signal.aborted) await run(fuzzer);
}
// An input that was never answered, which is a finding, may still have a timer.
process.exit();
