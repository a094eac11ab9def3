/**
 * `npm run bench`: every figure that the README names, measured on this machine, with its goal.
 * `npm run bench -- tables 100000` runs one part at one number of rows. How to read it: bench/README.md.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Choice, type PartName, readArguments } from "./arguments.ts";
import { benchBrowser } from "./browser/section.ts";
import { benchChat } from "./chat/section.ts";
import { benchFirstAssertion } from "./first-assertion/section.ts";
import { benchInProcess } from "./in-process/section.ts";
import { availableContenders } from "./install.ts";
import { shareFolder } from "./items-file.ts";
import { benchLargeTables } from "./large-tables/section.ts";
import { benchLoad } from "./load/section.ts";
import { benchLoadModel } from "./load-model/section.ts";
import { benchMemory } from "./memory/section.ts";
import { benchRecording } from "./recording/section.ts";
import { benchPlots } from "./plots/section.ts";
import { benchPeers } from "./peers/section.ts";
import { Goals } from "./report.ts";
import { benchRequests } from "./requests/section.ts";
import { benchSessions } from "./sessions/section.ts";
import type { Setup } from "./setup.ts";
import { benchStartUp } from "./start-up.ts";
import { benchTables } from "./tables/section.ts";
import { benchVersions } from "./versions/section.ts";

const parts: Readonly<Record<PartName, (setup: Setup) => Promise<void>>> = {
  tables: benchTables,
  versions: benchVersions,
  sessions: benchSessions,
  load: benchLoad,
  "load-model": benchLoadModel,
  memory: benchMemory,
  requests: benchRequests,
  chat: benchChat,
  peers: benchPeers,
  recording: benchRecording,
  browser: benchBrowser,
  "start-up": benchStartUp,
  "first-assertion": benchFirstAssertion,
  "in-process": benchInProcess,
  "large-tables": benchLargeTables,
  plots: benchPlots,
};

/** Runs one part. What goes wrong in it is told, and the others still run. */
async function runPart(part: PartName, setup: Setup): Promise<void> {
  try {
    await parts[part](setup);
  } catch (error) {
    console.error(`\nThe part ${part} failed:`, error);
    process.exitCode = 1;
  }
}

async function run({ parts: chosen, sizes }: Choice): Promise<void> {
  const started = performance.now();
  const goals = new Goals();
  const setup = { sizes, available: await availableContenders(), goals };
  console.log(`Node ${process.version}, ${process.platform} ${process.arch}`);
  const folder = mkdtempSync(join(tmpdir(), "backlot-bench-"));
  shareFolder(folder);
  try {
    for (const part of chosen) await runPart(part, setup);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  if (!goals.printSummary()) process.exitCode = 1;
  console.log(`Done in ${Math.round((performance.now() - started) / 1000)} s.`);
}

const choice = readArguments(process.argv.slice(2));
if (typeof choice === "string") {
  console.error(choice);
  process.exitCode = 2;
} else {
  await run(choice);
}
