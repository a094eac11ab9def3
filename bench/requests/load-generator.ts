/** Sends requests over connections that are kept alive, in a process of its own. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { serveCalls } from "../process/serve-calls.ts";

const connections = 8;

/** An answer as it came, without its date. */
export interface Answer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

export interface LoadRequest {
  readonly port: number;
  readonly targets: readonly string[];
  /** The body of a POST. Default: a GET. */
  readonly body?: string | undefined;
  readonly count: number;
}

/** As `fetch` of Node sends it. */
function requestText(target: string, { port, body }: LoadRequest): string {
  const ofBody = ["content-type: application/json", `content-length: ${body?.length}`];
  return [
    `${body === undefined ? "GET" : "POST"} ${target} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    "connection: keep-alive",
    ...(body === undefined ? [] : ofBody),
    "authorization: Bearer local-token",
    "accept: */*",
    "accept-language: *",
    "sec-fetch-mode: cors",
    "user-agent: node",
    "accept-encoding: gzip, deflate",
    `\r\n${body ?? ""}`,
  ].join("\r\n");
}

const sockets = new Map<number, Socket[]>();

async function socketsTo(port: number): Promise<readonly Socket[]> {
  const known = sockets.get(port);
  if (known !== undefined) return known;
  const opened = Array.from({ length: connections }, () => connect(port, "127.0.0.1"));
  sockets.set(port, opened);
  for (const socket of opened) {
    await once(socket, "connect");
    socket.setNoDelay(true);
  }
  return opened;
}

function lengthOf(head: string): number {
  const [, length] = /^content-length: *(\d+)/im.exec(head) ?? [];
  if (length === undefined) throw new Error(`An answer has no length: ${head}`);
  return Number(length);
}

/** Sends one request and waits for all of its answer. */
function exchange(socket: Socket, text: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let received: Buffer = Buffer.alloc(0);
    const take = (data: Buffer): void => {
      received = received.length === 0 ? data : Buffer.concat([received, data]);
      const end = received.indexOf("\r\n\r\n");
      if (end === -1) return;
      const head = received.toString("latin1", 0, end);
      const length = lengthOf(head);
      if (received.length < end + 4 + length) return;
      socket.off("data", take).off("close", fail);
      const body = received.toString("utf8", end + 4);
      resolve({ status: Number(head.slice(9, 12)), head: head.replace(/\r\ndate:.*/i, ""), body });
    };
    const fail = (): void => reject(new Error("The server closed a connection."));
    socket.on("data", take).once("close", fail);
    socket.write(text);
  });
}

export const generatorCalls = {
  /** The answers to requests that are sent one after the other. */
  async answers(request: LoadRequest): Promise<readonly Answer[]> {
    const [socket] = await socketsTo(request.port);
    const answers: Answer[] = [];
    for (const target of request.targets) {
      if (socket !== undefined) answers.push(await exchange(socket, requestText(target, request)));
    }
    return answers;
  },

  /** Sends so many requests, one at a time on each of the connections. */
  async send(request: LoadRequest): Promise<void> {
    const { port, count } = request;
    const texts = request.targets.map((target) => requestText(target, request));
    let sent = 0;
    const run = async (socket: Socket): Promise<void> => {
      while (sent < count) {
        const { status } = await exchange(socket, texts[sent++ % texts.length] ?? "");
        if (status >= 300) throw new Error(`An answer has the status ${status}.`);
      }
    };
    const opened = await socketsTo(port);
    let done = false;
    // Never asleep: to wake it would cost a server time, and the more so the more often it has to wait for one.
    const stayAwake = (): void => {
      if (!done) setImmediate(stayAwake);
    };
    stayAwake();
    await Promise.all(opened.map(run)).finally(() => {
      done = true;
    });
  },
};

serveCalls(generatorCalls);
