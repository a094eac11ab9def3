/** Clients that ask again as soon as they are answered, or when a refusal says, in a process of their own. */
import { Agent, type IncomingMessage, request } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { serveCalls } from "../process/serve-calls.ts";

export interface ClientLoad {
  readonly port: number;
  readonly body: string;
  readonly clients: number;
  /** Nothing counts before. */
  readonly warmUpMs: number;
  readonly measuredMs: number;
}

/** What the clients saw while it counted. */
export interface Seen {
  /** Milliseconds from asking to the first token. */
  readonly firstTokens: readonly number[];
  readonly ended: number;
  readonly refused: number;
}

const headers = { authorization: "Bearer local-key", "content-type": "application/json" };

interface Answer {
  /** Undefined: it was refused. */
  readonly firstTokenMs: number | undefined;
  readonly retryAfterMs: number;
}

async function answerOf(response: IncomingMessage, asked: number): Promise<Answer> {
  let firstTokenMs: number | undefined;
  for await (const part of response) {
    if (firstTokenMs === undefined && String(part).includes('"delta":{"content":"w')) {
      firstTokenMs = performance.now() - asked;
    }
  }
  return { firstTokenMs, retryAfterMs: Number(response.headers["retry-after-ms"] ?? NaN) };
}

function ask({ port, body }: ClientLoad, agent: Agent): Promise<Answer> {
  const asked = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request({
      agent,
      port,
      host: "127.0.0.1",
      method: "POST",
      path: "/v1/chat/completions",
      headers: { ...headers, "content-length": Buffer.byteLength(body) },
    });
    sent.once("response", (response) => answerOf(response, asked).then(resolve, reject));
    sent.once("error", reject).end(body);
  });
}

export const clientCalls = {
  async run(load: ClientLoad): Promise<Seen> {
    const { clients, warmUpMs, measuredMs } = load;
    const agent = new Agent({ keepAlive: true, maxSockets: clients });
    const firstTokens: number[] = [];
    let ended = 0;
    let refused = 0;
    const from = performance.now() + warmUpMs;
    const until = from + measuredMs;
    const counts = (): boolean => performance.now() >= from && performance.now() < until;
    const client = async (): Promise<void> => {
      while (performance.now() < until) {
        const { firstTokenMs, retryAfterMs } = await ask(load, agent);
        if (firstTokenMs === undefined) {
          if (counts()) refused += 1;
          await wait(retryAfterMs);
        } else if (counts()) {
          ended += 1;
          firstTokens.push(firstTokenMs);
        }
      }
    };
    await Promise.all(Array.from({ length: clients }, client));
    agent.destroy();
    return { firstTokens, ended, refused };
  },
};

serveCalls(clientCalls);
