import { binaryText } from "../../../core/http/base64.ts";
import type { RuleMatch } from "../replay/rule-matches.ts";
import { base64Values } from "./base64-values.ts";
import { originsOf, piecesOf, readingsOf } from "./readings.ts";

/** A value that is looked for in every place. */
export interface Secret {
  /** What its placeholders are called. */
  readonly as: string;
  /** The texts by which it is found. */
  readonly needles: readonly string[];
}

/** Shorter values are taken out of their own places only: elsewhere they are parts of words. */
export const shortestEverywhere = 6;

/**
 * Where the values stand in a text: as they are, escaped and percent-encoded. A value in base64 that has one in it is taken
 * out as a whole.
 */
export function findSecrets(
  text: string,
  secrets: ReadonlyMap<string, Secret>,
): readonly RuleMatch[] {
  // A value is never shorter by any way to write it.
  if (secrets.size === 0 || text.length < shortestEverywhere) return [];
  const found: RuleMatch[] = [];
  for (const piece of piecesOf(text)) {
    for (const reading of readingsOf(piece.text)) {
      const places = [
        ...plainPlaces(reading.text, secrets),
        ...base64Places(reading.text, secrets),
      ];
      const origins = places.length === 0 ? undefined : originsOf(reading);
      for (const { start, end, value, as } of places) {
        found.push({
          start: piece.from + (origins?.[start] ?? start),
          end: piece.from + (origins?.[end] ?? end),
          value,
          as,
        });
      }
    }
  }
  return found;
}

/** Where the values stand in a text as they are. */
function* plainPlaces(text: string, secrets: ReadonlyMap<string, Secret>): Generator<RuleMatch> {
  for (const [value, { as, needles }] of secrets) {
    for (const needle of needles) {
      let start = text.indexOf(needle);
      while (start !== -1) {
        const end = start + needle.length;
        yield { start, end, value, as };
        start = text.indexOf(needle, end);
      }
    }
  }
}

/** Where a text has base64 of a text with one of the values. */
function* base64Places(text: string, secrets: ReadonlyMap<string, Secret>): Generator<RuleMatch> {
  const shortest = Math.min(...Array.from(secrets.keys(), (value) => value.length));
  for (const { start, end, said } of base64Values(text, shortest)) {
    for (const reading of readingsOf(said)) {
      const [inside] = plainPlaces(reading.text, secrets);
      if (inside === undefined) continue;
      yield { start, end, value: inside.value, as: inside.as };
      break;
    }
  }
}

const encoder = new TextEncoder();

/** A value as it is, as it is where its bytes were taken for characters, and with plus signs for its spaces. */
export function needlesOf(value: string): readonly string[] {
  const bytes = encoder.encode(value);
  return [...new Set([value, binaryText(bytes), value.replaceAll(" ", "+")])];
}
