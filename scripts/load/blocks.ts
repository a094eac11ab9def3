import { writeFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { BacklotProcess } from "./backlot-process.ts";
import { inOwnTime, kilobytes, megabytes } from "./figures.ts";
import { type NastyRequest, nastyFixtures, nastyRequests } from "./nasty-requests.ts";
import { token } from "./raw-client.ts";
import type { Figure, Scenario } from "./scenario.ts";

/** A time is judged by the best of so many tries: what else happens can only make it longer. */
const tries = 3;
const longestAnswerMs = 60_000;
/** The journal and the end of a stream are dealt with after the answer. */
const afterwardsMs = 150;

/** The longest time for which one request may keep all others waiting. */
function mostMs(size: number): number {
  return size <= 1_000_000 ? 100 : 500;
}

/** The longest block of the server's event loop under each of a list of requests, each to a server that served those before it. */
export const blocks: Scenario = {
  name: "blocks",
  about:
    "the longest block of the event loop under each of seventy nasty requests, by the server's own clock",
  run: async (stage) => {
    const cwd = await stage.folder();
    await writeFile(join(cwd, "db.json"), JSON.stringify(nastyFixtures()));
    const figures: Figure[] = [];
    for (const profile of ["document", "observed"] as const) {
      const args = ["db.json", "--profile", profile, "--speed", "0", "--token", token];
      const server = await stage.start({ cwd, args });
      // What is loaded with the first request, and compiled with the first hundred, is no block of theirs.
      await warmUp(server);
      for (const nasty of nastyRequests) {
        if (!nasty.profiles.includes(profile)) continue;
        const { ms, status, size } = await longestBlock(server, nasty);
        const shown = size < 1e6 ? kilobytes(size) : megabytes(size);
        const what = `${profile}: ${nasty.name} (${shown} → ${status})`;
        stage.tell(`${what}: ${ms.toFixed(0)} ms`);
        figures.push(inOwnTime(what, ms, mostMs(size)));
      }
      await server.end("SIGTERM");
    }
    return figures;
  },
};

async function warmUp(server: BacklotProcess): Promise<void> {
  for (let time = 0; time < 20; time++) {
    for (const path of ["/rest/small", "/rest/small?text.like=%25a%25&sort_by=text"]) {
      await send(server, { method: "GET", path });
    }
    await send(server, { method: "POST", path: "/rest/small", body: '{"text":"warm"}' });
    const messages = [{ role: "user", content: "warm" }];
    for (const stream of [false, true]) {
      const body = JSON.stringify({ model: "any", stream, messages });
      await send(server, { method: "POST", path: "/v1/chat/completions", body });
    }
  }
  await send(server, { method: "POST", path: "/__backlot/reset" });
}

interface Block {
  readonly ms: number;
  readonly status: number | string;
  /** Of the body, or the path. */
  readonly size: number;
}

async function longestBlock(server: BacklotProcess, nasty: NastyRequest): Promise<Block> {
  const made = { ...nasty, body: nasty.body?.() };
  const size = Buffer.byteLength(made.body ?? made.path);
  let best: Block = { ms: Infinity, status: "", size };
  for (let time = 0; time < tries && best.ms > mostMs(size) / 2; time++) {
    await server.watchLoop();
    const status = await send(server, made);
    await delay(afterwardsMs);
    const ms = await server.longestBlock();
    if (ms < best.ms) best = { ms, status, size };
    await send(server, { method: "POST", path: "/__backlot/reset" });
    await delay(afterwardsMs);
  }
  return best;
}

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: string | Uint8Array | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Leaves so soon, without waiting for the answer. */
  readonly leavesAfterMs?: number;
}

/** Sends a request and resolves with the answer's status once all of it is there, or with what happened instead. */
function send({ port }: BacklotProcess, sent: Sent): Promise<number | string> {
  const { method, path, body, headers, leavesAfterMs } = sent;
  return new Promise((resolve) => {
    const call = request(
      {
        port,
        method,
        path,
        agent: false,
        headers: {
          authorization: `Bearer ${path.startsWith("/v1") ? "local-key" : token}`,
          ...(body !== undefined && {
            "content-type": "application/json",
            "content-length": String(Buffer.byteLength(body)),
          }),
          ...headers,
        },
      },
      (reply) => {
        reply.resume().on("close", () => resolve(reply.statusCode ?? 0));
        reply.on("error", () => resolve("broken"));
      },
    );
    const leave = (): void => void call.destroy();
    const timer = setTimeout(leave, leavesAfterMs ?? longestAnswerMs);
    call.on("error", () => resolve("left"));
    call.on("close", () => clearTimeout(timer));
    call.end(body);
  });
}
