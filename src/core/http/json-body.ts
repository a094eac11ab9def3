import { utf8Text } from "./bytes.ts";
import type { Call, CallBody } from "./call.ts";

/** A request's body read as JSON, or why that failed. */
export type JsonBody =
  | { readonly kind: "json"; readonly value: unknown }
  /** Not UTF-8, empty, nested too deeply, or not JSON; `message` says which, and where. */
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

/** Parses a text as JSON, unless that would take too long. */
export function parseText(text: string): JsonBody {
  const excess = jsonExcess(text);
  if (excess !== undefined) return { kind: "malformed", message: excess };
  try {
    return { kind: "json", value: JSON.parse(text) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { kind: "malformed", message: message.replace(lineAndColumn, "") };
  }
}

/** What Node 22 and newer add to the position, and Node 20 does not: the answer is the same on each. */
const lineAndColumn = / \(line \d+ column \d+\)$/;

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const openArray = 0x5b;
const closeArray = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/** The deepest nesting of JSON. Far deeper values overflow the stack of recursive code, including `JSON.stringify`. */
export const deepestJson = 1_000;

/** Shorter texts cannot hold anybody up, whatever is in them. */
const shortText = 2 * deepestJson;

/**
 * How many different keys a text may have, and how many arrays and objects. `JSON.parse` takes up to 6 µs for a key that
 * it has not seen behind the same keys, and 0.2 µs for an array: 10 MB of them would keep everybody else waiting for seconds.
 */
const mostKeys = (length: number): number => 10_000 + Math.floor(length / 200);
const mostParts = (length: number): number => 100_000 + Math.floor(length / 20);

/** So many bits tell keys apart. Two that share one count once, which only lets pass a few more. */
const keyBits = 20;

/**
 * Why a text would take too long to be parsed as JSON: its depth, its number of arrays and objects, or of different keys.
 * A key counts anew behind other keys, so items that are alike count once. Reads 1 MB in 2 ms and any text, valid or not.
 */
export function jsonExcess(text: string, deepest: number = deepestJson): string | undefined {
  if (text.length <= Math.min(shortText, 2 * deepest)) return undefined;
  const [keysLeft, partsLeft] = [mostKeys(text.length), mostParts(text.length)];
  const seen = new Uint8Array(2 ** keyBits);
  // For each level that is open a number made of all keys of its object so far.
  const behind = new Int32Array(deepest + 1);
  let depth = 0;
  let keys = 0;
  let parts = 0;
  // Where the text begins that was read last, which is a key if a colon follows; -1 once one did.
  let start = -1;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === quote) {
      start = at;
      at = endOfQuoted(text, at);
    } else if (unit === colon) {
      const path = numberOf(text, start, behind[depth]);
      start = -1;
      behind[depth] = path;
      const bit = path >>> (32 - keyBits);
      keys += 1 - (seen[bit] ?? 1);
      seen[bit] = 1;
      if (keys > keysLeft) return `it has more than ${keysLeft} different keys`;
    } else if (unit === openArray || unit === openObject) {
      depth += 1;
      parts += 1;
      if (depth > deepest) return `it nests more than ${deepest} levels deep`;
      if (parts > partsLeft) return `it has more than ${partsLeft} arrays and objects`;
      behind[depth] = 0;
    } else if (depth > 0 && (unit === closeArray || unit === closeObject)) {
      depth -= 1;
    }
  }
  return undefined;
}

/** Where the quote is that ends a text. */
function endOfQuoted(text: string, start: number): number {
  let end = start + 1;
  for (; end < text.length; end++) {
    const unit = text.charCodeAt(end);
    if (unit === quote) break;
    if (unit === backslash) end++;
  }
  return end;
}

/** A number for a key behind others, which have one together; theirs where there is no key. */
function numberOf(text: string, start: number, others = 0): number {
  if (start < 0) return others;
  const end = endOfQuoted(text, start);
  let number = others;
  for (let at = start; at < end; at++) number = Math.imul(number ^ text.charCodeAt(at), 0x01000193);
  return Math.imul(number ^ (number >>> 15), 0x2c1b3c6d);
}
