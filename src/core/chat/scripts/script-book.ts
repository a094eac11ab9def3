import { EmulatorError } from "../../errors/emulator-error.ts";
import { MatchCounts } from "./match-counts.ts";
import { ScriptList } from "./script-list.ts";
import type { Script } from "./script.ts";

/** The scripts and their counters as they were at one moment. Never changed. */
export interface ScriptBookSnapshot {
  readonly scripts: ScriptList;
  readonly matches: MatchCounts;
}

/** The scripts in the order in which they are tried, and how often each has answered. */
export class ScriptBook {
  #scripts: ScriptList;
  #matches: MatchCounts;

  constructor({ scripts, matches }: ScriptBookSnapshot) {
    this.#scripts = scripts;
    this.#matches = matches.fork();
  }

  /** A book of scripts that have answered nothing yet. Throws `ERR_SCRIPT_REFUSED` for a name that is there twice. */
  static of(scripts: readonly Script[]): ScriptBook {
    const names = new Set<string>();
    for (const { name } of scripts) {
      if (names.has(name)) throw nameTaken(name);
      names.add(name);
    }
    return new ScriptBook({ scripts: ScriptList.of(scripts), matches: new MatchCounts() });
  }

  /** A book of its own that stands where this one does. */
  fork(): ScriptBook {
    return new ScriptBook(this.snapshot());
  }

  /** How many requests a script has answered. */
  matchesOf({ name }: Script): number {
    return this.#matches.of(name);
  }

  /** Counts a request that a script answers. */
  count(script: Script): void {
    this.#matches.add(script.name);
  }

  /** Puts a script before all others. Throws `ERR_SCRIPT_REFUSED` when its name is taken. */
  add(script: Script): void {
    if (this.#scripts.has(script.name)) throw nameTaken(script.name);
    this.#scripts = this.#scripts.withFirst(script);
  }

  /** Takes a script out, with its count. False when there is none of that name. */
  remove(name: string): boolean {
    if (!this.#scripts.has(name)) return false;
    this.#scripts = this.#scripts.without(name);
    this.#matches.forget(name);
    return true;
  }

  /** The scripts in the order in which they are tried. */
  list(): readonly Script[] {
    return this.#scripts.all;
  }

  /** The same, with what has changed apart from what has not. */
  get layers(): ScriptList {
    return this.#scripts;
  }

  /** All of it at this moment, in O(1). The first count after it copies a sixty-fourth of the counters. */
  snapshot(): ScriptBookSnapshot {
    return { scripts: this.#scripts, matches: this.#matches.fork() };
  }

  /** Goes back to a snapshot, of this book or another, in O(1). */
  restore({ scripts, matches }: ScriptBookSnapshot): void {
    this.#scripts = scripts;
    this.#matches = matches.fork();
  }
}

function nameTaken(name: string): EmulatorError {
  return new EmulatorError(
    "ERR_SCRIPT_REFUSED",
    `Cannot add the script "${name}": another one has that name. Choose another name.`,
  );
}
