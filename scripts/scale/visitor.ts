import { setTimeout as delay } from "node:timers/promises";

/** How long a visitor tries again when its process is not there, in milliseconds. */
const graceMs = 60_000;
const pauseMs = 50;

/** What a session has in it. */
export interface SessionState {
  /** The texts of its rows. */
  readonly notes: readonly string[];
  /** How often its script has answered. */
  readonly chats: number;
  readonly requests: number;
  readonly beganAt: number;
}

/** A client with a session of its own, which it names by a header or in the path. */
export class Visitor {
  readonly id: string;
  readonly #base: string;
  readonly #headers: Readonly<Record<string, string>>;
  /** Texts of the rows that were stored, as the replies said. */
  readonly notes: string[] = [];
  /** What chat said. */
  readonly replies: string[] = [];
  /** How many requests got no answer of Backlot, and were sent again. */
  retries = 0;

  constructor(id: string, url: string, names: "header" | "path") {
    this.id = id;
    this.#base = names === "path" ? `${url}/@${id}` : url;
    this.#headers = names === "header" ? { "x-backlot-session": id } : {};
  }

  /** Stores a row and talks to chat. */
  async visit(note: string): Promise<void> {
    await this.#ask("/rest/notes", "local-token", { text: note });
    this.notes.push(note);
    const messages = [{ role: "user", content: "how many?" }];
    const body = { model: "any", messages };
    const { choices } = await this.#ask("/v1/chat/completions", "any-key", body);
    this.replies.push(String(choices[0].message.content));
  }

  async look(): Promise<SessionState> {
    const { tables, state } = await this.#ask("/__backlot/state");
    const { beganAt, requests } = await this.#ask("/__backlot/requests");
    return {
      notes: tables.notes.rows.map(({ text }: { readonly text: string }) => text),
      chats: state.matches.count ?? 0,
      requests: requests.length,
      beganAt: Date.parse(beganAt),
    };
  }

  /** Sent again while there is no answer of a Backlot process. */
  async #ask(path: string, key?: string, body?: object): Promise<ReturnType<typeof JSON.parse>> {
    const until = performance.now() + graceMs;
    for (;;) {
      const response = await fetch(`${this.#base}${path}`, {
        headers: {
          ...this.#headers,
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
      }).catch(() => undefined);
      if (response?.ok === true) {
        const answered = await response.json().catch(() => undefined);
        if (answered !== undefined) return answered;
      } else if (response !== undefined && response.status !== 502) {
        throw new Error(`${path} of ${this.id}: ${response.status} ${await response.text()}`);
      }
      if (performance.now() > until) throw new Error(`${path} of ${this.id}: no answer.`);
      this.retries++;
      await delay(pauseMs);
    }
  }
}
