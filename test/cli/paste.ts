import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";

const execute = promisify(execFile);

async function shell(command: string): Promise<string> {
  const { stdout } = await execute("sh", ["-c", command], { timeout: 10_000 });
  return stdout;
}

/**
 * Gives what a curl line prints when it is pasted into a shell. Where there is no curl, the shell still reads the
 * line, and fetch does what curl would.
 */
export async function pasteCurl(line: string): Promise<string> {
  if (spawnSync("curl", ["--version"]).status === 0) return shell(line);
  const printed = await shell(`curl() { printf '%s\\0' "$@"; }; ${line}`);
  const words = printed.split("\0").slice(0, -1);
  const headers = new Headers();
  let body: string | undefined;
  let url = "";
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? "";
    if (word === "-N") continue;
    if (word === "-H") {
      const [name = "", value = ""] = (words[++index] ?? "").split(/: (.*)/s);
      headers.set(name, value);
    } else if (word === "-d") body = words[++index];
    else url = word;
  }
  const init = body === undefined ? { headers } : { headers, body, method: "POST" };
  return (await fetch(url, init)).text();
}
