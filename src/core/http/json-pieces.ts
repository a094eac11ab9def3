import { type Reply, jsonTextReply } from "./reply.ts";
import type { Playback, Sink } from "./scheduler.ts";

/** The number of characters in a piece. A piece with a single long value may have more. */
const pieceLength = 2 ** 16;

/** Values below this depth are written in one piece, on one line. Rows and their values are less deep. */
const deepest = 8;

/** How JSON is laid out: the indentation per level, the text before a value of this level, and the text after a key. */
interface Layout {
  readonly indent: string;
  readonly line: string;
  readonly colon: string;
}

const onOneLine: Layout = { indent: "", line: "", colon: ":" };

/**
 * The text that `JSON.stringify` makes of a value, in pieces: as a whole it may be longer than a string can be, or than
 * memory allows for each of many clients that read slowly.
 */
export function* jsonPieces(
  value: unknown,
  layout: Layout = onOneLine,
  depth = 0,
): Generator<string, void> {
  if (depth > deepest || !isLong(value)) {
    yield textOf(value, depth > deepest ? onOneLine : layout);
    return;
  }
  const within = { ...layout, line: layout.line + layout.indent };
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  let piece = "";
  let mark = open;
  for (const [name, part] of membersOf(value, layout, depth)) {
    piece += mark + within.line + name;
    mark = ",";
    const texts = part instanceof Run ? [part.text(layout)] : jsonPieces(part, within, depth + 1);
    for (const text of texts) {
      piece += text;
      if (piece.length < pieceLength) continue;
      yield piece;
      piece = "";
    }
  }
  yield piece + layout.line + close;
}

function textOf(value: unknown, { indent, line }: Layout): string {
  const text = JSON.stringify(value, undefined, indent) ?? "null";
  return indent === "" ? text : text.replaceAll("\n", line);
}

/** Neighbouring items of an array that form one piece, since writing rows one by one takes three times as long. */
class Run {
  readonly #parts: readonly unknown[];

  constructor(parts: readonly unknown[]) {
    this.#parts = parts;
  }

  /** The items as they appear inside the array, from the first to the last. */
  text(layout: Layout): string {
    const { line, indent } = layout;
    return textOf(this.#parts, layout).slice(1 + line.length + indent.length, -1 - line.length);
  }
}

/** The items of an array, or the values of an object, each with the key text before it. */
function* membersOf(
  value: object,
  { colon }: Layout,
  depth: number,
): Generator<readonly [string, unknown], void> {
  if (Array.isArray(value)) {
    for (const part of depth < deepest ? runsOf(value) : value) yield ["", part];
    return;
  }
  for (const [name, part] of Object.entries(value)) {
    if (part !== undefined) yield [JSON.stringify(name) + colon, part];
  }
}

/** The items of an array; short ones are grouped into runs. */
function* runsOf(parts: readonly unknown[]): Generator<unknown, void> {
  let from = 0;
  let length = 0;
  for (let at = 0; at < parts.length; at++) {
    const own = lengthOf(parts[at]);
    if (own > pieceLength) {
      if (from < at) yield new Run(parts.slice(from, at));
      yield parts[at];
    } else {
      length += own;
      if (length < pieceLength) continue;
      yield new Run(parts.slice(from, at + 1));
    }
    from = at + 1;
    length = 0;
  }
  if (from < parts.length) yield new Run(parts.slice(from));
}

/** Whether a value is an object or array that may not fit into a piece. */
function isLong(value: unknown): value is object {
  return typeof value === "object" && lengthOf(value) > pieceLength;
}

/** The approximate length of a value's JSON. Infinite if it contains objects or arrays, whose length is not known. */
function lengthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return lengthOfPart(value);
  // A value with `toJSON` cannot be split, and its length is unknown.
  if ("toJSON" in value && typeof value.toJSON === "function") return pieceLength;
  let length = 0;
  if (Array.isArray(value)) for (const part of value) length += lengthOfPart(part);
  // `for … in` takes half as long as `Object.values`.
  else
    for (const name in value)
      length += lengthOfPart((value as Readonly<Record<string, unknown>>)[name]);
  return length;
}

function lengthOfPart(part: unknown): number {
  if (typeof part === "object" && part !== null) return Infinity;
  return typeof part === "string" ? 8 + part.length : 8;
}

/** JSON for a file that people read: indented, and with a newline at the end. */
export function* jsonFilePieces(value: unknown): Generator<string, void> {
  yield* jsonPieces(value, { indent: "  ", line: "\n", colon: ": " });
  yield "\n";
}

/** Longer texts are created piece by piece while they are sent. */
export const longestText: number = 2 ** 22;

/** A reply whose body is a JSON text, however long that is. */
export function jsonPiecesReply(pieces: Generator<string, void>): Reply {
  let text = "";
  while (text.length <= longestText) {
    const { value: piece } = pieces.next();
    if (piece === undefined) return jsonTextReply(200, text);
    text += piece;
  }
  const all = (function* () {
    yield text;
    yield* pieces;
  })();
  const play = (sink: Sink): Playback => playPieces(all, sink);
  return { ...jsonTextReply(200, ""), body: { kind: "live", play, isFinite: true } };
}

/** Sends pieces as fast as the client reads. */
export function playPieces(pieces: Iterator<string | Uint8Array, void>, sink: Sink): Playback {
  let isOver = false;
  const resume = (): void => {
    while (!isOver) {
      const { value: piece } = pieces.next();
      isOver = piece === undefined;
      if (piece === undefined) sink.finish("close");
      else if (!sink.write(piece)) return;
    }
  };
  resume();
  return { resume, stop: () => void (isOver = true), framesSent: () => 0 };
}
