import type { Page } from "playwright-core";
import { type FetchMessage, fromBase64, toBase64 } from "./page/messages.ts";

interface Waiting {
  readonly method: string;
  readonly resolve: (response: Response) => void;
  readonly reject: (error: unknown) => void;
  body?: ReadableStreamDefaultController<Uint8Array>;
}

/** The fetch of a page, for code outside of it: it makes the request there, and gives on what comes as it comes. */
export class RemoteFetch {
  readonly #page: Page;
  readonly #waiting = new Map<number, Waiting>();
  #count = 0;

  constructor(page: Page) {
    this.#page = page;
  }

  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    const signal = init?.signal ?? request.signal;
    signal.throwIfAborted();
    const id = ++this.#count;
    const { url, method } = request;
    const bytes = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer());
    const body = bytes && toBase64(bytes);
    const answer = new Promise<Response>((resolve, reject) => {
      this.#waiting.set(id, { method, resolve, reject });
    });
    signal.addEventListener("abort", () => {
      void this.#page.evaluate((which) => globalThis.remote?.abort(which), id);
    });
    const sent = { id, url, method, headers: [...request.headers], body };
    await this.#page.evaluate((asked) => globalThis.remote?.send(asked), sent);
    return answer;
  };

  /** Takes what the page tells of a request. */
  hear(message: FetchMessage): void {
    const waiting = this.#waiting.get(message.id);
    if (waiting === undefined) return;
    if (message.kind === "head") return this.#answer(message.id, waiting, message.head);
    if (message.kind === "chunk") return waiting.body?.enqueue(fromBase64(message.bytes));
    this.#waiting.delete(message.id);
    if (message.kind === "end") return waiting.body?.close();
    const error = errorLike(message);
    if (waiting.body === undefined) waiting.reject(error);
    else waiting.body.error(error);
  }

  #answer(
    id: number,
    waiting: Waiting,
    { status, headers }: { status: number; headers: readonly (readonly [string, string])[] },
  ): void {
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => {
        waiting.body = controller;
      },
      cancel: async () => {
        this.#waiting.delete(id);
        await this.#page.evaluate((which) => globalThis.remote?.cancel(which), id);
      },
    });
    const isBodyless = [101, 204, 205, 304].includes(status) || waiting.method === "HEAD";
    const init = {
      status,
      headers: headers.map(([name, value]): [string, string] => [name, value]),
    };
    waiting.resolve(new Response(isBodyless ? null : stream, init));
  }
}

/** The error that the page's fetch failed with, as far as tests look at it. */
function errorLike({ name, message }: { name: string; message: string }): Error {
  if (name === "TypeError") return new TypeError(message);
  return new DOMException(message, name);
}
