import { createStore, promisifyRequest, type UseStore } from "idb-keyval";
import type { KeptChanges, KeptKey } from "../../emulator/kept/keeper.ts";

/** So many entries are written before others have a turn: cloning rows is what takes time. */
const entriesInTurn = 16;

type Entry = readonly [key: KeptKey, value: unknown];

/** What a worker keeps in the browser's database: it is there again when the worker was ended and is started again. */
export class KeptStore {
  readonly #use: UseStore;

  constructor(name: string) {
    this.#use = createStore(name, "kept");
  }

  /** Everything that is kept. */
  async read(): Promise<readonly Entry[]> {
    return this.#use("readonly", async (store) => {
      const [keys, values] = await Promise.all([
        promisifyRequest(store.getAllKeys()),
        promisifyRequest(store.getAll()),
      ]);
      // Only keys of this kind are written.
      return keys.map((key, at) => [key as (string | number)[], values[at]] as const);
    });
  }

  /** Keeps these and nothing else. */
  async replace(entries: readonly Entry[]): Promise<void> {
    await this.#use("readwrite", (store) => {
      store.clear();
      putInTurns(store, entries);
      return promisifyRequest(store.transaction);
    });
  }

  /** Writes changes: all of them, or none. */
  async write({ puts, removals }: KeptChanges): Promise<void> {
    if (puts.length === 0 && removals.length === 0) return;
    await this.#use("readwrite", (store) => {
      for (const key of removals) store.delete([...key]);
      putInTurns(store, puts);
      return promisifyRequest(store.transaction);
    });
  }
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
