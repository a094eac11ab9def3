/**
 * `npm run bench`: every figure that the documentation quotes, measured on this machine, with its goal.
 * `npm run bench -- requests chat` runs these parts. How to read it: bench/README.md.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type PartName, readArguments } from "./arguments.ts";
import { benchChat } from "./chat/section.ts";
import { benchFirstAssertion } from "./first-assertion/section.ts";
import { installPackages } from "./install.ts";
import { shareFolder } from "./items-file.ts";
import { benchLargeTables } from "./large-tables/section.ts";
import { benchPeers } from "./peers/section.ts";
import { Goals } from "./report.ts";
import { benchRequests } from "./requests/section.ts";
import { benchWatching } from "./requests/watching.ts";
import type { Setup } from "./setup.ts";
import { benchStartUp } from "./start-up.ts";

const parts: Readonly<Record<PartName, (setup: Setup) => Promise<void>>> = {
  requests: benchRequests,
  watching: benchWatching,
  chat: benchChat,
  "start-up": benchStartUp,
  "first-assertion": benchFirstAssertion,
  "large-tables": benchLargeTables,
  peers: benchPeers,
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

async function run(chosen: readonly PartName[]): Promise<void> {
  const started = performance.now();
  const goals = new Goals();
  installPackages();
  console.log(`Node ${process.version}, ${process.platform} ${process.arch}`);
  const folder = mkdtempSync(join(tmpdir(), "backlot-bench-"));
  shareFolder(folder);
  try {
    for (const part of chosen) await runPart(part, { goals });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  if (!goals.printSummary()) process.exitCode = 1;
  console.log(`Done in ${Math.round((performance.now() - started) / 1000)} s.`);
}

const chosen = readArguments(process.argv.slice(2));
if (typeof chosen === "string") {
  console.error(chosen);
  process.exitCode = 2;
} else {
  await run(chosen);
}
