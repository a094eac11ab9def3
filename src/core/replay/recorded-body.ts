import { deepestJson, jsonExcess, readTokens } from "../http/json-text.ts";
import { fromBase64, toBase64 } from "./base64.ts";
import type { RecordedBody } from "./cassette.ts";

/** How deep a body may nest that is written as JSON: far less than fixtures may, of which it is a part. */
const deepestRecorded = 64;

/** Keeps a byte order mark and refuses broken UTF-8: the text gives the very bytes again. */
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** An answer's body, so that `bodyBytes` gives the very bytes again. */
export function recordBody(bytes: Uint8Array): RecordedBody {
  const text = utf8Text(bytes);
  return text === undefined ? { base64: toBase64(bytes) } : recordText(text);
}

/** The same of a body that is text. */
export function recordText(text: string): RecordedBody {
  const value = parsed(text, deepestRecorded);
  if (value === undefined) return { text };
  const end = text.endsWith("\n") ? "\n" : "";
  const indent = indentOf(text);
  if (JSON.stringify(value, null, indent) + end !== text) return { text };
  return {
    json: value,
    ...(indent > 0 ? { indent } : {}),
    ...(end === "" ? {} : { end }),
  };
}

/**
 * A request's body, which is told by its value: JSON keeps neither its spaces nor the spelling of its numbers. JSON that
 * says more than its value, by a number of too many digits or a name that is there twice, is told by its text.
 */
export function recordRequestBody(bytes: Uint8Array | undefined): RecordedBody | undefined {
  if (bytes === undefined || bytes.length === 0) return undefined;
  const text = utf8Text(bytes);
  if (text === undefined) return { base64: toBase64(bytes) };
  const value = toldByValue(text, deepestRecorded);
  return value === undefined ? { text } : { json: value };
}

/** The value by which a body is told, or undefined where it is told by its bytes. */
export function bodyValue(body: RecordedBody): unknown {
  if ("json" in body) return body.json;
  const text = bodyText(body);
  return text === undefined ? undefined : toldByValue(text, deepestJson);
}

/** The bytes that were recorded. Of a request's JSON: of the same value, on one line. */
export function bodyBytes(body: RecordedBody): Uint8Array {
  if ("base64" in body) return fromBase64(body.base64) ?? new Uint8Array();
  return encoder.encode(bodyText(body) ?? "");
}

/** The text that was recorded, or undefined where it is none. */
export function bodyText(body: RecordedBody): string | undefined {
  if ("json" in body) return JSON.stringify(body.json, null, body.indent ?? 0) + (body.end ?? "");
  if ("text" in body) return body.text;
  return utf8Text(fromBase64(body.base64) ?? new Uint8Array());
}

/** Bytes as text, or undefined where they are no UTF-8. */
export function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

function toldByValue(text: string, deepest: number): unknown {
  const value = parsed(text, deepest);
  return value === undefined || !survivesParsing(text) ? undefined : value;
}

/** The value of a JSON text that does not nest too deep; undefined for any other. */
function parsed(text: string, deepest: number): unknown {
  try {
    return jsonExcess(text, deepest) === undefined ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

/** The spaces before the first member or element, as JSON with an indentation begins. */
function indentOf(text: string): number {
  const [, spaces = ""] = /^[[{]\n( {1,10})(?! )/.exec(text) ?? [];
  return spaces.length;
}

/** Whether a text is valid JSON. */
export function isJson(text: string): boolean {
  // To throw takes longer than to look.
  if (!/^\s*["[{\d\-tfn]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Whether a valid JSON text says nothing that its parsed value does not: no digits that a number loses, no name twice. */
function survivesParsing(text: string): boolean {
  let survives = true;
  const names: (Set<string> | undefined)[] = [];
  readTokens(text, {
    open: (kind) => names.push(kind === "object" ? new Set() : undefined),
    close: () => names.pop(),
    key(start, end) {
      if (!isNewName(names.at(-1), text.slice(start, end))) survives = false;
    },
    value(kind, start, end) {
      if (kind === "number" && !numberSurvives(text.slice(start, end))) survives = false;
    },
  });
  return survives;
}

function isNewName(names: Set<string> | undefined, token: string): boolean {
  if (names === undefined) return true;
  const name: unknown = token.includes("\\") ? JSON.parse(token) : token.slice(1, -1);
  if (typeof name !== "string" || names.has(name)) return false;
  names.add(name);
  return true;
}

/** Whether a number, written anew from what it was parsed to, is the same one: `1.0` and `1e2` are, `9007199254740993` not. */
function numberSurvives(token: string): boolean {
  const written = String(Number(token));
  return written === token || plainDecimal(written) === plainDecimal(token);
}

/** The significant digits and the power of ten of the last one, for which there is one spelling only. */
function plainDecimal(token: string): string {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(token) ?? [];
  if (whole === "") return token;
  const digits = `${whole}${fraction}`.replace(/^0+/, "");
  const significant = withoutZerosAtEnd(digits);
  if (significant === "") return "0";
  const power = BigInt(exponent) - BigInt(fraction.length - (digits.length - significant.length));
  return `${sign}${significant}e${power}`;
}

/** A regular expression would look at each run of zeros to its end: that grows with the square. */
function withoutZerosAtEnd(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === "0") end -= 1;
  return digits.slice(0, end);
}
