import { binaryText } from "../../../core/http/base64.ts";
import type { RuleMatch } from "../replay/rule-matches.ts";
import { base64Values } from "./base64-values.ts";
import { originsOf, piecesOf, readingsOf } from "./readings.ts";

/** A value that is redacted wherever it occurs in an exchange. */
export interface Secret {
  /** The name of its placeholders. */
  readonly as: string;
  /** The spellings to search for. */
  readonly needles: readonly string[];
}

/**
 * The length of the shortest value that is redacted wherever it occurs. Shorter ones may be parts of words, and are
 * redacted only where a rule finds them.
 */
export const shortestEverywhere = 6;

/**
 * Finds secrets in a text, whether plain, escaped or percent-encoded. If a base64 value contains one, the whole base64
 * value is found.
 */
export function findSecrets(
  text: string,
  secrets: ReadonlyMap<string, Secret>,
): readonly RuleMatch[] {
  // No spelling is shorter than the value itself.
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

/** Finds the plain occurrences of secrets. */
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

/** Finds base64 values that contain a secret. */
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

/** The spellings of a value: plain, with its UTF-8 bytes read as characters, and with plus signs for spaces. */
export function needlesOf(value: string): readonly string[] {
  const bytes = encoder.encode(value);
  return [...new Set([value, binaryText(bytes), value.replaceAll(" ", "+")])];
}
