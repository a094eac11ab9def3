import { readTokens } from "../http/json-tokens.ts";

/** Whether a valid JSON text says nothing that its parsed value does not: no digits that a number loses, no name twice. */
export function survivesParsing(text: string): boolean {
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
