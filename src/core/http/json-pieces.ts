import type { Steps } from "../steps/steps.ts";
import { type Reply, jsonTextReply } from "./reply.ts";
import type { Playback, Sink } from "./scheduler.ts";

/** Characters of a piece, or more where a single value has more. */
const pieceLength = 2 ** 16;

/** What is nested deeper is written at once, and on one line: a document has its rows and their values above. */
const deepest = 8;

/** How a text is laid out: what is added for each level, what stands before a value of this one, and after a name. */
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
  if (depth > deepest || !mayBeLong(value)) {
    yield textOf(value, depth > deepest ? onOneLine : layout);
    return;
  }
  const within = { ...layout, line: layout.line + layout.indent };
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  let piece = "";
  let mark = open;
  for (const [name, part] of membersOf(value, layout)) {
    piece += mark + within.line + name;
    mark = ",";
    for (const text of jsonPieces(part, within, depth + 1)) {
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

/** The parts of an array, or of an object, each with its name as it stands before it. */
function* membersOf(value: object, { colon }: Layout): Generator<readonly [string, unknown], void> {
  if (Array.isArray(value)) for (const part of value) yield ["", part];
  else {
    for (const [name, part] of Object.entries(value)) {
      if (part !== undefined) yield [JSON.stringify(name) + colon, part];
    }
  }
}

/** Whether a value has parts and may not fit into a piece. Nobody knows of parts that have parts. */
function mayBeLong(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  if ("toJSON" in value && typeof value.toJSON === "function") return false;
  let length = 0;
  for (const part of Object.values(value)) {
    length += typeof part === "string" ? part.length : 1;
    if (length > pieceLength || (typeof part === "object" && part !== null)) return true;
  }
  return false;
}

/** A value as a file has it that people read: indented, and its last line ended. */
export function* jsonFilePieces(value: unknown): Generator<string, void> {
  yield* jsonPieces(value, { indent: "  ", line: "\n", colon: ": " });
  yield "\n";
}

/** Longer texts are made while they are sent. */
export const longestText: number = 2 ** 22;

/** A reply whose body is a JSON text, however long that is. */
export function* jsonPiecesReply(pieces: Generator<string, void>): Steps<Reply> {
  let text = "";
  while (text.length <= longestText) {
    const { value: piece } = pieces.next();
    if (piece === undefined) return jsonTextReply(200, text);
    text += piece;
    yield;
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
