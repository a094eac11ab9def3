/**
 * Times a newcomer's first steps, by the commands that they type: `npm run first-steps`. From a fresh clone and from the
 * packed package to the first answer, and from an empty folder to a test of one's own that passes.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { inScratchFolder, pack, root } from "./compat/scratch.ts";

const env = {
  ...process.env,
  npm_config_audit: "false",
  npm_config_fund: "false",
  npm_config_loglevel: "error",
  BACKLOT_PORT: "0",
  BACKLOT_LOG: "json",
};

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
function tell(goal: string, steps: readonly (readonly [line: string, seconds: number])[]): void {
  const total = steps.reduce((sum, [, seconds]) => sum + seconds, 0);
  console.log(`\n${goal}: ${steps.length} commands, ${total.toFixed(1)} s`);
  for (const [line, seconds] of steps)
    console.log(`  ${seconds.toFixed(1).padStart(6)} s  ${line}`);
}

await inScratchFolder("first-steps", async (scratch) => {
  const folder = (name: string): string => {
    mkdirSync(join(scratch, name));
    return join(scratch, name);
  };
  const tarball = pack(scratch);
  const install = "npm install --save-dev backlot";
  const installPacked = install.replace(/backlot$/, tarball);

  execFileSync("git", ["clone", "--quiet", root, join(scratch, "clone")]);
  const clone = join(scratch, "clone");
  const ci = run(clone, "npm ci");
  const start = await runToFirstAnswer(clone, "npm start");
  tell("A fresh clone to the first answer", [
    ["npm ci", ci],
    ["npm start", start],
  ]);

  const served = folder("served");
  const installed = run(served, installPacked);
  const answered = await runToFirstAnswer(served, "npx backlot");
  tell("An empty folder to the first answer", [
    [install, installed],
    ["npx backlot", answered],
  ]);

  const tested = folder("tested");
  const lines = [install, "npx backlot init", "npm run test:backlot"];
  const steps = lines.map((line) => {
    return [line, run(tested, line === install ? installPacked : line)] as const;
  });
  tell("An empty folder to the first passing test", steps);
});
