import type { Script } from "./script.ts";

/** So many changes are kept beside a list before they are made part of it. */
const mostBeside = 64;

/** Scripts that many lists share. */
export interface SharedScripts {
  readonly scripts: readonly Script[];
  readonly names: ReadonlySet<string>;
}

/**
 * Scripts in the order in which they are tried. Never changed: one with a script more or less shares nearly
 * everything with it, so that a thousand sessions can each have their own.
 */
export class ScriptList {
  /** Those that were added, the newest first. */
  readonly added: readonly Script[];
  /** Those that come after them. */
  readonly shared: SharedScripts;
  /** Names of shared ones that are no longer there. */
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

  /** All of them, in order. */
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

  /** Without the script of a name, which must be there. */
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
