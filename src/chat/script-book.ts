import { EmulatorError } from "../errors/emulator-error.ts";
import type { Script } from "./script.ts";

/** The scripts and their counters as they were at one moment. Never changed. */
export interface ScriptBookSnapshot {
  readonly scripts: readonly Script[];
  /** How many requests each script has answered, by name; scripts that answered none are absent. */
  readonly matches: ReadonlyMap<string, number>;
}

/** The scripts in the order in which they are tried, and how often each has answered. */
export class ScriptBook {
  /** Replaced, never changed, since snapshots share it. */
  #scripts: readonly Script[];
  #matches = new Map<string, number>();
  /** Whether a snapshot has the counters too, so that they have to be copied before they change. */
  #matchesShared = false;

  /** Throws `ERR_SCRIPT_REFUSED` for a name that is there twice. */
  constructor(scripts: readonly Script[]) {
    const names = new Set<string>();
    for (const { name } of scripts) {
      if (names.has(name)) throw nameTaken(name);
      names.add(name);
    }
    this.#scripts = scripts;
  }

  /** How many requests a script has answered. */
  matchesOf({ name }: Script): number {
    return this.#matches.get(name) ?? 0;
  }

  /** Counts a request that a script answers. */
  count(script: Script): void {
    const matches = this.matchesOf(script) + 1;
    this.#ownMatches().set(script.name, matches);
  }

  /** Puts a script before all others. Throws `ERR_SCRIPT_REFUSED` when its name is taken. */
  add(script: Script): void {
    if (this.#scripts.some(({ name }) => name === script.name)) throw nameTaken(script.name);
    this.#scripts = [script, ...this.#scripts];
  }

  /** Takes a script out, with its count. False when there is none of that name. */
  remove(name: string): boolean {
    const others = this.#scripts.filter((script) => script.name !== name);
    if (others.length === this.#scripts.length) return false;
    this.#scripts = others;
    this.#ownMatches().delete(name);
    return true;
  }

  /** The scripts in the order in which they are tried. */
  list(): readonly Script[] {
    return this.#scripts;
  }

  /** All of it at this moment, in O(1). */
  snapshot(): ScriptBookSnapshot {
    this.#matchesShared = true;
    return { scripts: this.#scripts, matches: this.#matches };
  }

  /** Goes back to a snapshot, of this book or another. */
  restore(snapshot: ScriptBookSnapshot): void {
    this.#scripts = snapshot.scripts;
    this.#matches = new Map(snapshot.matches);
    this.#matchesShared = false;
  }

  #ownMatches(): Map<string, number> {
    if (this.#matchesShared) this.#matches = new Map(this.#matches);
    this.#matchesShared = false;
    return this.#matches;
  }
}

function nameTaken(name: string): EmulatorError {
  return new EmulatorError(
    "ERR_SCRIPT_REFUSED",
    `Cannot add the script "${name}": another one has that name. Choose another name.`,
  );
}
