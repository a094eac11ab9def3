import type { ColumnKind } from "./affinity.ts";
import { copyJson, deepestNesting } from "./json-value.ts";
import type { JsonValue } from "./row.ts";

/** A value as it is stored, or what the column takes instead. */
export type Fitting =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly expected: string };

/** Decides what fits a column and how it is stored. NULL is not asked about. */
export type FitPolicy = (value: unknown, kind: ColumnKind) => Fitting;

interface FitRule {
  readonly fits: (value: unknown) => boolean;
  readonly expected: string;
}

const anything: FitRule = {
  fits: () => true,
  expected: `a JSON value, at most ${deepestNesting} levels deep`,
};

const strictRules: Readonly<Record<ColumnKind, FitRule>> = {
  INTEGER: { fits: Number.isInteger, expected: "a whole number" },
  REAL: { fits: Number.isFinite, expected: "a number" },
  NUMERIC: {
    fits: (value) => typeof value === "string" || Number.isFinite(value),
    expected: "a number or a string",
  },
  TEXT: { fits: (value) => typeof value === "string", expected: "a string" },
  BOOLEAN: {
    fits: (value) => typeof value === "boolean" || value === 0 || value === 1,
    expected: "true, false, 0 or 1",
  },
  JSON: anything,
  ANY: anything,
  NONE: anything,
};

/** Takes only values of the column's own type, and stores them as they are. */
export function strictFit(value: unknown, kind: ColumnKind): Fitting {
  const rule = strictRules[kind];
  const stored = rule.fits(value) ? copyJson(value) : undefined;
  return stored === undefined
    ? { ok: false, expected: rule.expected }
    : { ok: true, value: stored };
}
