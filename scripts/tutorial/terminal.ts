import { spawn } from "node:child_process";
import { once } from "node:events";
import { delimiter, dirname } from "node:path";
import type { Readable } from "node:stream";
import { pasteCurl } from "../../test/support/paste-curl.ts";

const minutes = 60_000;

/** What a reader's shell has, and nothing of the `npm run`, the CI or the checkout from which this was started. */
const kept =
  /^(HOME|USER|SHELL|LANG|LC_ALL|TMPDIR|(https?|no)_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_\w+|npm_config_(registry|cache|cafile|userconfig))$/i;

export function readersEnvironment(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => kept.test(name));
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const PATH = [dirname(process.execPath), ...folders.filter((f) => !f.includes("node_modules"))];
  return {
    ...Object.fromEntries(own),
    PATH: PATH.join(delimiter),
    NO_COLOR: "1",
    npm_config_loglevel: "error",
    npm_config_update_notifier: "false",
    ...more,
  };
}

/** A command that has ended: all that it printed, in the order in which it came, and its exit code. */
export interface Ended {
  readonly output: string;
  readonly code: number | null;
  /** The folder in which the shell then is. */
  readonly folder: string;
}

/** Runs one line in a shell. `cd` in it counts for the next one, by `folder` of the result. */
export async function runInShell(
  command: string,
  { folder, env }: { readonly folder: string; readonly env: NodeJS.ProcessEnv },
): Promise<Ended> {
  if (command.startsWith("curl ")) return runCurl(command, folder);
  // Behind all that is printed comes the folder.
  const line = `exec 2>&1\n${command}\ncode=$?; printf '\\0%s' "$PWD"; exit $code`;
  const child = spawn("sh", ["-c", line], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "inherit"],
    timeout: 5 * minutes,
  });
  const printed = collect(child.stdout);
  const [code] = await once(child, "close");
  const [output = "", left = folder] = printed().split("\0");
  return { output, code, folder: left };
}

/** The same where there is no curl. */
async function runCurl(command: string, folder: string): Promise<Ended> {
  try {
    return { output: await pasteCurl(command), code: 0, folder };
  } catch (error) {
    return { output: String(error), code: 1, folder };
  }
}

/** Gathers what a stream gives; the function gives what there is so far. */
export function collect(stream: Readable): () => string {
  let text = "";
  stream.setEncoding("utf8").on("data", (part: string) => (text += part));
  return () => text;
}
