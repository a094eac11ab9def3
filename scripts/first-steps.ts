/**
 * Times a newcomer's first steps, by the commands that they type: from an empty folder to a test of one's own that passes,
 * with the newest Vitest and with none, under each Node of `--node`. Without `--node`: under the Node at hand, and also
 * from a fresh clone and from the packed package to the first answer. Fails if a command fails.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { readArguments } from "./arguments.ts";
import { inScratchFolder, pack, root } from "./compat/scratch.ts";
import { firstTests, install, quietly, type Step } from "./first-steps/first-tests.ts";

const usage =
  "Usage: npm run check -- first-steps [--node <path of a node>…] [--tarball <packed package>]";
const { values } = readArguments(usage, {
  options: { node: { type: "string", multiple: true }, tarball: { type: "string" } },
});

const env = { ...process.env, ...quietly, BACKLOT_PORT: "0", BACKLOT_LOG: "json" };

/** Runs a command line to its end. Gives the seconds that it took. */
function run(cwd: string, line: string): number {
  const started = performance.now();
  execFileSync("sh", ["-euc", line], { cwd, env, stdio: ["ignore", "ignore", "inherit"] });
  return (performance.now() - started) / 1000;
}

/** Runs a command line that serves. Gives the seconds until a table answered. */
async function runToFirstAnswer(cwd: string, line: string): Promise<number> {
  const started = performance.now();
  const stdio: ["ignore", "pipe", "inherit"] = ["ignore", "pipe", "inherit"];
  const server = spawn("sh", ["-euc", line], { cwd, env, stdio, detached: true });
  try {
    for await (const said of createInterface({ input: server.stdout })) {
      if (!said.startsWith("{")) continue;
      const headers = { authorization: "Bearer local-token" };
      const { status } = await fetch(`${JSON.parse(said).url}/rest/products/1`, { headers });
      if (status === 200) return (performance.now() - started) / 1000;
      throw new Error(`The first answer has the status ${status}.`);
    }
    throw new Error(`${line} ended before it served.`);
  } finally {
    const hasEnded = once(server, "exit");
    if (server.pid !== undefined && server.exitCode === null) {
      process.kill(-server.pid);
      await hasEnded;
    }
  }
}

/** Prints each command with its seconds, under what it leads to. */
function tell(goal: string, steps: readonly Step[]): void {
  const total = steps.reduce((sum, [, seconds]) => sum + seconds, 0);
  console.log(`\n${goal}: ${steps.length} commands, ${total.toFixed(1)} s`);
  for (const [line, seconds] of steps)
    console.log(`  ${seconds.toFixed(1).padStart(6)} s  ${line}`);
}

/** From a fresh clone, and from an empty folder, to the first answer. */
async function firstAnswers(tarball: string, scratch: string): Promise<void> {
  const clone = join(scratch, "clone");
  execFileSync("git", ["clone", "--quiet", root, clone]);
  const ci = run(clone, "npm ci");
  const start = await runToFirstAnswer(clone, "npm start");
  tell("A fresh clone to the first answer", [
    ["npm ci", ci],
    ["npm start", start],
  ]);

  const served = join(scratch, "served");
  mkdirSync(served);
  const installed = run(served, install.replace("backlot", tarball));
  const answered = await runToFirstAnswer(served, "npx backlot");
  tell("An empty folder to the first answer", [
    [install, installed],
    ["npx backlot", answered],
  ]);
}

await inScratchFolder("first-steps", async (scratch) => {
  const tarball = values.tarball === undefined ? pack(scratch) : resolve(values.tarball);
  if (values.node === undefined) await firstAnswers(tarball, scratch);
  for (const node of values.node ?? [process.execPath]) {
    for (const { goal, steps } of firstTests(resolve(node), tarball, scratch)) tell(goal, steps);
  }
}).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
