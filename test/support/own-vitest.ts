import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const vitest = fileURLToPath(new URL("../../node_modules/vitest/vitest.mjs", import.meta.url));

/** Runs the tests of a folder by a vitest of their own. Gives the exit code and what was said. */
export async function runOwnVitest(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: unknown; readonly out: string }> {
  const { PATH = "" } = process.env;
  // The sources of the package are compiled once, not again for each run.
  const options = ["--experimental.fsModuleCache", ...args];
  const child = spawn(process.execPath, [vitest, "run", ...options], {
    cwd,
    env: { PATH, NO_COLOR: "1", ...env },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let out = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => (out += text));
  }
  const [code] = await once(child, "close");
  return { code, out };
}
