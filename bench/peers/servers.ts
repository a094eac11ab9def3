/** Starts peers on ports of 127.0.0.1, each in a process of its own, and ends them. */
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { freePort } from "../../scripts/scale/ports.ts";
import { jsonQuestion, requestBody } from "../chat/chat-fixtures.ts";
import { ServerProcess } from "../requests/server-process.ts";
import { tableKinds } from "./asked.ts";
import type { Peer } from "./peers.ts";

const loopback = new URL("loopback.mjs", import.meta.url);

const row = { headers: { authorization: "Bearer local-token" } };
const chat = {
  method: "POST",
  headers: { "content-type": "application/json", authorization: "Bearer local-key" },
  body: requestBody(jsonQuestion),
};

/** Longer than a first answer takes. */
const patienceMs = 30_000;

export interface Started {
  readonly server: ServerProcess;
  /** Milliseconds from the creation of the process to its first answer. */
  readonly ms: number;
}

/** Of a package of the benchmarks; undefined where it is not installed. */
export function versionOf(name: string): string | undefined {
  const file = new URL(`../node_modules/${name}/package.json`, import.meta.url);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).version : undefined;
}

export class PeerServers {
  readonly #folder: string;
  readonly #started: ServerProcess[] = [];

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Starts a peer with files of its own, and waits for its first answer. */
  async start(peer: Peer): Promise<Started> {
    if (peer.package !== undefined && versionOf(peer.package) === undefined) {
      throw new Error("It is not installed. Delete bench/node_modules: the next run installs it.");
    }
    const port = await freePort();
    const file = join(mkdtempSync(join(this.#folder, "peer-")), "served.json");
    writeFileSync(file, JSON.stringify(peer.fixtures()));
    const begun = performance.now();
    const args = peer.args(String(port), file);
    const server = ServerProcess.launch(peer.script, port, args, [loopback]);
    this.#started.push(server);
    await server.waitFor(() => hasAnswered(`http://127.0.0.1:${port}`, peer));
    return { server, ms: performance.now() - begun };
  }

  async close(): Promise<void> {
    for (const server of this.#started) await server.close();
  }
}

/** Asks for a row, or for a chat where there are no tables. */
async function hasAnswered(url: string, { targets }: Peer): Promise<boolean> {
  const [target, init] =
    targets === undefined
      ? ["/v1/chat/completions", chat]
      : [tableKinds.key(targets)[0]?.target, row];
  try {
    const signal = AbortSignal.timeout(patienceMs);
    const response = await fetch(`${url}${target}`, { ...init, signal });
    const text = await response.text();
    if (!response.ok) throw new Error(`${target} is answered with ${response.status}: ${text}`);
    return true;
  } catch (error) {
    // `fetch` throws a TypeError where nobody listens yet.
    if (!(error instanceof TypeError)) throw error;
    await setTimeout(2);
    return false;
  }
}
