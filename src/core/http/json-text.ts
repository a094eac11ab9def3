/** Receives the tokens of a JSON text, in order. Ends are exclusive. */
export interface JsonTokens {
  readonly open: (kind: "array" | "object", start: number) => void;
  readonly close: (end: number) => void;
  /** The name of a member. */
  readonly key: (start: number, end: number) => void;
  /** A value other than an array or an object. */
  readonly value: (kind: "string" | "number" | "word", start: number, end: number) => void;
}

/** Walks over a valid JSON text. Not recursive, so any depth works. */
export function readTokens(text: string, tokens: JsonTokens): void {
  let index = 0;
  while (index < text.length) {
    const mark = text[index] ?? "";
    if (mark === '"') index = readString(text, index, tokens);
    else if (isBetween(mark)) index += 1;
    else if (mark === "{" || mark === "[") {
      tokens.open(mark === "{" ? "object" : "array", index);
      index += 1;
    } else if (mark === "}" || mark === "]") {
      index += 1;
      tokens.close(index);
    } else {
      index = readWord(text, index, tokens);
    }
  }
}

/** The characters between the tokens. */
function isBetween(mark: string): boolean {
  return mark === "," || mark === ":" || isSpace(mark);
}

function isSpace(mark: string): boolean {
  return mark === " " || mark === "\n" || mark === "\r" || mark === "\t";
}

// oxlint-disable-next-line max-params -- called for each piece of a body
function readString(text: string, start: number, tokens: JsonTokens): number {
  const end = endOfString(text, start);
  if (isKey(text, end)) tokens.key(start, end);
  else tokens.value("string", start, end);
  return end;
}

// oxlint-disable-next-line max-params -- as above
function readWord(text: string, start: number, tokens: JsonTokens): number {
  let end = start + 1;
  while (end < text.length && /[\w.+-]/.test(text[end] ?? "")) end += 1;
  tokens.value(/[-\d]/.test(text[start] ?? "") ? "number" : "word", start, end);
  return end;
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end + 1;
}

/** Whether an odd number of backslashes precedes a character. */
function isEscaped(text: string, index: number): boolean {
  let first = index;
  while (text[first - 1] === "\\") first -= 1;
  return (index - first) % 2 === 1;
}

/** Only a member's name has a colon after it. */
function isKey(text: string, end: number): boolean {
  let index = end;
  while (isSpace(text[index] ?? "")) index += 1;
  return text[index] === ":";
}

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
