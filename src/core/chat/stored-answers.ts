import type { JsonObject } from "../schema/json.ts";

/** What a request asked to keep: an answer, or an item of one. */
export interface StoredAnswer {
  readonly kind: "completion" | "response" | "item";
  /** The object as the service shows it. */
  readonly body: JsonObject;
  /** What it answers, as the service shows it. An item has none. */
  readonly input: readonly JsonObject[];
}

/** How many answers and items a session keeps. Beyond this number, the oldest are forgotten. */
export const mostStored = 10_000;

/** The answers that were kept at one moment, oldest first. Immutable. */
export type StoredAnswersSnapshot = ReadonlyMap<string, StoredAnswer>;

/** The answers that a session keeps, by id. Forks and snapshots cost nothing until something is kept. */
export class StoredAnswers {
  /** What forks and snapshots have, too. */
  #shared: StoredAnswersSnapshot;
  /** From the first change on, until the next fork or snapshot. */
  #own: Map<string, StoredAnswer> | undefined;

  constructor(snapshot: StoredAnswersSnapshot = new Map()) {
    this.#shared = snapshot;
  }

  /** Undefined: none of this kind has the id. */
  get(kind: StoredAnswer["kind"], id: string): StoredAnswer | undefined {
    const found = this.#byId.get(id);
    return found?.kind === kind ? found : undefined;
  }

  /** Those of a kind, oldest first. */
  list(kind: StoredAnswer["kind"]): readonly StoredAnswer[] {
    return [...this.#byId.values()].filter((answer) => answer.kind === kind);
  }

  /** Keeps an answer as the newest, in place of one with its id. */
  keep(id: string, answer: StoredAnswer): void {
    const own = this.#changed();
    own.delete(id);
    own.set(id, answer);
    const [oldest] = own.keys();
    if (own.size > mostStored && oldest !== undefined) own.delete(oldest);
  }

  /** Changes an answer in its place. */
  change(id: string, answer: StoredAnswer): void {
    this.#changed().set(id, answer);
  }

  forget(id: string): void {
    this.#changed().delete(id);
  }

  snapshot(): StoredAnswersSnapshot {
    this.#shared = this.#byId;
    this.#own = undefined;
    return this.#shared;
  }

  restore(snapshot: StoredAnswersSnapshot): void {
    this.#shared = snapshot;
    this.#own = undefined;
  }

  fork(): StoredAnswers {
    return new StoredAnswers(this.snapshot());
  }

  get #byId(): StoredAnswersSnapshot {
    return this.#own ?? this.#shared;
  }

  /** The map that nobody else has. */
  #changed(): Map<string, StoredAnswer> {
    return (this.#own ??= new Map(this.#shared));
  }
}
