import { EmulatorError } from "../errors/emulator-error.ts";
import { didYouMean } from "../errors/nearest-name.ts";
import { showText } from "../errors/show.ts";
import type { Snapshot } from "./state.ts";

/** Each holds on to the rows that were changed since. */
const mostSnapshots = 100;

const longestName = 200;

/** A snapshot under a name. */
export interface NamedSnapshot {
  readonly name: string;
  /** When it was taken, in Unix time in milliseconds. */
  readonly at: number;
  readonly snapshot: Snapshot;
}

/** The snapshots that have a name, which all sessions of an emulator share. */
export class NamedSnapshots {
  readonly #now: () => number;
  /** In the order in which they were taken. */
  readonly #kept: Map<string, NamedSnapshot> = new Map();

  /** Takes the emulator's clock, in milliseconds of Unix time. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Keeps what is taken under a name, in place of one that has it. Throws `ERR_OPTION_INVALID`. */
  keep(name: string, take: () => Snapshot): Snapshot {
    const problem = this.#problemWith(name);
    if (problem !== undefined) {
      throw new EmulatorError("ERR_OPTION_INVALID", `Cannot keep the snapshot ${problem}`);
    }
    const snapshot = take();
    this.#kept.delete(name);
    this.#kept.set(name, { name, at: this.#now(), snapshot });
    return snapshot;
  }

  /** The snapshot of a name. Throws `ERR_OPTION_INVALID`, with the nearest name, when there is none. */
  get(name: string): Snapshot {
    const kept = this.#kept.get(name);
    if (kept !== undefined) return kept.snapshot;
    throw new EmulatorError(
      "ERR_OPTION_INVALID",
      `Cannot use the snapshot ${showText(name)}: there is none of that name.` +
        `${didYouMean(name, this.#kept.keys())} Snapshots are gone when fixtures are loaded anew.`,
    );
  }

  /** In the order in which they were taken. */
  list(): readonly NamedSnapshot[] {
    return [...this.#kept.values()];
  }

  /** Forgets a snapshot. False when there is none of that name. */
  delete(name: string): boolean {
    return this.#kept.delete(name);
  }

  #problemWith(name: string): string | undefined {
    const problem = problemWithName(name);
    if (problem !== undefined) return problem;
    if (this.#kept.has(name) || this.#kept.size < mostSnapshots) return undefined;
    return `${showText(name)}: there are ${mostSnapshots} already, which is the most. Remove one that is not needed any more.`;
  }
}

function problemWithName(name: unknown): string | undefined {
  if (typeof name !== "string" || name === "" || name.length > longestName) {
    const shown = typeof name === "string" ? showText(name) : String(name);
    return `${shown}: a name is a text of 1 to ${longestName} characters.`;
  }
  // No URL can have these: clients take the dots for a folder.
  const isUnsayable = name === "." || name === ".." || /[\p{Cc}\p{Cs}]/u.test(name);
  if (!isUnsayable) return undefined;
  return `${showText(name)}: a name has no control characters and no halves of characters, and is not "." or "..".`;
}
