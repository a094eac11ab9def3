import type { Room } from "../chat/room.ts";
import { EmulatorError } from "../errors/emulator-error.ts";
import { fixedSize } from "../schema/json-size.ts";

/** What a state has besides rows: lists or maps of objects that do not change. */
export type Additions = readonly (readonly object[] | ReadonlyMap<string, object>)[];

/**
 * How many bytes an emulator's states and snapshots may take together for what was added while it ran, besides rows:
 * scripts, faults, recordings, models, vectors, the schemas of tables, and answers that requests asked to keep.
 */
export class AddedBudget implements Room {
  /** An upper bound of the bytes in use. Undefined: they have to be measured. */
  #used: number | undefined;
  readonly #limit: number;
  readonly #measure: () => number;

  /** `measure` gives the bytes in use now. */
  constructor(limit: number, measure: () => number) {
    this.#limit = limit;
    this.#measure = measure;
  }

  /** Measures again before the next addition. Called when a snapshot may have brought back what was removed. */
  recount(): void {
    this.#used = undefined;
  }

  /** Counts what is to be added. Throws `ERR_ADDED_FULL` where there is no room for it. */
  take(thing: object): void {
    this.takeAll([[thing]]);
  }

  takeAll(additions: Additions): void {
    const bytes = sizeOfAdded([additions], []);
    // Removals are not counted: a new measurement notices them.
    if (this.#used === undefined || this.#used + bytes > this.#limit) this.#used = this.#measure();
    if (this.#used + bytes > this.#limit) throw addedFull(bytes, this.#used, this.#limit);
    this.#used += bytes;
  }
}

function addedFull(bytes: number, used: number, limit: number): EmulatorError {
  return new EmulatorError(
    "ERR_ADDED_FULL",
    `Cannot add ${bytes} bytes: the scripts, faults, recordings and kept answers that were added take ${used} of ` +
      `${limit} bytes, in all sessions and snapshots together. Remove some, reset, or raise addedLimit.`,
  );
}

/** The bytes of what some states have beyond the fixtures. What several states share counts once. */
export function sizeOfAdded(all: Iterable<Additions>, fixtures: Additions): number {
  const seen = new Set<object>(fixtures.flatMap((list) => [list, ...list.values()]));
  let size = 0;
  for (const additions of all) {
    for (const list of additions) {
      // Most sessions share the lists of the fixtures.
      if (seen.has(list)) continue;
      seen.add(list);
      for (const thing of list.values()) {
        if (!seen.has(thing)) size += fixedSize(thing);
        seen.add(thing);
      }
    }
  }
  return size;
}
