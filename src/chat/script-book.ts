import { EmulatorError } from "../errors/emulator-error.ts";
import { type CompiledScript, compileScript } from "./compile-script.ts";
import type { Subject } from "./criteria.ts";
import { explainMiss, isUsedUp, type Miss } from "./explain.ts";
import type { Script, ScriptReply } from "./script.ts";
import type { MatchGroups } from "./text-matcher.ts";

/** The script that answers a request, and with which of its replies. */
export interface ScriptMatch {
  readonly script: Script;
  readonly reply: ScriptReply;
  /** Which of the script's replies it is, from 0. */
  readonly replyIndex: number;
  readonly groups: MatchGroups;
}

/** The scripts and their counters as they were at one moment. Never changed. */
export interface ScriptBookSnapshot {
  readonly scripts: readonly CompiledScript[];
  /** How many requests each script has answered, by name; scripts that answered none are absent. */
  readonly matches: ReadonlyMap<string, number>;
}

/** The scripts in the order in which they are tried, and how often each has answered. */
export class ScriptBook {
  /** Replaced, never changed, since snapshots share it. */
  #scripts: readonly CompiledScript[];
  #matches = new Map<string, number>();
  /** Whether a snapshot has the counters too, so that they have to be copied before they change. */
  #matchesShared = false;

  /** Throws `ERR_SCRIPT_REFUSED` for a script that cannot be used, or a name that is there twice. */
  constructor(scripts: readonly Script[]) {
    const names = new Set<string>();
    for (const { name } of scripts) {
      if (names.has(name)) throw nameTaken(name);
      names.add(name);
    }
    this.#scripts = scripts.map(compileScript);
  }

  /**
   * The first script that matches, which is counted; undefined when there is none. Nothing is awaited, so that
   * requests at the same time never get the same turn.
   */
  take(subject: Subject): ScriptMatch | undefined {
    for (const compiled of this.#scripts) {
      const matches = this.#matchesOf(compiled);
      if (isUsedUp(compiled, matches)) continue;
      if (!compiled.criteria.every((criterion) => criterion.holds(subject))) continue;
      const { script } = compiled;
      this.#ownMatches().set(script.name, matches + 1);
      const replyIndex = replyIndexFor(script, matches);
      const reply = script.replies[replyIndex] ?? script.replies[0];
      return { script, reply, replyIndex, groups: compiled.groups(subject) };
    }
    return undefined;
  }

  /** Why each script does not match a request. */
  explain(subject: Subject): readonly Miss[] {
    return this.#scripts.map((compiled) =>
      explainMiss(compiled, subject, this.#matchesOf(compiled)),
    );
  }

  /** Puts a script before all others. Throws `ERR_SCRIPT_REFUSED` when it cannot be used or its name is taken. */
  add(script: Script): void {
    if (this.#scripts.some((other) => other.script.name === script.name)) {
      throw nameTaken(script.name);
    }
    this.#scripts = [compileScript(script), ...this.#scripts];
  }

  /** Takes a script out, with its count. False when there is none of that name. */
  remove(name: string): boolean {
    const others = this.#scripts.filter(({ script }) => script.name !== name);
    if (others.length === this.#scripts.length) return false;
    this.#scripts = others;
    this.#ownMatches().delete(name);
    return true;
  }

  /** The scripts in the order in which they are tried. */
  list(): readonly Script[] {
    return this.#scripts.map(({ script }) => script);
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

  #matchesOf({ script }: CompiledScript): number {
    return this.#matches.get(script.name) ?? 0;
  }
}

function replyIndexFor({ replies, after }: Script, matches: number): number {
  return after === "cycle" ? matches % replies.length : Math.min(matches, replies.length - 1);
}

function nameTaken(name: string): EmulatorError {
  return new EmulatorError(
    "ERR_SCRIPT_REFUSED",
    `Cannot add the script "${name}": another one has that name. Choose another name.`,
  );
}
