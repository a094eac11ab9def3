import type { ColumnKind } from "./affinity.ts";
import { copyValue, type Fitting } from "./fit.ts";
import { deepestNesting } from "./json-value.ts";
import { integerText, parseNumber, realText } from "./number-text.ts";
import { wellFormed } from "./text-order.ts";
import {
  BlobValue,
  ExactInteger,
  integerValue,
  isIntegerNumber,
  type Value,
  WholeReal,
} from "./value.ts";

/** A value in one of SQLite's storage classes. */
type Bound = null | number | string | ExactInteger | WholeReal | BlobValue;

/**
 * Stores as SQLite does: the column's affinity converts what it can, and everything else stays what it is. Of
 * what SQLite does not have, booleans become 1 and 0, arrays and objects their compact JSON text.
 */
export function affinityFit(value: unknown, kind: ColumnKind): Fitting {
  const bound = bind(value);
  return bound === undefined
    ? { ok: false, expected: `a number or a JSON value, at most ${deepestNesting} levels deep` }
    : { ok: true, value: store(bound, kind) };
}

function bind(value: unknown): Bound | undefined {
  if (typeof value === "string") return wellFormed(value);
  // SQLite has infinite numbers; the sum makes 0 of -0, which nobody can tell apart there.
  if (typeof value === "number") return Number.isNaN(value) ? undefined : value + 0;
  const copy = copyValue(value);
  if (copy === undefined || copy === null) return copy;
  if (typeof copy === "boolean") return Number(copy);
  return isBound(copy) ? copy : wellFormed(JSON.stringify(copy));
}

function isBound(value: Exclude<Value, boolean>): value is Bound {
  return (
    typeof value !== "object" ||
    value instanceof ExactInteger ||
    value instanceof WholeReal ||
    value instanceof BlobValue
  );
}

function store(bound: Bound, kind: ColumnKind): Value {
  if (bound === null || bound instanceof BlobValue) return bound;
  switch (kind) {
    case "NONE":
      return bound;
    case "TEXT":
      return textOf(bound);
    case "REAL":
      return realOf(bound);
    default:
      return numericOf(bound);
  }
}

function textOf(bound: number | string | ExactInteger | WholeReal): string {
  if (typeof bound === "string") return bound;
  if (typeof bound === "number")
    return isIntegerNumber(bound) ? integerText(bound) : realText(bound);
  return bound instanceof ExactInteger ? bound.value.toString() : realText(bound.value);
}

/** A REAL column holds no integers; the nearest REAL takes their place. */
function realOf(bound: number | string | ExactInteger | WholeReal): number | string {
  if (typeof bound === "number") return bound;
  if (typeof bound !== "string") return Number(bound.value);
  const number = parseNumber(bound);
  return number === undefined ? bound : Number(number) + 0;
}

/** An INTEGER or NUMERIC column makes an INTEGER of every number that is one. */
function numericOf(bound: number | string | ExactInteger | WholeReal): Value {
  if (bound instanceof WholeReal) return bound.value + 0;
  if (typeof bound !== "string") return bound;
  const number = parseNumber(bound);
  if (number === undefined) return bound;
  return typeof number === "bigint" ? integerValue(number) : number + 0;
}
