/** What `npm run bench -- …` is told: parts by name. */
import { didYouMean } from "../src/core/errors/show.ts";

export const partNames = [
  "requests",
  "watching",
  "chat",
  "start-up",
  "first-assertion",
  "large-tables",
  "peers",
] as const;
export type PartName = (typeof partNames)[number];

/** The parts to run, all where none is named. A word that is no part gives what to say of it. */
export function readArguments(words: readonly string[]): readonly PartName[] | string {
  const parts: PartName[] = [];
  for (const word of words) {
    const part = partNames.find((name) => name === word);
    if (part === undefined) return refusal(word);
    parts.push(part);
  }
  return parts.length > 0 ? parts : partNames;
}

function refusal(word: string): string {
  return (
    `Cannot run the benchmarks: there is no part "${word}".${didYouMean(word, partNames)} ` +
    `Parts: ${partNames.join(", ")}.`
  );
}
