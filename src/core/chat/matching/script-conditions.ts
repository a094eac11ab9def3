import { fixedSize } from "../../schema/json-size.ts";
import type { Script } from "../scripts/script.ts";

/** When a script answers: all of it but what it answers, which can be large. */
export interface ScriptConditions extends Pick<
  Script,
  "name" | "when" | "times" | "after" | "count"
> {
  /** How many replies it has. */
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
  /** About how many bytes only they take, told to the first who keeps them. */
  readonly takeSize: () => number;
}

const lists = new WeakMap<readonly Script[], TriedScripts>();

/** The conditions of a list of scripts, which searches with the same list share. */
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
