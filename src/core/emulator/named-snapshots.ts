import { invalidOption } from "../errors/emulator-error.ts";
import { didYouMean, showText } from "../errors/show.ts";
import type { Snapshot } from "./state.ts";

/** A limit, since each snapshot keeps rows alive that have changed since. */
const mostSnapshots = 100;

const longestName = 200;

/** A named snapshot. */
export interface NamedSnapshot {
  readonly name: string;
  /** When the snapshot was taken, in Unix time in milliseconds. */
  readonly at: number;
  readonly snapshot: Snapshot;
}

/** The named snapshots, which all sessions of an emulator share. */
export class NamedSnapshots {
  readonly #now: () => number;
  readonly #released: () => void;
  /** Oldest first. */
  readonly #kept: Map<string, NamedSnapshot> = new Map();

  /** `now` is the emulator's clock, in Unix time in milliseconds. `released` is called when a snapshot is dropped. */
  constructor(now: () => number, released: () => void) {
    this.#now = now;
    this.#released = released;
  }

  /** Keeps a snapshot under a name, in place of any snapshot of that name. Throws `ERR_OPTION_INVALID`. */
  keep(name: string, take: () => Snapshot): Snapshot {
    const problem = this.#problemWith(name);
    if (problem !== undefined) {
      throw invalidOption(`Cannot keep the snapshot ${problem}`);
    }
    const snapshot = take();
    this.delete(name);
    this.#kept.set(name, { name, at: this.#now(), snapshot });
    return snapshot;
  }

  /** Keeps a snapshot of the previous fixtures, after these were loaded again. */
  adopt(kept: NamedSnapshot): void {
    this.#kept.set(kept.name, kept);
  }

  /** The snapshot of a name. Throws `ERR_OPTION_INVALID` with the nearest name when there is none. */
  get(name: string): Snapshot {
    const kept = this.#kept.get(name);
    if (kept !== undefined) return kept.snapshot;
    throw invalidOption(
      `Cannot use the snapshot ${showText(name)}: there is none of that name.` +
        `${didYouMean(name, this.#kept.keys())} Loading fixtures with other tables removes all snapshots.`,
    );
  }

  /** Oldest first. */
  list(): readonly NamedSnapshot[] {
    return [...this.#kept.values()];
  }

  /** Removes a snapshot. False when there is none of that name. */
  delete(name: string): boolean {
    this.#released();
    return this.#kept.delete(name);
  }

  #problemWith(name: string): string | undefined {
    const problem = problemWithName(name);
    if (problem !== undefined) return problem;
    if (this.#kept.has(name) || this.#kept.size < mostSnapshots) return undefined;
    return `${showText(name)}: there are already ${mostSnapshots}, the maximum. Remove one that you no longer need.`;
  }
}

function problemWithName(name: unknown): string | undefined {
  if (typeof name !== "string" || name === "" || name.length > longestName) {
    const shown = typeof name === "string" ? showText(name) : String(name);
    return `${shown}: a name is a text of 1 to ${longestName} characters.`;
  }
  // No URL can contain these: clients resolve the dots as folders.
  const isImpossibleInUrl = name === "." || name === ".." || /[\p{Cc}\p{Cs}]/u.test(name);
  if (!isImpossibleInUrl) return undefined;
  return `${showText(name)}: a name has no control characters or lone surrogates, and is not "." or "..".`;
}
