import { EmulatorError } from "../../errors/emulator-error.ts";
import { anyRoom, type Room } from "../room.ts";
import type { Script } from "./script.ts";

/** The scripts and their counters at one moment. Immutable. */
export interface ScriptBookSnapshot {
  /** The scripts in matching order. */
  readonly scripts: readonly Script[];
  readonly matches: MatchCounts;
}

/** The scripts in matching order, and how often each has answered. */
export class ScriptBook {
  #scripts: readonly Script[];
  #matches: MatchCounts;

  constructor({ scripts, matches }: ScriptBookSnapshot) {
    this.#scripts = scripts;
    this.#matches = matches.fork();
  }

  /** A book whose scripts have answered nothing yet. Throws `ERR_SCRIPT_REFUSED` for a duplicate name. */
  static of(scripts: readonly Script[]): ScriptBook {
    const names = new Set<string>();
    for (const { name } of scripts) {
      if (names.has(name)) throw nameTaken(name);
      names.add(name);
    }
    return new ScriptBook({ scripts, matches: new MatchCounts() });
  }

  /** An independent book with the same state. */
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

  /**
   * Adds a script before all others. Throws `ERR_SCRIPT_REFUSED` when its name is taken, and what `room` throws when
   * there is no room.
   */
  add(script: Script, room: Room = anyRoom): void {
    if (this.#has(script.name)) throw nameTaken(script.name);
    room.take(script);
    this.#scripts = [script, ...this.#scripts];
  }

  /** Removes a script and its count. False if no script has that name. */
  remove(name: string): boolean {
    if (!this.#has(name)) return false;
    this.#scripts = this.#scripts.filter((script) => script.name !== name);
    this.#matches.forget(name);
    return true;
  }

  /** The scripts in matching order. */
  list(): readonly Script[] {
    return this.#scripts;
  }

  #has(name: string): boolean {
    return this.#scripts.some((script) => script.name === name);
  }

  /** A snapshot. Its cost grows with the number of counts. */
  snapshot(): ScriptBookSnapshot {
    return { scripts: this.#scripts, matches: this.#matches.fork() };
  }

  /** Restores a snapshot, of this book or another. */
  restore({ scripts, matches }: ScriptBookSnapshot): void {
    this.#scripts = scripts;
    this.#matches = matches.fork();
  }
}

function nameTaken(name: string): EmulatorError {
  return new EmulatorError(
    "ERR_SCRIPT_REFUSED",
    `Cannot add the script "${name}": its name is taken. Choose another name.`,
  );
}

/**
 * How many requests each script has answered, by name. If a count has changed, the cost of a fork grows with the number
 * of counts; otherwise a fork is free.
 */
export class MatchCounts {
  /** The counts at the last fork, which forks share. */
  #before: ReadonlyMap<string, number>;
  /** The counts that have changed since the last fork. */
  readonly #changed: Map<string, number> = new Map();

  constructor(counts: Iterable<readonly [string, number]> = []) {
    this.#before = counts instanceof Map ? counts : new Map(counts);
  }

  of(name: string): number {
    return this.#changed.get(name) ?? this.#before.get(name) ?? 0;
  }

  add(name: string): void {
    this.#changed.set(name, this.of(name) + 1);
  }

  forget(name: string): void {
    if (this.#before.has(name)) this.#changed.set(name, 0);
    else this.#changed.delete(name);
  }

  /** Independent counts that start with the same numbers. */
  fork(): MatchCounts {
    if (this.#changed.size > 0) {
      const counts = [...this.#before, ...this.#changed];
      this.#before = new Map(counts.filter(([name]) => this.of(name) > 0));
      this.#changed.clear();
    }
    return new MatchCounts(this.#before);
  }
}
