import type { RandomSource } from "../../src/core/emulator/environment.ts";
import type { Answer, Ask, Client } from "./client.ts";

/** One of those who load the server: alone in its session, so it knows what has to be there. */
export class Visitor {
  readonly #name: string;
  readonly #client: Client;
  readonly #random: RandomSource;
  #session: string = "";
  #sessions = 0;
  /** Rows that were added, by key, and not yet deleted. */
  readonly added: number[] = [];
  /** Whether the counted script answers with its error next. */
  isBusyNext: boolean = true;

  constructor(name: string, client: Client, random: RandomSource) {
    this.#name = name;
    this.#client = client;
    this.#random = random;
    this.move();
  }

  get session(): string {
    return this.#session;
  }

  /** Goes on in a session that nobody had before; what was the old one is left to be forgotten. */
  move(): void {
    this.#sessions += 1;
    this.#session = `${this.#name}-${this.#sessions}`;
    this.forget();
  }

  /** Knows that the session is as at its beginning. */
  forget(): void {
    this.added.length = 0;
    this.isBusyNext = true;
  }

  /** A whole number from 0 up to but not including `limit`. */
  below(limit: number): number {
    return Math.floor(this.#random.next() * limit);
  }

  pick<Value>(values: readonly Value[]): Value {
    const value = values[this.below(values.length)];
    if (value === undefined) throw new Error("There is nothing to pick from.");
    return value;
  }

  /** Asks in the session. */
  ask(ask: Ask): Promise<Answer> {
    return this.#client.ask({ ...ask, path: `/@${this.#session}${ask.path}` });
  }

  /** Asks in the base session. */
  askBase(ask: Ask): Promise<Answer> {
    return this.#client.ask(ask);
  }
}
