import type { PlaceRule } from "./compiled-rules.ts";
import { decodedString } from "./json-walk.ts";
import { isLineEnd, type Line, LineShape } from "./line-shape.ts";
import { isJson } from "../valid-json.ts";

/** Texts that come piece by piece, in the same place of one line after the other. */
export interface JoinedText {
  text: string;
  /** Of each piece: where its token is in the stream, and where it begins and ends in the joined text. */
  readonly pieces: { readonly at: number; readonly start: number; readonly end: number }[];
}

const wholeLine = /(?:data: ?)?(.+)/y;

/** With how many shapes a line is compared: several answers may come by turns. */
const mostShapes = 4;

/** The lines of a stream that are not empty. */
export function readLines(text: string, rules: readonly PlaceRule[]): readonly Line[] {
  const lines: Line[] = [];
  const shapes: LineShape[] = [];
  for (let at = 0; at < text.length;) {
    if (isLineEnd(text, at)) {
      at += 1;
      continue;
    }
    const line = knownLine(text, at, shapes) ?? newLine(text, at, rules);
    if (line.shape !== undefined) moveToFront(shapes, line.shape);
    lines.push(line);
    at = line.end;
  }
  return lines;
}

// oxlint-disable-next-line max-params -- a place in a text
function knownLine(text: string, at: number, shapes: readonly LineShape[]): Line | undefined {
  for (const shape of shapes) {
    const line = shape.match(text, at);
    if (line !== undefined) return line;
  }
  return undefined;
}

// oxlint-disable-next-line max-params -- a place in a text
function newLine(text: string, lineStart: number, rules: readonly PlaceRule[]): Line {
  wholeLine.lastIndex = lineStart;
  const [all = "", content = ""] = wholeLine.exec(text) ?? [];
  const end = lineStart + all.length;
  const start = end - content.length;
  const other = { start, end, shape: undefined, places: [] };
  if (!isJson(content)) return other;
  return new LineShape(text, { lineStart, start, end }, rules).match(text, lineStart) ?? other;
}

function moveToFront(shapes: LineShape[], shape: LineShape): void {
  if (shapes[0] === shape) return;
  const before = shapes.indexOf(shape);
  if (before !== -1) shapes.splice(before, 1);
  shapes.unshift(shape);
  if (shapes.length > mostShapes) shapes.pop();
}

/** The texts that come in pieces, each as a whole. */
export function joinedTexts(text: string, lines: readonly Line[]): Iterable<JoinedText> {
  const joined = new Map<string, JoinedText>();
  for (const { shape, places } of lines) {
    if (shape === undefined) continue;
    for (const [index, { joinedBy }] of shape.holes.entries()) {
      if (joinedBy === undefined) continue;
      const whole = joined.get(joinedBy) ?? { text: "", pieces: [] };
      joined.set(joinedBy, whole);
      const at = places[2 * index] ?? 0;
      const start = whole.text.length;
      whole.text += decodedString(text.slice(at, places[2 * index + 1]));
      whole.pieces.push({ at, start, end: whole.text.length });
    }
  }
  return joined.values();
}
