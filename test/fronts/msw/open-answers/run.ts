import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

/** Where the programs are. */
export const folder: string = fileURLToPath(new URL(".", import.meta.url));

/** How a program ended, and what it printed. */
export interface Run {
  readonly code: unknown;
  readonly out: string;
}

/** Runs Node with one of the programs, which nothing keeps running but what it waits for. */
export async function run(...args: readonly string[]): Promise<Run> {
  const child = spawn(process.execPath, ["--import", "tsx", ...args], {
    cwd: folder,
    // Newer Nodes warn of their experimental localStorage, at which msw looks.
    env: { ...process.env, NODE_NO_WARNINGS: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let out = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => (out += text));
  }
  const [code] = await once(child, "close");
  return { code, out };
}
