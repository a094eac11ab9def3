import {
  BlobValue,
  ExactInteger,
  type Row as StoredRow,
  type Value,
  WholeReal,
  integerValue,
} from "../store/value.ts";
import type { JsonValue } from "../schema/json.ts";

/** A value as code sees it: integers that no number holds are bigints, blobs their bytes. */
export type RowValue = JsonValue | bigint | Uint8Array;

/** A row as code sees it: a value for each column, by name, in the table's order of columns. */
export type Row = Readonly<Record<string, RowValue>>;

/**
 * A row for code that runs beside the emulator. Nearly always it is the stored row itself. One with values that JSON
 * does not have becomes in JSON what clients see: `JSON.stringify` would throw at a bigint.
 */
export function plainRow(row: StoredRow): Row {
  if (isPlain(row)) return row;
  const values = Object.entries(row).map(([name, value]) => [name, plainValue(value)]);
  const plain: Row = Object.fromEntries(values);
  if (Object.hasOwn(plain, "toJSON")) return Object.freeze(plain);
  return Object.freeze(Object.defineProperty(plain, "toJSON", { value: () => row }));
}

function isPlain(row: StoredRow): row is Readonly<Record<string, JsonValue>> {
  return Object.values(row).every((value) => !isOfDatabasesOnly(value));
}

function isOfDatabasesOnly(value: Value): value is ExactInteger | WholeReal | BlobValue {
  return value instanceof ExactInteger || value instanceof WholeReal || value instanceof BlobValue;
}

function plainValue(value: Value): RowValue {
  if (!isOfDatabasesOnly(value)) return value;
  // A copy: nobody changes a stored value from outside.
  return value instanceof BlobValue ? value.bytes.slice() : value.value;
}

/** A value that code gives, as tables take it. */
export function givenValue(value: RowValue): Value {
  return typeof value === "bigint" ? integerValue(value) : exactValue(value);
}

/** The same for tables of which records are made: a bigint stays one, however small. */
export function exactValue(value: RowValue): Value {
  if (typeof value === "bigint") return new ExactInteger(value);
  return value instanceof Uint8Array ? new BlobValue(value.slice()) : value;
}
