import type { JsonObject } from "../schema/json.ts";
import { anyRoom, type Room } from "./room.ts";
import { fixedSize } from "../schema/json-size.ts";

/** What a request asked to keep: an answer, or an item of one. */
export interface StoredAnswer {
  readonly kind: "completion" | "response" | "item";
  /** The object as the service shows it. */
  readonly body: JsonObject;
  /** The input that was answered, as the service shows it. Empty for an item. */
  readonly input: readonly JsonObject[];
}

/**
 * The most answers and items that a session keeps. Beyond this number, or about `mostStoredBytes`, the oldest are
 * forgotten.
 */
export const mostStored = 10_000;
export const mostStoredBytes = 10_000_000;

/** The stored answers at one moment, oldest first. Immutable. */
export type StoredAnswersSnapshot = ReadonlyMap<string, StoredAnswer>;

/** The answers that a session keeps, by id. Forks and snapshots cost nothing until something is kept. */
export class StoredAnswers {
  /** The answers that forks and snapshots share. */
  #shared: StoredAnswersSnapshot;
  /** The answers since the first change after a fork or snapshot. Undefined: nothing has changed. */
  #own: Map<string, StoredAnswer> | undefined;
  /** The bytes of all answers. Undefined: they have to be counted. */
  #bytes: number | undefined;
  readonly #room: Room;

  constructor(snapshot: StoredAnswersSnapshot = new Map(), room: Room = anyRoom) {
    this.#shared = snapshot;
    this.#room = room;
  }

  /** The answer with this id. Undefined: none of this kind has it. */
  get(kind: StoredAnswer["kind"], id: string): StoredAnswer | undefined {
    const found = this.#byId.get(id);
    return found?.kind === kind ? found : undefined;
  }

  /** The answers of a kind, oldest first. */
  list(kind: StoredAnswer["kind"]): readonly StoredAnswer[] {
    return [...this.#byId.values()].filter((answer) => answer.kind === kind);
  }

  /** Keeps an answer as the newest and drops an earlier one with the same id. Throws if there is no room for it. */
  keep(id: string, answer: StoredAnswer): void {
    this.#room.take(answer);
    this.forget(id);
    this.#set(id, answer);
    for (const oldest of this.#byId.keys()) {
      if (!this.#isFull || oldest === id) return;
      this.forget(oldest);
    }
  }

  /** Replaces an answer without changing the order. Throws if there is no room for it. */
  change(id: string, answer: StoredAnswer): void {
    this.#room.take(answer);
    this.#set(id, answer);
  }

  forget(id: string): void {
    const own = this.#changed();
    this.#bytes = this.#size - sizeOf(own.get(id));
    own.delete(id);
  }

  #set(id: string, answer: StoredAnswer): void {
    const own = this.#changed();
    this.#bytes = this.#size + fixedSize(answer) - sizeOf(own.get(id));
    own.set(id, answer);
  }

  get #isFull(): boolean {
    return this.#byId.size > mostStored || this.#size > mostStoredBytes;
  }

  get #size(): number {
    return (this.#bytes ??= [...this.#byId.values()].reduce((sum, one) => sum + sizeOf(one), 0));
  }

  /** The answers now. The map may change later, unlike a snapshot. */
  peek(): StoredAnswersSnapshot {
    return this.#byId;
  }

  snapshot(): StoredAnswersSnapshot {
    this.#shared = this.#byId;
    this.#own = undefined;
    return this.#shared;
  }

  restore(snapshot: StoredAnswersSnapshot): void {
    this.#shared = snapshot;
    this.#own = undefined;
    this.#bytes = undefined;
  }

  fork(): StoredAnswers {
    return new StoredAnswers(this.snapshot(), this.#room);
  }

  get #byId(): StoredAnswersSnapshot {
    return this.#own ?? this.#shared;
  }

  /** The map to change, copied from the shared one before the first change. */
  #changed(): Map<string, StoredAnswer> {
    return (this.#own ??= new Map(this.#shared));
  }
}

function sizeOf(answer: StoredAnswer | undefined): number {
  return answer === undefined ? 0 : fixedSize(answer);
}
