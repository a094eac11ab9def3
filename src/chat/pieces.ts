import { graphemes } from "./graphemes.ts";
import type { Pace } from "./script.ts";

/** What a text is cut by. */
export type PieceSize = NonNullable<Pace["by"]>;

/**
 * Cuts a text into the pieces of a stream. Joined they are the text, and none ends inside a grapheme. When
 * there would be more than `most`, neighbours come together: each piece costs an event of some 200 bytes.
 */
export function cutText(text: string, by: PieceSize, most: number = Infinity): readonly string[] {
  const units = graphemes(text);
  const pieces = cutUnits(units, by);
  return pieces.length <= most ? pieces : inGroups(pieces, Math.ceil(pieces.length / most));
}

function cutUnits(units: readonly string[], by: PieceSize): readonly string[] {
  if (by === "token") return joinRuns(units, continuesToken);
  if (by === "word") return joinRuns(units, continuesWord);
  if (by === "character" || by <= 1) return units;
  return inGroups(units, by);
}

function inGroups(parts: readonly string[], size: number): readonly string[] {
  const groups: string[] = [];
  for (let start = 0; start < parts.length; start += size) {
    groups.push(parts.slice(start, start + size).join(""));
  }
  return groups;
}

/** Whether a unit belongs to the run before it, given that run's kind and length in units. */
type Continues = (kind: Kind, next: Kind, length: number) => boolean;

type Kind = "letter" | "digit" | "space" | "other" | "single";

function joinRuns(units: readonly string[], continues: Continues): readonly string[] {
  const runs: string[] = [];
  let run = "";
  let length = 0;
  let kind: Kind = "single";
  for (const unit of units) {
    const next = kindOf(unit);
    if (length > 0 && continues(kind, next, length)) {
      run += unit;
      length++;
    } else {
      if (length > 0) runs.push(run);
      run = unit;
      length = 1;
    }
    kind = next;
  }
  if (length > 0) runs.push(run);
  return runs;
}

/** The longest run of one kind that is a token. Real encodings have about four characters per token. */
const tokenLengths: Readonly<Record<Kind, number>> = {
  letter: 8,
  digit: 4,
  space: 16,
  other: 4,
  single: 1,
};

/** A token: one space at most and then a short run of letters, digits or signs; or a run of white space. */
function continuesToken(kind: Kind, next: Kind, length: number): boolean {
  if (next === "single") return false;
  if (kind === next) return length < tokenLengths[kind];
  return kind === "space" && length === 1;
}

/** A word: white space and what follows it up to the next white space. */
function continuesWord(kind: Kind, next: Kind): boolean {
  return next !== "space" || kind === "space";
}

/** Scripts whose letters are words or syllables: one token each. */
const ideograph = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

function kindOf(unit: string): Kind {
  const code = unit.charCodeAt(0);
  if (code < 0x80) return asciiKind(code);
  if (ideograph.test(unit)) return "single";
  if (/^\p{L}/u.test(unit)) return "letter";
  if (/^\p{N}/u.test(unit)) return "digit";
  return /^\s/u.test(unit) ? "space" : "single";
}

function asciiKind(code: number): Kind {
  if (code === 0x20 || (code >= 0x09 && code <= 0x0d)) return "space";
  if (code >= 0x30 && code <= 0x39) return "digit";
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a ? "letter" : "other";
}
