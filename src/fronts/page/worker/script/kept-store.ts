import { clear, createStore, entries, promisifyRequest, type UseStore } from "idb-keyval";
import type { KeptChanges, KeptKey } from "./keeper.ts";

/** The number of entries per turn of the event loop: cloning rows takes time, and other work must run in between. */
const entriesInTurn = 16;

type Entry = readonly [key: KeptKey, value: unknown];

/**
 * A worker's state, saved in the browser's database so that it survives the worker. If the database cannot be used,
 * nothing is saved, and `problem` says why.
 */
export class KeptStore {
  readonly #name: string;
  readonly #use: UseStore;
  /** Why nothing is saved, and what to do. Undefined: there is no problem. */
  problem: string | undefined = undefined;

  constructor(name: string) {
    this.#name = name;
    this.#use = createStore(name, "kept");
  }

  /** Everything that is saved. */
  async read(): Promise<readonly Entry[]> {
    try {
      return await entries<(string | number)[], unknown>(this.#use);
    } catch (error) {
      this.#giveUp(error);
      return [];
    }
  }

  /** Saves these entries, and removes all others. */
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
      // The saved state belongs to other fixtures. If clearing it fails too, the page already knows that nothing is
      // saved.
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
      `The worker cannot use the browser's database "${this.#name}": ${reason} Changes by requests are only in its memory, ` +
      "and are lost when the browser ends it, after half a minute without requests. Let the site store data, " +
      "or clear its stored data.";
  }
}

/**
 * Writes entries in several turns of the event loop, so that requests can be answered in between. All of them are one
 * transaction.
 */
function putInTurns(store: IDBObjectStore, kept: readonly Entry[], from = 0): void {
  const to = Math.min(kept.length, from + entriesInTurn);
  for (const [place, [key, value]] of kept.slice(from, to).entries()) {
    const request = store.put(value, [...key]);
    if (place === to - from - 1 && to < kept.length) {
      request.addEventListener("success", () => putInTurns(store, kept, to));
    }
  }
}
