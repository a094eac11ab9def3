import { fixedSize } from "../../schema/json-size.ts";
import type { Script } from "../scripts/script.ts";

/** The part of a script that says when it answers, without its replies, which can be large. */
export interface ScriptConditions extends Pick<
  Script,
  "name" | "when" | "times" | "after" | "count"
> {
  /** Only the number of replies. */
  readonly replies: { readonly length: number };
}

const known = new WeakMap<Script, ScriptConditions>();

function conditionsOf(script: Script): ScriptConditions {
  const found = known.get(script);
  if (found !== undefined) return found;
  const { replies, ...rest } = script;
  const conditions = { ...rest, replies: { length: replies.length } };
  known.set(script, conditions);
  return conditions;
}

/** The conditions of all scripts that a request was tried against. */
export interface TriedScripts {
  readonly all: readonly ScriptConditions[];
  /**
   * About how many bytes the conditions take, for the first caller; 0 for later ones, so that shared conditions are
   * counted once.
   */
  readonly takeSize: () => number;
}

const lists = new WeakMap<readonly Script[], TriedScripts>();

/** The conditions of a list of scripts. All searches in the same list share them. */
export function conditionsOfAll(scripts: readonly Script[]): TriedScripts {
  const found = lists.get(scripts);
  if (found !== undefined) return found;
  const tried = triedScripts(scripts.map(conditionsOf));
  lists.set(scripts, tried);
  return tried;
}

function triedScripts(all: readonly ScriptConditions[]): TriedScripts {
  let isTold = false;
  return {
    all,
    takeSize: () => {
      if (isTold) return 0;
      isTold = true;
      return all.reduce((size, conditions) => size + fixedSize(conditions), 0);
    },
  };
}
