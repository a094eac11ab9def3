/**
 * Changes the code of a room in thousands of small ways, one at a time, and counts the changes that no test notices:
 * `npm run mutation -- [<room>…]`, by default `store http rest chat`, one after the other. Fails where a room's tests
 * notice less than 85 % of them. What they did not notice stands in `reports/mutation-<room>.html`. A run that was cut
 * off goes on where it was, as long as no source and no test is another.
 *
 * What only runs when a module is loaded is left alone: each such change would need a process of its own.
 */
import type { MutantResult, MutantStatus } from "@stryker-mutator/api/core";
import { Stryker } from "@stryker-mutator/core";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { judgedFile, openJudged } from "./mutation/judged-changes.ts";
import { isJudge, roomNames, type RoomName, rooms } from "./mutation/rooms.ts";

const goal = 85;

// Each process that Stryker starts reads the runner, which is TypeScript.
process.env["NODE_OPTIONS"] = "--import tsx";

function testFilesOf(room: RoomName): string[] {
  return rooms[room].judges.flatMap((judge) =>
    judge.endsWith(".ts")
      ? [judge]
      : readdirSync(judge, { recursive: true, encoding: "utf8" })
          .filter(isJudge)
          .map((name) => `${judge}/${name}`),
  );
}

async function mutate(room: RoomName): Promise<number> {
  const begun = performance.now();
  const report = resolve(`reports/mutation-${room}.json`);
  mkdirSync("reports", { recursive: true });
  const known = openJudged(judgedFile(report));
  if (known > 0) console.log(`${room}: goes on after ${known} changes that were judged before.`);
  const results = await new Stryker({
    mutate: [`src/${room}/**/*.ts`],
    ignorePatterns: [".tsbuild", "bench", "dist", "docs", "examples"],
    testFiles: testFilesOf(room),
    testRunner: "in-process",
    plugins: [fileURLToPath(new URL("mutation/in-process-runner.ts", import.meta.url))],
    coverageAnalysis: "perTest",
    ignoreStatic: true,
    // Stryker rewrites tsconfig files by a compiler's API that TypeScript 7 lacks; nothing here reads them.
    tsconfigFile: "none",
    disableTypeChecks: false,
    reporters: ["html", "json", "progress-append-only", "judged"],
    htmlReporter: { fileName: `reports/mutation-${room}.html` },
    jsonReporter: { fileName: report },
    timeoutMS: 5000,
    dryRunTimeoutMinutes: 15,
    allowConsoleColors: false,
  }).runMutationTest();
  rmSync(judgedFile(report));
  return tell(room, results, performance.now() - begun);
}

/** Says what was noticed, and returns how much of it, in percent. */
function tell(room: RoomName, results: readonly MutantResult[], ms: number): number {
  const count = (...wanted: MutantStatus[]): number =>
    results.filter(({ status }) => wanted.includes(status)).length;
  const noticed = count("Killed", "Timeout");
  const all = noticed + count("Survived", "NoCoverage");
  const score = (100 * noticed) / all;
  console.log(
    `${room}: ${score.toFixed(1)} % noticed (${noticed} of ${all}; ${count("Timeout")} of them ran on or waited for ever; ${count("NoCoverage")} are in code that no test runs) in ${Math.ceil(ms / 60_000)} min. Left out: ${count("Ignored")} that run at load only, ${count("RuntimeError")} that broke the run.`,
  );
  return score;
}

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(rooms, name));
if (unknown.length > 0) {
  console.error(`Unknown room: ${unknown.join(", ")}. There are ${roomNames.join(", ")}.`);
  process.exitCode = 2;
} else {
  for (const room of roomNames) {
    if (wanted.length > 0 && !wanted.includes(room)) continue;
    if ((await mutate(room)) < goal) process.exitCode = 1;
  }
}
