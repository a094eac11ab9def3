import type { JsonObject } from "../schema/json.ts";
import { textsOfFormat } from "./formats.ts";
import { textOfPattern } from "./pattern-text.ts";
import { phrase } from "./words.ts";

/** Longer texts are not made. */
const longest = 100_000;

/** How many texts of a pattern are tried, since lookaheads and length limits can exclude some. */
const mostTries = 80;

/** Texts that probably fit all of these schemas, the most usual ones first. */
export function* textsFor(parts: readonly JsonObject[], random: () => number): Generator<string> {
  const given = (keyword: string): number[] =>
    parts.map((part) => part[keyword]).filter((value) => typeof value === "number");
  const least = Math.max(...given("minLength"), 0);
  const most = Math.min(...given("maxLength"), Infinity);
  if (least > most || least > longest) return;
  for (const { format } of parts) {
    for (const text of textsOfFormat(format, least, random)) {
      if (text.length >= least && text.length <= most) yield text;
    }
  }
  const patterns = parts.map(({ pattern }) => pattern).filter((one) => typeof one === "string");
  for (const pattern of patterns) yield* matching(pattern, { least, most, random });
  yield phrase(least, most, random);
}

interface TextLimits {
  readonly least: number;
  readonly most: number;
  readonly random: () => number;
}

function* matching(pattern: string, { least, most, random }: TextLimits): Generator<string> {
  for (let tries = 0; tries < mostTries; tries++) {
    // Short texts come first, then longer ones up to the required length.
    const extra = tries < 5 ? 4 : Math.floor(random() * Math.max(least * 2, tries % 12));
    const text = textOfPattern(pattern, { random, isWide: tries >= 5, extra });
    if (text === undefined) continue;
    const length = Array.from(text).length;
    if (length <= most) yield length >= least ? text : padded(text, least);
  }
}

/** Adds characters at the end, which a pattern without an anchor there allows. */
function padded(text: string, least: number): string {
  return text.padEnd(least, "a");
}
