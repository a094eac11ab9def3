import { clear, createStore, entries, promisifyRequest, type UseStore } from "idb-keyval";
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
  /** Why nothing is kept, and what to do. Undefined: all is well. */
  problem: string | undefined = undefined;

  constructor(name: string) {
    this.#name = name;
    this.#use = createStore(name, "kept");
  }

  /** Everything that is kept. */
  async read(): Promise<readonly Entry[]> {
    try {
      return await entries<(string | number)[], unknown>(this.#use);
    } catch (error) {
      this.#giveUp(error);
      return [];
    }
  }

  /** Keeps these and nothing else. */
  async replace(kept: readonly Entry[]): Promise<void> {
    if (this.problem !== undefined) return;
    try {
      await this.#use("readwrite", (store) => {
        store.clear();
        putInTurns(store, kept);
        return promisifyRequest(store.transaction);
      });
    } catch (error) {
      this.#giveUp(error);
      // What was kept before is of other fixtures. Where that fails too, it was said that nothing is kept.
      await clear(this.#use).catch(() => undefined);
    }
  }

  /** Writes changes: all of them, or none. */
  async write({ puts, removals }: KeptChanges): Promise<void> {
    if (this.problem !== undefined || (puts.length === 0 && removals.length === 0)) return;
    await this.#use("readwrite", (store) => {
      for (const key of removals) store.delete([...key]);
      putInTurns(store, puts);
      return promisifyRequest(store.transaction);
    });
  }

  #giveUp(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    this.problem =
      `The worker cannot use the browser's database "${this.#name}": ${reason} What requests change is in its memory only, ` +
      "and is lost when the browser ends it, which it does after half a minute without requests. Let the site store data, " +
      "or clear what it has stored.";
  }
}

/** Requests can be answered in between, and still it is one transaction. */
function putInTurns(store: IDBObjectStore, kept: readonly Entry[], from = 0): void {
  const to = Math.min(kept.length, from + entriesInTurn);
  for (const [place, [key, value]] of kept.slice(from, to).entries()) {
    const request = store.put(value, [...key]);
    if (place === to - from - 1 && to < kept.length) {
      request.addEventListener("success", () => putInTurns(store, kept, to));
    }
  }
}
