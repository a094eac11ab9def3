/** Asks for streams over a connection that is kept alive, in a process of its own. */
import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { serveCalls } from "../process/serve-calls.ts";

/** What is asked for, and where. */
export interface StreamLoad {
  readonly port: number;
  /** How many events each answer has. */
  readonly events: number;
  /** How many answers, one after the other. */
  readonly count: number;
  /** Milliseconds between them. */
  readonly restMs: number;
}

/** How one answer came, in milliseconds after it was asked for. */
export interface StreamTimes {
  readonly first: number;
  readonly all: number;
  readonly bytes: number;
}

const agent = new Agent({ keepAlive: true });

async function askOnce({ port, events }: StreamLoad, turn: number): Promise<StreamTimes> {
  const messages = [{ role: "user", content: `Stream number ${turn}` }];
  const body = JSON.stringify({ model: "bench", stream: true, messages, events });
  const begun = performance.now();
  const asked = request({
    port,
    host: "127.0.0.1",
    path: "/v1/chat/completions",
    method: "POST",
    headers: { "content-type": "application/json", "content-length": Buffer.byteLength(body) },
    agent,
  });
  asked.end(body);
  const [response]: IncomingMessage[] = await once(asked, "response");
  let first = 0;
  let bytes = 0;
  response?.on("data", (part: Buffer) => {
    if (bytes === 0) first = performance.now() - begun;
    bytes += part.length;
  });
  if (response !== undefined) await once(response, "end");
  return { first, all: performance.now() - begun, bytes };
}

let turns = 0;

export const streamCalls = {
  ask: async (load: StreamLoad): Promise<readonly StreamTimes[]> => {
    const times: StreamTimes[] = [];
    for (let count = 0; count < load.count; count++) {
      times.push(await askOnce(load, turns++));
      await new Promise((resolve) => setTimeout(resolve, load.restMs));
    }
    return times;
  },
};

serveCalls(streamCalls);
