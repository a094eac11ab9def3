import { createStore, promisifyRequest, type UseStore } from "idb-keyval";
import type { KeptChanges, KeptKey } from "../../../../core/emulator/kept-state.ts";

/** So many entries are written before others have a turn: cloning rows is what takes time. */
const entriesInTurn = 16;

type Entry = readonly [key: KeptKey, value: unknown];

/**
 * What a worker keeps in the browser's database: it is there again when the worker was ended and is started again. Where
 * the database cannot be used nothing is kept, and `problem` says why.
 */
export class KeptStore {
  readonly #name: string;
  readonly #use: UseStore;
  #problem: string | undefined;

  constructor(name: string) {
    this.#name = name;
    this.#use = createStore(name, "kept");
  }

  /** Why nothing is kept, and what to do. Undefined: all is well. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Everything that is kept. */
  async read(): Promise<readonly Entry[]> {
    try {
      return await this.#use("readonly", readAll);
    } catch (error) {
      this.#giveUp(error);
      return [];
    }
  }

  /** Keeps these and nothing else. */
  async replace(entries: readonly Entry[]): Promise<void> {
    if (this.#problem !== undefined) return;
    try {
      await this.#use("readwrite", (store) => {
        store.clear();
        putInTurns(store, entries);
        return promisifyRequest(store.transaction);
      });
    } catch (error) {
      this.#giveUp(error);
      await this.#clear();
    }
  }

  /** Writes changes: all of them, or none. */
  async write({ puts, removals }: KeptChanges): Promise<void> {
    if (this.#problem !== undefined || (puts.length === 0 && removals.length === 0)) return;
    await this.#use("readwrite", (store) => {
      for (const key of removals) store.delete([...key]);
      putInTurns(store, puts);
      return promisifyRequest(store.transaction);
    });
  }

  /** What was kept before is of other fixtures. */
  async #clear(): Promise<void> {
    try {
      await this.#use("readwrite", (store) => promisifyRequest(store.clear()));
    } catch {
      // It was said that nothing is kept.
    }
  }

  #giveUp(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    this.#problem =
      `The worker cannot use the browser's database "${this.#name}": ${reason} What requests change is in its memory only, ` +
      "and is lost when the browser ends it, which it does after half a minute without requests. Let the site store data, " +
      "or clear what it has stored.";
  }
}

async function readAll(store: IDBObjectStore): Promise<readonly Entry[]> {
  const [keys, values] = await Promise.all([
    promisifyRequest(store.getAllKeys()),
    promisifyRequest(store.getAll()),
  ]);
  // Only keys of this kind are written.
  return keys.map((key, at) => [key as (string | number)[], values[at]] as const);
}

/** Requests can be answered in between, and still it is one transaction. */
function putInTurns(store: IDBObjectStore, entries: readonly Entry[], from = 0): void {
  const to = Math.min(entries.length, from + entriesInTurn);
  for (const [place, [key, value]] of entries.slice(from, to).entries()) {
    const request = store.put(value, [...key]);
    if (place === to - from - 1 && to < entries.length) {
      request.addEventListener("success", () => putInTurns(store, entries, to));
    }
  }
}
