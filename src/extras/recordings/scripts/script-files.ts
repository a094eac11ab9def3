import type { Remark } from "./read-completion.ts";
import type { ScriptInput } from "../../../core/fixture-set/format/script-format.ts";
import type { SameChats } from "./conditions.ts";

/** A script, the requests that it answers, and those whose scripts have to come before it. */
export interface PlacedScript {
  readonly script: ScriptInput;
  readonly answers: SameChats;
  readonly after: readonly SameChats[];
}

/** Scripts that are one file of the folder of chats. */
export interface ChatFile {
  /** `weather.json`. */
  readonly file: string;
  readonly scripts: readonly ScriptInput[];
}

/**
 * Puts scripts into files, one for each conversation, so that each comes after those that have to be tried before it. Files are
 * tried by their names: where that is the wrong order two conversations share a file.
 */
export function scriptFiles(placed: readonly PlacedScript[], remark: Remark): readonly ChatFile[] {
  let files = new Map<string, PlacedScript[]>();
  for (const script of placed) {
    const name = script.answers.first.cassette;
    files.set(name, [...(files.get(name) ?? []), script]);
  }
  for (;;) {
    const wrong = wrongPair(files);
    if (wrong === undefined) break;
    files = merged(files, wrong);
    remark(
      `${wrong.into}: has the scripts of ${wrong.from}, too, since some of both have to be tried in this order`,
    );
  }
  return [...files].map(([name, scripts]) => ({
    file: `${name}.json`,
    scripts: inOrder(scripts).map(({ script }) => script),
  }));
}

interface Merge {
  readonly into: string;
  readonly from: string;
}

/** Two files of which the later has a script that has to come before one of the earlier. */
function wrongPair(files: ReadonlyMap<string, readonly PlacedScript[]>): Merge | undefined {
  const homes = new Map<SameChats, string>();
  for (const [name, scripts] of files) for (const { answers } of scripts) homes.set(answers, name);
  for (const [name, scripts] of files) {
    for (const { after } of scripts) {
      const from = after
        .map((same) => homes.get(same))
        .find((home) => home !== undefined && comesAfter(home, name));
      if (from !== undefined) return { into: name, from };
    }
  }
  return undefined;
}

/** Files of a folder are read in the order of their names. */
function comesAfter(left: string, right: string): boolean {
  return `${left}.json` > `${right}.json`;
}

function merged(
  files: ReadonlyMap<string, PlacedScript[]>,
  { into, from }: Merge,
): Map<string, PlacedScript[]> {
  const all = new Map(files);
  all.set(into, [...(files.get(into) ?? []), ...(files.get(from) ?? [])]);
  all.delete(from);
  return all;
}

/** As they were recorded, save for those that have to wait for others. */
function inOrder(scripts: readonly PlacedScript[]): readonly PlacedScript[] {
  const waiting = [...scripts];
  const ordered: PlacedScript[] = [];
  while (waiting.length > 0) {
    const ready = waiting.findIndex(({ after }) =>
      waiting.every(({ answers }) => !after.includes(answers)),
    );
    // Where they wait for each other, none is right before the other.
    ordered.push(...waiting.splice(Math.max(0, ready), 1));
  }
  return ordered;
}
