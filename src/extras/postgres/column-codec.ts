import { columnKinds, type ValueShape } from "../../core/store/column-kinds.ts";
import type { CellLayout } from "../../core/store/table-layout.ts";
import {
  BlobValue,
  ExactInteger,
  type Value,
  WholeReal,
  copyJson,
  integerValue,
  isDatabaseValue,
  isIntegerNumber,
  realValue,
} from "../../core/store/value.ts";
import { hexadecimal } from "../../core/http/bytes.ts";

/** How a column's values are stored in PostgreSQL: as the texts that it reads and writes. */
export interface ColumnCodec {
  /** The column's type in PostgreSQL. */
  readonly type: "bigint" | "double precision" | "numeric" | "text" | "boolean" | "json" | "bytea";
  /** A value's text, exactly as PostgreSQL returns it. Undefined: the type has no such value. Never called with NULL. */
  readonly write: (value: Value) => string | undefined;
  /** The nearest text that the type has, for a value that it lacks. */
  readonly nearest: (value: Value) => string;
  /** The value of a text that PostgreSQL returns. Undefined: the column cannot have that value. */
  readonly read: (text: string) => Value | undefined;
}

/** The codec for a column. */
export function codecOf({ kind, column }: Pick<CellLayout, "kind" | "column">): ColumnCodec {
  return codecs[columnKinds[kind].shape](column.type);
}

const integer = /^-?\d+$/;

function readInteger(digits: string): Value | undefined {
  if (!integer.test(digits)) return undefined;
  return integerOf(digits);
}

function integerOf(digits: string): Value {
  const value = BigInt(digits);
  // Beyond 64 bits there are only doubles.
  return BigInt.asIntN(64, value) === value ? integerValue(value) : Number(value);
}

const bigint: ColumnCodec = {
  type: "bigint",
  write: (value) => {
    if (value instanceof ExactInteger) return String(value.value);
    return typeof value === "number" && isIntegerNumber(value) ? String(BigInt(value)) : undefined;
  },
  nearest: () => "0",
  read: readInteger,
};

const double: ColumnCodec = {
  type: "double precision",
  // PostgreSQL spells some numbers differently.
  write: (value) => (typeof value === "number" ? String(value) : undefined),
  nearest: () => "0",
  read: readReal,
};

function readReal(written: string): number | undefined {
  const number = written === "" ? Number.NaN : Number(written);
  return Number.isNaN(number) ? undefined : number + 0;
}

const numeric: ColumnCodec = {
  type: "numeric",
  write: (value) => {
    if (value instanceof ExactInteger) return String(value.value);
    if (typeof value !== "number" || !Number.isFinite(value)) return undefined;
    // The shortest text of a large number has other digits.
    const digits = Number.isInteger(value) ? String(BigInt(value)) : String(value);
    // There is an INTEGER with the same digits.
    return value === -(2 ** 63) ? `${digits}.0` : digits;
  },
  nearest: () => "0",
  read: (written) => {
    if (integer.test(written)) return integerOf(written);
    const number = readReal(written);
    if (number === undefined) return undefined;
    const real = realValue(number);
    return real instanceof WholeReal ? real.value : real;
  },
};

const boolean: ColumnCodec = {
  type: "boolean",
  write: (value) => (typeof value === "boolean" ? letterOf(value) : undefined),
  nearest: (value) => letterOf(value === 1),
  read: (written) => (written === "t" || written === "f" ? written === "t" : undefined),
};

function letterOf(value: boolean): string {
  return value ? "t" : "f";
}

const text: ColumnCodec = {
  type: "text",
  write: (value) => (typeof value === "string" && isText(value) ? value : undefined),
  nearest: (value) => {
    const shown = typeof value === "string" ? value : JSON.stringify(value);
    return shown.replaceAll(unsayable, "\uFFFD");
  },
  read: (written) => written,
};

/** What PostgreSQL allows in no text: NUL, and halves of surrogate pairs. */
const unsayable = /\0|\p{Surrogate}/gu;

function isText(value: string): boolean {
  return value.search(unsayable) < 0;
}

const json: ColumnCodec = {
  type: "json",
  write: (value) => {
    if (isDatabaseValue(value)) return undefined;
    return typeof value === "number" && !Number.isFinite(value) ? undefined : JSON.stringify(value);
  },
  nearest: (value) => {
    if (value instanceof ExactInteger) return String(value.value);
    return value instanceof BlobValue ? `"${hexadecimal(value.bytes)}"` : JSON.stringify(value);
  },
  read: readJson,
};

function readJson(written: string): Value | undefined {
  try {
    return copyJson(JSON.parse(written));
  } catch {
    return undefined;
  }
}

const bytea: ColumnCodec = {
  type: "bytea",
  write: (value) => (value instanceof BlobValue ? `\\x${hexadecimal(value.bytes)}` : undefined),
  nearest: () => "\\x",
  read: (written) =>
    /^\\x(?:[\da-f]{2})*$/.test(written)
      ? new BlobValue(Uint8Array.from(Buffer.from(written.slice(2), "hex")))
      : undefined,
};

const codecs: Readonly<Record<ValueShape, (type: string) => ColumnCodec>> = {
  integer: () => bigint,
  double: () => double,
  // Dates are NUMERIC, too.
  decimal: (type) => (/NUM|DEC|MONEY|BOOL/i.test(type) ? numeric : text),
  text: () => text,
  boolean: () => boolean,
  json: () => json,
  any: (type) => (/BLOB/i.test(type) ? bytea : json),
};
