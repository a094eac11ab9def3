import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";

const execute = promisify(execFile);
const timeout = 20_000;

async function shell(command: string): Promise<string> {
  const { stdout } = await execute("sh", ["-c", command], { timeout });
  return stdout;
}

/** Gives what a curl line prints when it is pasted into a shell, also where there is no curl. */
export function pasteCurl(line: string): Promise<string> {
  const hasCurl = spawnSync("curl", ["--version"]).status === 0;
  return hasCurl ? shell(line) : fetchCurl(line);
}

/** Does what a curl line says: the shell reads the line, and fetch does what curl would. Gives the body. */
export async function fetchCurl(line: string): Promise<string> {
  const printed = await shell(`curl() { printf '%s\\0' "$@"; }; ${line}`);
  const words = printed.split("\0").slice(0, -1);
  const headers = new Headers();
  const request: { url: string; method?: string; body?: string } = { url: "" };
  while (words.length > 0) {
    const word = words.shift() ?? "";
    if (word === "-H") {
      const [name = "", value = ""] = (words.shift() ?? "").split(/: (.*)/s);
      headers.set(name, value);
    } else if (word === "-d") request.body = words.shift() ?? "";
    else if (word === "-X") request.method = words.shift() ?? "";
    else if (!/^-[siN]+$/.test(word)) request.url = word;
  }
  const { url, body, method = body === undefined ? "GET" : "POST" } = request;
  return (await fetch(url, { method, headers, ...(body === undefined ? {} : { body }) })).text();
}
