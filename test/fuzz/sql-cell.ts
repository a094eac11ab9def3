import type { Affinity } from "../../src/core/store/column-kinds.ts";
import {
  BlobValue,
  ExactInteger,
  integerValue,
  isIntegerNumber,
  realValue,
  type Value,
  WholeReal,
} from "../../src/core/store/value.ts";

/** A value as SQLite has it. Its type is its storage class: a bigint is an INTEGER, a number a REAL. */
export type SqlCell = null | bigint | number | string | Uint8Array;

/** The value that the store is given for it. */
export function storeValue(cell: SqlCell): Value {
  if (typeof cell === "bigint") return integerValue(cell);
  if (typeof cell === "number") return realValue(cell);
  return cell instanceof Uint8Array ? new BlobValue(cell) : cell;
}

/** What a value of the store is in a column of this affinity. */
export function cellOf(value: Value, affinity: Affinity): SqlCell {
  if (value === null || typeof value === "string") return value;
  if (value instanceof BlobValue) return value.bytes;
  if (value instanceof ExactInteger || value instanceof WholeReal) return value.value;
  if (typeof value !== "number")
    throw new TypeError(`No value of SQLite: ${JSON.stringify(value)}`);
  return affinity !== "REAL" && isIntegerNumber(value) ? BigInt(value) : value;
}

/** The value in SQL, as an expression that converts nothing it is compared with. */
export function literal(cell: SqlCell): string {
  if (cell === null) return "NULL";
  if (typeof cell === "string") return textLiteral(cell);
  if (typeof cell === "number") return realLiteral(cell);
  return cell instanceof Uint8Array ? `x'${hexOf(cell)}'` : String(cell);
}

/** Text cannot have a NUL in SQL, so it is put in, as the shell does it with line feeds. No text has a backslash. */
function textLiteral(text: string): string {
  const plain = `'${text.replaceAll("'", "''").replaceAll("\0", "\\0")}'`;
  return text.includes("\0") ? `replace(${plain},'\\0',char(0))` : plain;
}

function realLiteral(real: number): string {
  if (!Number.isFinite(real)) return real > 0 ? "1e999" : "-1e999";
  const digits = Object.is(real, -0) ? "-0" : String(real);
  return /[.e]/.test(digits) ? digits : `${digits}.0`;
}

export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Whether they are the same value of the same class. Nothing that a client can see tells -0.0 from 0.0. */
export function isSameCell(left: SqlCell | undefined, right: SqlCell | undefined): boolean {
  if (left === right) return true;
  if (!(left instanceof Uint8Array) || !(right instanceof Uint8Array)) return false;
  return left.length === right.length && left.every((byte, at) => byte === right[at]);
}
