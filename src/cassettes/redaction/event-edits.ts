import type { Edit, Span } from "./edits.ts";
import { jsonEdits, learnFromJson } from "./json-edits.ts";
import { decodedString, type JsonPiece, walkJson } from "./json-walk.ts";
import { isJson } from "./redact-body.ts";
import { learnFrom, type Redaction, textEdits } from "./redaction.ts";

/** A line of a stream: the data of an event, or all of it. */
interface Line extends Span {
  readonly text: string;
  readonly isJson: boolean;
}

/** Texts that come piece by piece, in the same place of one line after the other. */
interface Joined {
  text: string;
  readonly pieces: { readonly at: number; readonly start: number; readonly end: number }[];
}

/**
 * What is to be taken out of the lines of a stream. Texts that come in pieces, such as the `content` of each `delta`, are
 * looked at as one: what begins in one piece and ends in another stands where it begins.
 */
export function eventEdits(text: string, redaction: Redaction): readonly Edit[] {
  const lines = linesOf(text);
  const own = ownEdits(lines, redaction);
  return lines.flatMap((line) => {
    const edits = line.isJson
      ? jsonEdits(line.text, redaction, (piece) => own.get(line.start + piece.start))
      : textEdits(line.text, redaction);
    return edits.map((edit) => ({
      start: line.start + edit.start,
      end: line.start + edit.end,
      text: edit.text,
    }));
  });
}

/** Has what rules find in the lines, and in the texts that come in pieces, looked for in every place. */
export function learnFromEvents(text: string, redaction: Redaction): void {
  const lines = linesOf(text);
  for (const line of lines) {
    if (line.isJson) learnFromJson(line.text, redaction);
    else learnFrom(line.text, redaction);
  }
  for (const { text: whole } of joinedTexts(lines)) learnFrom(whole, redaction);
}

function linesOf(text: string): readonly Line[] {
  return [...text.matchAll(/^(?:data: ?)?(.+)$/gm)].map(({ index, 0: all, 1: content = "" }) => {
    const start = index + all.length - content.length;
    return { start, end: start + content.length, text: content, isJson: isJson(content) };
  });
}

/** The edits of texts in pieces, by where a piece's string stands. */
function ownEdits(
  lines: readonly Line[],
  redaction: Redaction,
): ReadonlyMap<number, readonly Edit[]> {
  const own = new Map<number, readonly Edit[]>();
  for (const { text, pieces } of joinedTexts(lines)) {
    const edits = textEdits(text, redaction);
    for (const { at, start, end } of pieces) own.set(at, editsWithin(edits, start, end));
  }
  return own;
}

// oxlint-disable-next-line max-params -- a place
function editsWithin(edits: readonly Edit[], start: number, end: number): readonly Edit[] {
  return edits
    .filter((edit) => edit.start < end && edit.end > start)
    .map((edit) => ({
      start: Math.max(edit.start, start) - start,
      end: Math.min(edit.end, end) - start,
      text: edit.start >= start ? edit.text : "",
    }));
}

function joinedTexts(lines: readonly Line[]): Iterable<Joined> {
  const joined = new Map<string, Joined>();
  for (const line of lines) {
    if (!line.isJson) continue;
    walkJson(line.text, [], (piece) => {
      if (piece.kind === "string") addPiece(joined, piece, line);
    });
  }
  return joined.values();
}

function addPiece(joined: Map<string, Joined>, piece: JsonPiece, line: Line): void {
  const steps = piece.steps();
  if (!comesInPieces(steps)) return;
  const key = JSON.stringify(steps);
  const whole = joined.get(key) ?? { text: "", pieces: [] };
  joined.set(key, whole);
  const start = whole.text.length;
  whole.text += decodedString(line.text.slice(piece.start, piece.end));
  whole.pieces.push({ at: line.start + piece.start, start, end: whole.text.length });
}

const lastSteps: ReadonlySet<string> = new Set(["content", "text", "response"]);

function comesInPieces(steps: readonly string[]): boolean {
  return steps.includes("delta") || lastSteps.has(steps.at(-1) ?? "");
}
