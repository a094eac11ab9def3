/** Sends requests over connections that are kept alive, in a process of its own. */
import type { Socket } from "node:net";
import { serveCalls } from "../process/serve-calls.ts";
import { exchange as exchangeData, socketsTo } from "../process/sockets.ts";
import { type Told, Watcher } from "./watcher.ts";

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
  /** Sends them evenly. Default: as fast as they are answered. */
  readonly perSecond?: number;
}

/** Those who watch, by the port of the server. */
const watchers = new Map<number, Watcher>();

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

function lengthOf(head: string): number {
  const [, length] = /^content-length: *(\d+)/im.exec(head) ?? [];
  if (length === undefined) throw new Error(`An answer has no length: ${head}`);
  return Number(length);
}

/** Sends one request and waits for all of its answer. */
async function exchange(socket: Socket, text: string): Promise<Answer> {
  let received: Buffer = Buffer.alloc(0);
  let head = "";
  let end = -1;
  await exchangeData(socket, text, (data) => {
    received = received.length === 0 ? data : Buffer.concat([received, data]);
    end = received.indexOf("\r\n\r\n");
    if (end === -1) return false;
    head = received.toString("latin1", 0, end);
    return received.length >= end + 4 + lengthOf(head);
  });
  const body = received.toString("utf8", end + 4);
  return { status: Number(head.slice(9, 12)), head: head.replace(/\r\ndate:.*/i, ""), body };
}

export const generatorCalls = {
  /** The answers to requests that are sent one after the other. */
  async answers(request: LoadRequest): Promise<readonly Answer[]> {
    const [socket] = await socketsTo(request.port, 1);
    const answers: Answer[] = [];
    for (const target of request.targets) {
      if (socket !== undefined) answers.push(await exchange(socket, requestText(target, request)));
    }
    return answers;
  },

  /** Sends so many requests, one at a time on each of the connections. */
  async send(request: LoadRequest): Promise<void> {
    const { port, count, perSecond = Infinity } = request;
    const texts = request.targets.map((target) => requestText(target, request));
    let sent = 0;
    const began = performance.now();
    const run = async (socket: Socket): Promise<void> => {
      while (sent < count) {
        const early = began + (sent * 1000) / perSecond - performance.now();
        if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
        const { status } = await exchange(socket, texts[sent++ % texts.length] ?? "");
        if (status >= 300) throw new Error(`An answer has the status ${status}.`);
      }
    };
    const opened = await socketsTo(port, connections);
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

  /** Watches the requests of a server from now on. */
  async watch({ port, query }: { readonly port: number; readonly query: string }): Promise<void> {
    const url = `http://127.0.0.1:${port}/__backlot/requests/live${query}`;
    watchers.set(port, await Watcher.start(url));
  },

  /** What the watcher of a server was told when it has heard of so many requests. */
  async told({ port, count }: { readonly port: number; readonly count: number }): Promise<Told> {
    const watcher = watchers.get(port);
    if (watcher === undefined) throw new Error(`Nobody watches the port ${port}.`);
    return watcher.told(count);
  },
};

serveCalls(generatorCalls);
