/** A client that sees what SDKs hide: how a reply ended, and what of it came before. */
import { Agent, type IncomingMessage, request } from "node:http";
import { token } from "./fixtures.ts";

export interface Ask {
  readonly method: string;
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly key?: string;
  /** Goes away once so much text came, in the middle of a stream. */
  readonly leaveAfter?: number;
  /** Goes away when nothing has come for so many milliseconds. Default: 30 s, which counts as `silent`, too. */
  readonly graceMs?: number;
}

export interface Answer {
  /** 0 where not even a status came. */
  readonly status: number;
  readonly text: string;
  /** `left`: we went away on purpose; `silent`: since nothing came any more; `broken`: the server broke off. */
  readonly end: "whole" | "broken" | "left" | "silent";
}

const longPatienceMs = 30_000;

export class Client {
  readonly #agent: Agent = new Agent({ keepAlive: true });
  readonly #port: number;
  #requests = 0;

  constructor(port: number) {
    this.#port = port;
  }

  /** How many were asked so far. */
  get requests(): number {
    return this.#requests;
  }

  /** Resolves however the reply ends; it never rejects. */
  ask(ask: Ask): Promise<Answer> {
    const { method, path, body, key = token, leaveAfter = Infinity } = ask;
    const { graceMs = longPatienceMs } = ask;
    this.#requests += 1;
    const sent = body === undefined ? undefined : JSON.stringify(body);
    return new Promise((resolve) => {
      let status = 0;
      const texts: string[] = [];
      let length = 0;
      const finish = (end: Answer["end"]): void => {
        clearTimeout(timer);
        if (end !== "whole") call.destroy();
        resolve({ status, text: texts.join(""), end });
      };
      const timer = setTimeout(() => finish("silent"), graceMs);
      const read = (reply: IncomingMessage): void => {
        status = reply.statusCode ?? 0;
        reply.setEncoding("utf8");
        reply.on("data", (text: string) => {
          timer.refresh();
          texts.push(text);
          length += text.length;
          if (length > leaveAfter) finish("left");
        });
        reply.on("end", () => finish("whole"));
        reply.on("error", () => finish("broken"));
      };
      const headers = {
        authorization: `Bearer ${key}`,
        ...(sent === undefined
          ? {}
          : { "content-type": "application/json", "content-length": Buffer.byteLength(sent) }),
      };
      const call = request(
        { host: "127.0.0.1", port: this.#port, agent: this.#agent, method, path, headers },
        read,
      );
      call.on("error", () => finish("broken"));
      call.end(sent);
    });
  }

  /** Closes all connections. */
  close(): void {
    this.#agent.destroy();
  }
}
