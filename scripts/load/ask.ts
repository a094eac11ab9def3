import { Agent, type IncomingMessage, request } from "node:http";
import { token } from "./raw-client.ts";

export interface Asked {
  readonly method?: string;
  readonly url: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Default: a connection of its own, that is closed behind the answer. */
  readonly agent?: Agent;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answered {
  readonly status: number;
  readonly text: string;
}

/** Asks, and rejects where no whole answer comes. Also where it takes more than 30 s. */
export function ask({ method = "GET", url, body, agent, headers }: Asked): Promise<Answered> {
  const sent = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const read = (reply: IncomingMessage): void => {
      let text = "";
      reply.setEncoding("utf8").on("data", (part: string) => (text += part));
      reply.on("end", () => {
        if (reply.complete) resolve({ status: reply.statusCode ?? 0, text });
        else reject(new Error("The answer broke off."));
      });
      reply.on("error", reject);
    };
    const call = request(
      url,
      {
        method,
        agent: agent ?? false,
        timeout: 30_000,
        headers: {
          authorization: `Bearer ${token}`,
          ...(sent === undefined
            ? {}
            : {
                "content-type": "application/json",
                "content-length": String(Buffer.byteLength(sent)),
              }),
          ...headers,
        },
      },
      read,
    );
    call.on("timeout", () => call.destroy(new Error("No answer came for 30 s.")));
    call.on("error", reject);
    call.end(sent);
  });
}

/** How long so many requests take, one after the other on one connection, each in milliseconds. */
export async function latencies(url: string, count: number): Promise<readonly number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const taken: number[] = [];
  try {
    for (let time = 0; time < count; time++) {
      const asked = performance.now();
      const { status } = await ask({ url, agent });
      if (status !== 200) throw new Error(`${url} answered ${status}.`);
      taken.push(performance.now() - asked);
    }
  } finally {
    agent.destroy();
  }
  return taken;
}
