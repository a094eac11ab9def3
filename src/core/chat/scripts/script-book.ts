import { EmulatorError } from "../../errors/emulator-error.ts";
import type { Script } from "./script.ts";

/** The scripts and their counters at one moment. Immutable. */
export interface ScriptBookSnapshot {
  readonly scripts: ScriptList;
  readonly matches: MatchCounts;
}

/** The scripts in matching order, and how often each has answered. */
export class ScriptBook {
  #scripts: ScriptList;
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
    return new ScriptBook({ scripts: ScriptList.of(scripts), matches: new MatchCounts() });
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

  /** Adds a script before all others. Throws `ERR_SCRIPT_REFUSED` when its name is taken. */
  add(script: Script): void {
    if (this.#scripts.has(script.name)) throw nameTaken(script.name);
    this.#scripts = this.#scripts.withFirst(script);
  }

  /** Removes a script and its count. False if there is none of that name. */
  remove(name: string): boolean {
    if (!this.#scripts.has(name)) return false;
    this.#scripts = this.#scripts.without(name);
    this.#matches.forget(name);
    return true;
  }

  /** The scripts in matching order. */
  list(): readonly Script[] {
    return this.#scripts.all;
  }

  /** The same list, with changes kept apart from the shared part. */
  get layers(): ScriptList {
    return this.#scripts;
  }

  /** A snapshot. It costs as much as there are counts. */
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

/** How many changes are kept beside a list before they are merged into it. */
const mostBeside = 64;

/** Scripts that many lists share. */
export interface SharedScripts {
  readonly scripts: readonly Script[];
  readonly names: ReadonlySet<string>;
}

/**
 * Scripts in matching order. Immutable: a list with a script more or less shares nearly everything, so that a
 * thousand sessions can each have their own.
 */
export class ScriptList {
  /** Added scripts, newest first. */
  readonly added: readonly Script[];
  /** The shared scripts after them. */
  readonly shared: SharedScripts;
  /** Names of shared scripts that were removed. */
  readonly removed: ReadonlySet<string>;
  #all: readonly Script[] | undefined;

  private constructor(
    shared: SharedScripts,
    added: readonly Script[],
    removed: ReadonlySet<string>,
  ) {
    this.shared = shared;
    this.added = added;
    this.removed = removed;
  }

  static of(scripts: readonly Script[]): ScriptList {
    return new ScriptList(
      { scripts, names: new Set(scripts.map(({ name }) => name)) },
      [],
      new Set(),
    );
  }

  /** All scripts, in order. */
  get all(): readonly Script[] {
    this.#all ??=
      this.added.length === 0 && this.removed.size === 0
        ? this.shared.scripts
        : [...this.added, ...this.shared.scripts.filter(({ name }) => !this.removed.has(name))];
    return this.#all;
  }

  has(name: string): boolean {
    return this.#isShared(name) || this.added.some((script) => script.name === name);
  }

  withFirst(script: Script): ScriptList {
    if (this.added.length >= mostBeside) return ScriptList.of([script, ...this.all]);
    return new ScriptList(this.shared, [script, ...this.added], this.removed);
  }

  /** Without the script of a name, which must exist. */
  without(name: string): ScriptList {
    const added = this.added.filter((script) => script.name !== name);
    if (added.length < this.added.length) {
      return new ScriptList(this.shared, added, this.removed);
    }
    if (this.removed.size >= mostBeside) {
      return ScriptList.of(this.all.filter((script) => script.name !== name));
    }
    return new ScriptList(this.shared, this.added, new Set([...this.removed, name]));
  }

  #isShared(name: string): boolean {
    return this.shared.names.has(name) && !this.removed.has(name);
  }
}

/** How many requests each script has answered, by name. A fork costs as much as there are counts, if one has changed. */
export class MatchCounts {
  /** What forks share. */
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

  /** Independent counts that start with the same. */
  fork(): MatchCounts {
    if (this.#changed.size > 0) {
      const counts = [...this.#before, ...this.#changed];
      this.#before = new Map(counts.filter(([name]) => this.of(name) > 0));
      this.#changed.clear();
    }
    return new MatchCounts(this.#before);
  }
}
