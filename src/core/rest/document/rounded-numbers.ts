import type { Call } from "../../http/call.ts";

/** A number in a body that no double holds: a whole one, or one beyond all of them. Where it stands. */
export interface RoundedNumber {
  /** As it was sent. */
  readonly digits: string;
  readonly column: string;
}

/**
 * The numbers of a body that `JSON.parse` has made others of. A number as this service itself shows it does not
 * count: `9223372036854776000` is how JSON writes 2^63 here.
 */
export async function roundedNumbers(
  call: Call,
  row: Readonly<Record<string, unknown>>,
): Promise<readonly RoundedNumber[]> {
  // Most bodies have no number that could be one, and are not read a second time.
  if (!hasUnsafe(row)) return [];
  const body = await call.readBody();
  return body.kind === "bytes" ? findRounded(new TextDecoder().decode(body.bytes)) : [];
}

function hasUnsafe(value: unknown): boolean {
  // An infinite number is one that is beyond doubles: JSON has no word for it.
  if (typeof value === "number") return isUnsafe(value);
  return typeof value === "object" && value !== null && Object.values(value).some(hasUnsafe);
}

function isUnsafe(value: number): boolean {
  return !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value));
}

/** What matters here of a JSON text: where a text begins, whole numbers, and what opens and closes. */
const token = /"|-?\d[\d.eE+-]*|[{}[\]]/g;
const wholeNumber = /^-?\d+$/;

function findRounded(text: string): readonly RoundedNumber[] {
  const found: RoundedNumber[] = [];
  const tokens = new RegExp(token);
  let column = "";
  let depth = 0;
  for (let match = tokens.exec(text); match !== null; match = tokens.exec(text)) {
    const [mark] = match;
    if (mark === "{" || mark === "[") depth++;
    else if (mark === "}" || mark === "]") depth--;
    else if (mark !== '"') {
      if (isRounded(mark)) found.push({ digits: mark, column });
    } else {
      tokens.lastIndex = endOfText(text, tokens.lastIndex);
      // Where nothing but the row is open, a text is a column's name or else its value.
      const name = depth === 1 && isName(text, tokens.lastIndex);
      if (name) column = String(JSON.parse(text.slice(match.index, tokens.lastIndex)));
    }
  }
  return found;
}

/** Where a text ends that began before `start`. By hand, since on long ones a regular expression runs out of stack. */
function endOfText(text: string, start: number): number {
  let quote = text.indexOf('"', start);
  while (quote >= 0 && isEscaped(text, quote, start)) quote = text.indexOf('"', quote + 1);
  return quote < 0 ? text.length : quote + 1;
}

function isEscaped(text: string, quote: number, start: number): boolean {
  let first = quote;
  while (first > start && text[first - 1] === "\\") first--;
  return (quote - first) % 2 === 1;
}

/** Whether the text that ends here is a name: a colon follows. */
function isName(text: string, end: number): boolean {
  const next = /\S/g;
  next.lastIndex = end;
  return next.exec(text)?.[0] === ":";
}

function isRounded(digits: string): boolean {
  const value = Number(digits);
  if (!Number.isFinite(value)) return true;
  if (!wholeNumber.test(digits) || Number.isSafeInteger(value)) return false;
  return digits !== String(value) && BigInt(digits) !== BigInt(value);
}
