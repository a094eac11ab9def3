import { utf8Text } from "./bytes.ts";
import type { Call, CallBody } from "./call.ts";

/** A request's body read as JSON, or why that failed. */
export type JsonBody =
  | { readonly kind: "json"; readonly value: unknown }
  /** The body is not UTF-8, is empty, is nested too deeply, or is not JSON; `message` says which, and where. */
  | { readonly kind: "malformed"; readonly message: string }
  | { readonly kind: "too-large"; readonly limit: number }
  | { readonly kind: "aborted" };

/** Whether a content type is JSON, or missing. A web page's form can send neither. */
export function isJsonType(contentType = ""): boolean {
  const essence = contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  return (
    essence === "" || essence === "application/json" || /^[^/\s,]+\/[^/\s,]+\+json$/.test(essence)
  );
}

/** Reads and parses a request's body, whatever its content type. */
export function readJsonBody(call: Call): Promise<JsonBody> {
  return call.readBody().then(parseBody);
}

/** Parses a request's body. */
export function parseBody(body: CallBody): JsonBody {
  if (body.kind !== "bytes") return body;
  if (body.bytes.byteLength === 0) return { kind: "malformed", message: "the body is empty" };
  const text = utf8Text(body.bytes);
  if (text === undefined) return { kind: "malformed", message: "the body is not UTF-8 text" };
  return parseText(text);
}

/** Parses a text as JSON. */
export function parseText(text: string): JsonBody {
  const problem = depthProblem(text);
  if (problem !== undefined) return { kind: "malformed", message: problem };
  try {
    return { kind: "json", value: JSON.parse(text) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { kind: "malformed", message: message.replace(lineAndColumn, "") };
  }
}

/** The suffix that Node 22 and later add to the position. Removed, so that the message is the same as on Node 20. */
const lineAndColumn = / \(line \d+ column \d+\)$/;

const quote = 0x22;
const backslash = 0x5c;
const openArray = 0x5b;
const closeArray = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/** The deepest nesting of JSON. Far deeper values overflow the stack of recursive code, including `JSON.stringify`. */
export const deepestJson = 1_000;

/** Returns a message if a text, valid JSON or not, is nested too deeply to be parsed; else undefined. */
export function depthProblem(text: string, deepest: number = deepestJson): string | undefined {
  // A text with fewer characters than the limit has levels cannot be too deep.
  if (text.length <= deepest) return undefined;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === quote) at = endOfQuoted(text, at);
    else if (unit === openArray || unit === openObject) depth += 1;
    else if (unit === closeArray || unit === closeObject) depth = Math.max(0, depth - 1);
    if (depth > deepest) return `it nests more than ${deepest} levels deep`;
  }
  return undefined;
}

/** The index of the closing quote of a JSON string. */
function endOfQuoted(text: string, start: number): number {
  let end = start + 1;
  for (; end < text.length; end++) {
    const unit = text.charCodeAt(end);
    if (unit === quote) break;
    if (unit === backslash) end++;
  }
  return end;
}

const comma = 0x2c;

/** About how many bytes of memory the value of a JSON text takes: many small objects take twenty times their text. */
export function parsedSize(text: string): number {
  let size = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === quote) at = endOfQuoted(text, at);
    else if (unit === openArray || unit === openObject) size += 56;
    else if (unit === comma) size += 16;
  }
  return size;
}
