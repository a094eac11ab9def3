/** Asks a chat server over connections that are kept alive, in a process of its own. */
import type { Socket } from "node:net";
import { median } from "../cpu-time.ts";
import { serveCalls } from "../process/serve-calls.ts";
import { exchange as exchangeData, socketsTo } from "../process/sockets.ts";

export interface ChatLoad {
  readonly port: number;
  readonly body: string;
  /** Requests in all: a multiple of `connections`. */
  readonly count: number;
  /** How many of them at the same time. */
  readonly connections: number;
  /** Milliseconds over which the first requests are spread. */
  readonly spreadMs: number;
  /** Milliseconds that an answer takes by its script, from its head to its end. */
  readonly plannedMs: number;
}

/** How late the ends of streams came, in milliseconds, against their plan. */
export interface Lateness {
  readonly median: number;
  readonly p99: number;
}

/** An answer as it came. */
export interface ChatAnswer {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: string;
}

function requestText({ port, body }: Pick<ChatLoad, "port" | "body">): string {
  return [
    "POST /v1/chat/completions HTTP/1.1",
    `host: 127.0.0.1:${port}`,
    "connection: keep-alive",
    "authorization: Bearer local-key",
    "accept: application/json",
    "content-type: application/json",
    "user-agent: OpenAI/JS 6.49.0",
    "x-stainless-retry-count: 0",
    "x-stainless-lang: js",
    "accept-encoding: gzip, deflate",
    `content-length: ${Buffer.byteLength(body)}`,
    `\r\n${body}`,
  ].join("\r\n");
}

/** Tells when an answer is complete. */
class AnswerReader {
  head = "";
  #length: number | undefined;
  #received = 0;
  #tail = "";
  readonly parts: Buffer[] = [];

  /** Takes data; true when that was the last. */
  take(data: Buffer): boolean {
    let rest = data;
    if (this.head === "") {
      const end = data.indexOf("\r\n\r\n");
      if (end === -1) throw new Error("The head of an answer came in parts.");
      this.head = data.toString("latin1", 0, end);
      const [, length] = /^content-length: *(\d+)/im.exec(this.head) ?? [];
      this.#length = length === undefined ? undefined : Number(length);
      rest = data.subarray(end + 4);
    }
    this.parts.push(rest);
    this.#received += rest.length;
    if (this.#length !== undefined) return this.#received >= this.#length;
    this.#tail = (this.#tail + rest.toString("latin1", Math.max(0, rest.length - 5))).slice(-5);
    return this.#tail === "0\r\n\r\n";
  }
}

async function exchange(
  socket: Socket,
  text: string,
): Promise<{ readonly reader: AnswerReader; readonly ms: number }> {
  const reader = new AnswerReader();
  let begun = 0;
  await exchangeData(socket, text, (data) => {
    if (begun === 0) begun = performance.now();
    return reader.take(data);
  });
  return { reader, ms: performance.now() - begun };
}

function decodeChunks(text: string): string {
  let decoded = "";
  let place = 0;
  for (;;) {
    const end = text.indexOf("\r\n", place);
    const size = Number.parseInt(text.slice(place, end), 16);
    if (!(size > 0)) return decoded;
    decoded += text.slice(end + 2, end + 2 + size);
    place = end + 2 + size + 2;
  }
}

export const chatGeneratorCalls = {
  /** One answer, whole. All of it has to be ASCII. */
  async answer(load: Pick<ChatLoad, "port" | "body">): Promise<ChatAnswer> {
    const [socket] = await socketsTo(load.port, 1);
    if (socket === undefined) throw new Error("There is no connection.");
    const { reader } = await exchange(socket, requestText(load));
    const [first = "", ...lines] = reader.head.split("\r\n");
    const text = Buffer.concat(reader.parts).toString("latin1");
    const isChunked = /^transfer-encoding: *chunked/im.test(reader.head);
    return {
      status: Number(first.slice(9, 12)),
      headers: lines.flatMap((line) => line.split(/: */, 2)),
      body: isChunked ? decodeChunks(text) : text,
    };
  },

  /** Sends requests and says how late their answers ended. */
  async send(load: ChatLoad): Promise<Lateness> {
    const { port, count, connections, spreadMs, plannedMs } = load;
    const sockets = await socketsTo(port, connections);
    const text = requestText(load);
    const late: number[] = [];
    // All are used: a server refuses a connection on which nothing is asked for a minute.
    const share = count / connections;
    const run = async (socket: Socket, index: number): Promise<void> => {
      if (spreadMs > 0) {
        await new Promise((resolve) => setTimeout(resolve, (index / connections) * spreadMs));
      }
      for (let sent = 0; sent < share; sent++) {
        const { reader, ms } = await exchange(socket, text);
        if (!reader.head.includes(" 200 "))
          throw new Error(`An answer has the head ${reader.head}`);
        late.push(ms - plannedMs);
      }
    };
    let done = false;
    // Never asleep: to wake it would cost a server time, and the more so the more often it has to wait for one.
    const stayAwake = (): void => {
      if (!done) setImmediate(stayAwake);
    };
    if (plannedMs === 0) stayAwake();
    await Promise.all(sockets.map(run)).finally(() => {
      done = true;
    });
    const sorted = late.toSorted((left, right) => left - right);
    return { median: median(sorted), p99: sorted[Math.ceil(sorted.length * 0.99) - 1] ?? NaN };
  },
};

serveCalls(chatGeneratorCalls);
