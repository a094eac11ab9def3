/**
 * Changes the code of a room in thousands of small ways, one at a time, and counts the changes that no test notices:
 * `npm run mutation -- [<room>…]`, by default `store http rest chat`, one after the other. Fails where a room's tests
 * notice less than 85 % of them. What they did not notice stands in `reports/mutation-<room>.html`.
 *
 * What only runs when a module is loaded is left alone: each such change would need a process of its own.
 */
import type { MutantStatus } from "@stryker-mutator/api/core";
import { Stryker } from "@stryker-mutator/core";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
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
  const results = await new Stryker({
    mutate: [`src/${room}/**/*.ts`, ...(rooms[room].without ?? []).map((part) => `!${part}`)],
    testFiles: testFilesOf(room),
    testRunner: "in-process",
    plugins: [fileURLToPath(new URL("mutation/in-process-runner.ts", import.meta.url))],
    coverageAnalysis: "perTest",
    ignoreStatic: true,
    // Stryker rewrites tsconfig files by a compiler's API that TypeScript 7 lacks; nothing here reads them.
    tsconfigFile: "none",
    disableTypeChecks: false,
    reporters: ["html", "json", "progress-append-only"],
    htmlReporter: { fileName: `reports/mutation-${room}.html` },
    jsonReporter: { fileName: `reports/mutation-${room}.json` },
    timeoutMS: 2500,
    allowConsoleColors: false,
  }).runMutationTest();
  const count = (wanted: MutantStatus): number =>
    results.filter(({ status }) => status === wanted).length;
  const noticed = count("Killed") + count("Timeout");
  const unnoticed = count("Survived") + count("NoCoverage");
  const score = (100 * noticed) / (noticed + unnoticed);
  console.log(
    `${room}: ${score.toFixed(1)} % noticed (${noticed} of ${noticed + unnoticed}; ${count("NoCoverage")} are in code that no test runs; ${count("Ignored")} are left out, since they run at load only)`,
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
