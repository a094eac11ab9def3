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
  /** Milliseconds between the events of an answer, over and over. Default: as fast as they are taken. */
  readonly gaps?: readonly number[];
  /** The turn of the first. Default: one that was not asked for yet. */
  readonly from?: number;
}

/** How one answer came, in milliseconds after it was asked for. */
export interface StreamTimes {
  readonly first: number;
  readonly all: number;
  readonly bytes: number;
  /** When each event came; only where there are gaps. */
  readonly events: readonly number[];
}

const agent = new Agent({ keepAlive: true });

async function askOnce(load: StreamLoad, turn: number): Promise<StreamTimes> {
  const { port, events, gaps } = load;
  const messages = [{ role: "user", content: `Stream number ${turn}` }];
  const body = JSON.stringify({ model: "bench", stream: true, messages, events, gaps });
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
  const arrivals: number[] = [];
  response?.on("data", (part: Buffer) => {
    const at = performance.now() - begun;
    if (bytes === 0) first = at;
    bytes += part.length;
    if (gaps !== undefined) for (const _ of part.toString().matchAll(/\n\n/g)) arrivals.push(at);
  });
  if (response !== undefined) await once(response, "end");
  return { first, all: performance.now() - begun, bytes, events: arrivals };
}

let turns = 0;

export const streamCalls = {
  ask: async (load: StreamLoad): Promise<readonly StreamTimes[]> => {
    const times: StreamTimes[] = [];
    for (let count = 0; count < load.count; count++) {
      times.push(await askOnce(load, load.from === undefined ? turns++ : load.from + count));
      await new Promise((resolve) => setTimeout(resolve, load.restMs));
    }
    return times;
  },
};

serveCalls(streamCalls);
