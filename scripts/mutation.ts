/**
 * Changes the code of a room in thousands of small ways, one at a time, and counts the changes that no test notices:
 * `npm run mutation -- [<room>…]`, by default `store http rest chat`, one after the other. Fails where a room's tests
 * notice less than 85 % of them. What they did not notice stands in `reports/mutation-<room>.html`. A second run judges
 * only what has changed since the first.
 */
import type { MutantResult, MutantStatus } from "@stryker-mutator/api/core";
import { Stryker } from "@stryker-mutator/core";

const goal = 85;
const rooms: readonly string[] = ["store", "http", "rest", "chat"];

async function mutate(room: string): Promise<readonly MutantResult[]> {
  return new Stryker({
    mutate: [`src/core/${room}/**/*.ts`],
    ignorePatterns: [".tsbuild", "bench", "dist", "docs", "examples"],
    testFiles: [`test/core/${room}/**/*.test.ts`],
    testRunner: "vitest",
    vitest: { related: false },
    plugins: ["@stryker-mutator/vitest-runner"],
    coverageAnalysis: "perTest",
    // What runs when a module is loaded would need a process of its own for each change.
    ignoreStatic: true,
    incremental: true,
    incrementalFile: `reports/mutation-${room}.incremental.json`,
    // Stryker rewrites tsconfig files by a compiler's API that TypeScript 7 lacks; nothing here reads them.
    tsconfigFile: "none",
    disableTypeChecks: false,
    reporters: ["html", "progress-append-only"],
    htmlReporter: { fileName: `reports/mutation-${room}.html` },
    timeoutMS: 5000,
    dryRunTimeoutMinutes: 15,
    allowConsoleColors: false,
  }).runMutationTest();
}

/** Says what was noticed, and returns how much of it, in percent. */
function report(room: string, results: readonly MutantResult[]): number {
  const count = (...wanted: MutantStatus[]): number =>
    results.filter(({ status }) => wanted.includes(status)).length;
  const noticed = count("Killed", "Timeout");
  const all = noticed + count("Survived", "NoCoverage");
  const score = (100 * noticed) / all;
  console.log(
    `${room}: the tests notice ${score.toFixed(1)} % (${noticed} of ${all} changes; ${count("Timeout")} never ended; no test runs ${count("NoCoverage")}).`,
  );
  return score;
}

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !rooms.includes(name));
if (unknown.length > 0) {
  console.error(`Unknown room: ${unknown.join(", ")}. There are ${rooms.join(", ")}.`);
  process.exitCode = 2;
} else {
  for (const room of wanted.length > 0 ? wanted : rooms) {
    if (report(room, await mutate(room)) < goal) process.exitCode = 1;
  }
}
