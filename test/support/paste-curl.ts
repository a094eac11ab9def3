import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import { type BodyRead, readToEnd } from "./read-stream.ts";

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
  const { text, error } = await fetchCurlLine(line);
  if (error !== undefined) throw error;
  return text;
}

/** The same, for a line whose connection may break, or that gives up after `--max-time`. */
export async function fetchCurlLine(line: string): Promise<BodyRead> {
  const printed = await shell(`curl() { printf '%s\\0' "$@"; }; ${line}`);
  const { url, ...request } = readCurl(printed.split("\0").slice(0, -1));
  try {
    return await readToEnd(await fetch(url, request));
  } catch (error) {
    return { text: "", error };
  }
}

function readCurl(words: string[]): RequestInit & { readonly url: string } {
  const headers = new Headers();
  const request: RequestInit & { url: string } = { url: "", headers };
  while (words.length > 0) {
    const word = words.shift() ?? "";
    if (word === "-H") {
      const [name = "", value = ""] = (words.shift() ?? "").split(/: (.*)/s);
      headers.set(name, value);
    } else if (word === "-d") {
      request.body = words.shift() ?? "";
      request.method ??= "POST";
    } else if (word === "-X") request.method = words.shift() ?? "";
    else if (word === "--max-time")
      request.signal = AbortSignal.timeout(1000 * Number(words.shift()));
    else if (!/^-[siN]+$/.test(word)) request.url = word;
  }
  return request;
}
