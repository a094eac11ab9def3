/** What `npm run bench -- …` is told: parts by name, numbers of rows. */
import { didYouMean } from "../src/core/errors/show.ts";

export const partNames = [
  "tables",
  "versions",
  "sessions",
  "load",
  "load-model",
  "memory",
  "requests",
  "chat",
  "peers",
  "recording",
  "browser",
  "start-up",
  "first-assertion",
  "in-process",
  "large-tables",
  "plots",
] as const;
export type PartName = (typeof partNames)[number];

export interface Choice {
  readonly parts: readonly PartName[];
  /** Numbers of rows, where any were named. */
  readonly sizes: readonly number[] | undefined;
}

/** Fewer rows would not fill the pages that are asked for. */
const fewestRows = 1000;

/** They write to docs, so they are made only where they are named. */
const measured = partNames.filter((name) => name !== "plots");

/** Everything that is measured is run where nothing is named. A word that is neither a part nor a number gives what to say of it. */
export function readArguments(words: readonly string[]): Choice | string {
  const parts: PartName[] = [];
  const sizes: number[] = [];
  for (const word of words) {
    const part = partNames.find((name) => name === word);
    const size = Number(word.replaceAll(/[_,]/g, ""));
    if (part !== undefined) parts.push(part);
    else if (Number.isInteger(size) && size >= fewestRows) sizes.push(size);
    else return refusal(word);
  }
  return {
    parts: parts.length > 0 ? parts : measured,
    sizes: sizes.length > 0 ? sizes : undefined,
  };
}

function refusal(word: string): string {
  return (
    `Cannot run the benchmarks: "${word}" is neither a part nor a number of rows from ${fewestRows}.` +
    `${didYouMean(word, partNames)} Parts: ${partNames.join(", ")}.`
  );
}
