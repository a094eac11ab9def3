import { deepestJson, depthProblem } from "../http/json-body.ts";
import { readTokens } from "../schema/json-text.ts";
import { utf8Text } from "../http/bytes.ts";
import { fromBase64, toBase64 } from "../http/base64.ts";
import type { RecordedBody } from "./cassette.ts";

/**
 * The deepest nesting of a body written as JSON: much less than fixtures allow, since the body is nested in a cassette.
 */
const deepestRecorded = 64;

const encoder = new TextEncoder();

/** Records an answer's body in a form from which `bodyBytes` restores the bytes. */
export function recordBody(bytes: Uint8Array): RecordedBody {
  const text = utf8Text(bytes);
  return text === undefined ? { base64: toBase64(bytes) } : recordText(text);
}

/** Like `recordBody`, for a text. */
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
 * Records a request's body as JSON, without its spaces and the spelling of its numbers, so that requests are compared
 * by value. JSON that its value does not fully represent, because of a number with too many digits or a duplicate key,
 * is recorded and compared as text.
 */
export function recordRequestBody(bytes: Uint8Array | undefined): RecordedBody | undefined {
  if (bytes === undefined || bytes.length === 0) return undefined;
  const text = utf8Text(bytes);
  if (text === undefined) return { base64: toBase64(bytes) };
  const value = toldByValue(text, deepestRecorded);
  return value === undefined ? { text } : { json: value };
}

/** The value that a body is compared by; undefined if it is compared by bytes. */
export function bodyValue(body: RecordedBody): unknown {
  if ("json" in body) return body.json;
  const text = bodyText(body);
  return text === undefined ? undefined : toldByValue(text, deepestJson);
}

/** The recorded bytes. For a request's JSON: the same value, on one line. */
export function bodyBytes(body: RecordedBody): Uint8Array {
  if ("base64" in body) return fromBase64(body.base64) ?? new Uint8Array();
  return encoder.encode(bodyText(body) ?? "");
}

/** The recorded text; undefined if the body is not text. */
export function bodyText(body: RecordedBody): string | undefined {
  if ("json" in body) return JSON.stringify(body.json, null, body.indent ?? 0) + (body.end ?? "");
  if ("text" in body) return body.text;
  return utf8Text(fromBase64(body.base64) ?? new Uint8Array());
}

function toldByValue(text: string, deepest: number): unknown {
  const value = parsed(text, deepest);
  return value === undefined || !survivesParsing(text) ? undefined : value;
}

/** The value of a JSON text with limited nesting; undefined for any other text. */
function parsed(text: string, deepest: number): unknown {
  try {
    return depthProblem(text, deepest) === undefined ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

/** The spaces before the first member or element, which show the indentation. */
function indentOf(text: string): number {
  const [, spaces = ""] = /^[[{]\n( {1,10})(?! )/.exec(text) ?? [];
  return spaces.length;
}

/** Whether a text is valid JSON. */
export function isJson(text: string): boolean {
  // Looking at the first character is faster than catching the error.
  if (!/^\s*["[{\d\-tfn]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Whether parsing a valid JSON text loses nothing: no digits of a number, no duplicate name. */
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

/** Whether a number survives parsing: `1.0` and `1e2` do, `9007199254740993` does not. */
function numberSurvives(token: string): boolean {
  const written = String(Number(token));
  return written === token || plainDecimal(written) === plainDecimal(token);
}

/** The significant digits and the power of ten of the last one, in a unique spelling. */
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

/** A regular expression would scan each run of zeros to its end, in quadratic time. */
function withoutZerosAtEnd(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === "0") end -= 1;
  return digits.slice(0, end);
}
