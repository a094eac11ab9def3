import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { minutes } from "../compat/scratch.ts";
import type { Runtime } from "./runtimes.ts";

type CommandOf = NonNullable<Runtime["command"]>;

const headers = { authorization: "Bearer local-key", "content-type": "application/json" };
const messages = [{ role: "user", content: "Hello!" }];
const asked = {
  method: "POST",
  headers,
  body: JSON.stringify({ model: "atlas-large", stream: true, messages }),
};

/** Starts `backlot` in a runtime, asks both interfaces, and ends it. Tells in a word or two how that went. */
export async function startCommand({ run: [program, ...args], cwd }: CommandOf): Promise<string> {
  const server = spawn(program, [...args, "start", "--port", "0", "--log", "json"], {
    cwd,
    stdio: ["ignore", "pipe", "ignore"],
  });
  try {
    const { url } = JSON.parse(await firstLine(server));
    await ask(`${url}/rest/products?limit=1`, { headers: { authorization: "Bearer local-token" } });
    const stream = await ask(`${url}/v1/chat/completions`, asked);
    if (!stream.endsWith("data: [DONE]\n\n")) throw new Error("the stream does not end");
    return `answers, and ${await end(server)}`;
  } catch (error) {
    return `fails: ${error instanceof Error ? error.message : String(error)}`;
  } finally {
    server.kill("SIGKILL");
  }
}

async function firstLine(server: ChildProcess): Promise<string> {
  if (server.stdout === null) return "";
  const lines = createInterface({ input: server.stdout });
  const exit = once(server, "exit").then(([code]) => {
    throw new Error(`ended with code ${code}`);
  });
  const signal = AbortSignal.timeout(minutes);
  const [line] = await Promise.race([once(lines, "line", { signal }), exit]);
  return String(line);
}

async function ask(url: string, init: RequestInit): Promise<string> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(minutes) });
  if (!response.ok) throw new Error(`${response.status} for ${url}`);
  return response.text();
}

async function end(server: ChildProcess): Promise<string> {
  const exit = once(server, "exit", { signal: AbortSignal.timeout(minutes / 4) });
  server.kill("SIGTERM");
  const [code] = await exit;
  return `ends at SIGTERM with code ${code}`;
}
