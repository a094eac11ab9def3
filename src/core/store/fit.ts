import type { ColumnKind } from "./affinity.ts";
import { copyJson, deepestNesting } from "./json-value.ts";
import { parseNumber } from "./number-text.ts";
import {
  BlobValue,
  ExactInteger,
  integerValue,
  realValue,
  type Value,
  WholeReal,
} from "./value.ts";

/** A value as it is stored, or what the column takes instead. */
export type Fitting =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly expected: string };

/** Decides what fits a column and how it is stored. NULL is not asked about. */
export type FitPolicy = (value: unknown, kind: ColumnKind) => Fitting;

interface FitRule {
  readonly fits: (value: unknown) => boolean;
  readonly expected: string;
}

const jsonValue: FitRule = {
  fits: (value) => !isDatabaseValue(value),
  expected: `a JSON value, at most ${deepestNesting} levels deep`,
};
const anyValue: FitRule = { ...jsonValue, fits: () => true };

const strictRules: Readonly<Record<ColumnKind, FitRule>> = {
  INTEGER: {
    fits: (value) => Number.isInteger(value) || value instanceof ExactInteger,
    expected: "a whole number",
  },
  REAL: { fits: Number.isFinite, expected: "a number" },
  NUMERIC: {
    fits: (value) =>
      typeof value === "string" || Number.isFinite(value) || value instanceof ExactInteger,
    expected: "a number or a string",
  },
  TEXT: { fits: (value) => typeof value === "string", expected: "a string" },
  BOOLEAN: {
    fits: (value) => typeof value === "boolean" || value === 0 || value === 1,
    expected: "true, false, 0 or 1",
  },
  JSON: jsonValue,
  ANY: anyValue,
  NONE: anyValue,
};

/** Takes only values of the column's own type, and stores them as they are. */
export function strictFit(value: unknown, kind: ColumnKind): Fitting {
  const rule = strictRules[kind];
  const keepsClass = rule === anyValue;
  // Elsewhere the column tells that a number is a REAL.
  const known = value instanceof WholeReal && !keepsClass ? value.value : value;
  const given = kind === "INTEGER" ? exactInteger(known) : known;
  const stored = rule.fits(given) ? copyValue(given) : undefined;
  return stored === undefined
    ? { ok: false, expected: rule.expected }
    : { ok: true, value: stored };
}

/** A whole number that no JSON number holds is given as the text of its digits. Any other text is no number. */
export function exactInteger<Given>(value: Given): Given | number | ExactInteger {
  const number = typeof value === "string" ? parseNumber(value) : undefined;
  return typeof number === "bigint" && String(number) === value ? integerValue(number) : value;
}

/** As {@link copyJson}, for all values. */
export function copyValue(value: unknown): Value | undefined {
  if (value instanceof ExactInteger)
    return isStorable(value.value) ? integerValue(value.value) : undefined;
  if (value instanceof WholeReal) return realValue(value.value) ?? undefined;
  // Bytes are the one part of a value that cannot be frozen.
  return value instanceof BlobValue ? new BlobValue(new Uint8Array(value.bytes)) : copyJson(value);
}

function isStorable(integer: bigint): boolean {
  return BigInt.asIntN(64, integer) === integer;
}

/** Whether a value is one of those that JSON does not have. */
function isDatabaseValue(value: unknown): boolean {
  return value instanceof ExactInteger || value instanceof WholeReal || value instanceof BlobValue;
}
