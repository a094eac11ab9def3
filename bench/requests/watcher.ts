/** One who watches the requests of a server, and counts what it is told. */
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";

/** What a watcher was told so far. */
export interface Told {
  /** Requests that are over. */
  readonly ended: number;
  /** Events that it is said to have missed. */
  readonly missed: number;
}

/** Longer than the events of a batch take to arrive. */
const longestWaitMs = 5000;

export class Watcher {
  #ended = 0;
  #missed = 0;
  /** The beginning of an event whose end has not come. */
  #rest = "";

  /** Watches, once the server has said so. */
  static async start(url: string): Promise<Watcher> {
    const [response]: IncomingMessage[] = await once(get(url), "response");
    if (response?.statusCode !== 200) throw new Error(`${url} answers ${response?.statusCode}.`);
    const watcher = new Watcher();
    response.setEncoding("latin1").on("data", (text: string) => watcher.#read(text));
    return watcher;
  }

  #read(text: string): void {
    const events = (this.#rest + text).split("\n\n");
    this.#rest = events.pop() ?? "";
    for (const event of events) {
      if (event.startsWith("event: request\nid: ")) this.#ended++;
      const [, missed] = /^event: missed\ndata: \{"count":(\d+)\}/.exec(event) ?? [];
      this.#missed += Number(missed ?? 0);
    }
  }

  /** What it was told when it has heard of so many requests, or of no more for some time. */
  async told(ended: number): Promise<Told> {
    const end = performance.now() + longestWaitMs;
    while (this.#ended < ended && performance.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return { ended: this.#ended, missed: this.#missed };
  }
}
