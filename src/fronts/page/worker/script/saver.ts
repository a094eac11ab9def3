import type { Keeper } from "../../../../core/emulator/kept-state.ts";
import type { KeptStore } from "./kept-store.ts";

/** Saves what changed: soon after the answer, and once for all that changed until then. */
export class Saver {
  readonly #keeper: Keeper;
  readonly #store: KeptStore;
  readonly #failed: (error: unknown) => void;
  #underway: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #isStopped = false;

  // oxlint-disable-next-line max-params
  constructor(keeper: Keeper, store: KeptStore, failed: (error: unknown) => void) {
    this.#keeper = keeper;
    this.#store = store;
    this.#failed = failed;
  }

  /** Resolves once all that has changed by now is saved; it never rejects. */
  save(): Promise<void> {
    if (this.#next === undefined && !this.#keeper.isTouched) return this.#underway;
    this.#next ??= this.#underway.then(turn).then(() => {
      this.#next = undefined;
      this.#underway = this.#write();
      return this.#underway;
    });
    return this.#next;
  }

  /** Saves nothing any more. Resolves once what is being saved is. */
  stop(): Promise<void> {
    this.#isStopped = true;
    return this.#underway;
  }

  async #write(): Promise<void> {
    if (this.#isStopped) return;
    try {
      await this.#store.write(await this.#keeper.changes());
    } catch (error) {
      this.#failed(error);
    }
  }
}

/** Lets the answer go first. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}
