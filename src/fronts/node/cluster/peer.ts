import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { Exchange } from "../../../core/emulator/exchange.ts";
import type { Call } from "../../../core/http/call.ts";
import { Channel } from "./channel.ts";
import type { Answer, Errand, Question, Reach } from "./messages.ts";
import { Asking, brokenExchange } from "./asking.ts";
import { sentCall } from "./sent-call.ts";

/** How long a worker that is not there is waited for: another one takes its place meanwhile. In milliseconds. */
const patienceMs = 10_000;
const pauseMs = 20;

/** Another worker, as one sees it. */
export class Peer {
  readonly #path: string;
  readonly #waiting: Map<number, Asking | Errands> = new Map();
  #channel: Promise<Channel<Question, Answer>> | undefined;
  #last = 0;

  /** `path` is where it listens. */
  constructor(path: string) {
    this.#path = path;
  }

  /** Has it answer a call. Where it dies before that, or is not there for long, the connection breaks. */
  async ask(call: Call, reach: Reach = "routed"): Promise<Exchange> {
    const sent = await sentCall(call);
    const channel = await this.#connected();
    if (channel === undefined) return brokenExchange;
    const id = ++this.#last;
    return new Promise((resolve) => {
      const asking = new Asking(call, {
        resolve,
        send: (message) => channel.send({ id, ...message }),
        over: () => this.#waiting.delete(id),
      });
      this.#waiting.set(id, asking);
      channel.send({ id, type: "ask", call: sent, reach });
    });
  }

  /** What it tells. Undefined when it is not there. */
  async send(errand: Errand): Promise<unknown> {
    const channel = await this.#connected();
    if (channel === undefined) return undefined;
    const id = ++this.#last;
    return new Promise((resolve) => {
      const done = (value: unknown): void => {
        this.#waiting.delete(id);
        resolve(value);
      };
      this.#waiting.set(id, {
        take: (answer) => done(answer.type === "done" ? answer.value : undefined),
        lost: () => done(undefined),
      });
      channel.send({ id, type: "errand", errand });
    });
  }

  /** Undefined: there is nobody. */
  #connected(): Promise<Channel<Question, Answer> | undefined> {
    this.#channel ??= this.#connect();
    return this.#channel.catch(() => {
      this.#channel = undefined;
      return undefined;
    });
  }

  async #connect(): Promise<Channel<Question, Answer>> {
    const socket = await connectSoon(this.#path);
    // It holds no process: the server does.
    socket.unref();
    socket.once("close", () => {
      this.#channel = undefined;
      for (const waiting of this.#waiting.values()) waiting.lost();
    });
    return new Channel<Question, Answer>(socket, (answer) =>
      this.#waiting.get(answer.id)?.take(answer),
    );
  }
}

/** What waits for answers. */
interface Errands {
  readonly take: (answer: Answer) => void;
  readonly lost: () => void;
}

async function connectSoon(path: string): Promise<Socket> {
  const until = performance.now() + patienceMs;
  for (;;) {
    try {
      return await connectTo(path);
    } catch (error) {
      if (performance.now() > until) throw error;
      await delay(pauseMs);
    }
  }
}

function connectTo(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once("error", reject);
    socket.once("connect", () => {
      socket.off("error", reject);
      resolve(socket);
    });
  });
}
