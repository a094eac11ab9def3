import type { JsonValue, Row as StoredRow } from "../store/row.ts";
import { BlobValue, ExactInteger, integerValue, type Value, WholeReal } from "../store/value.ts";

/** A value as code sees it: integers that no number holds are bigints, blobs their bytes. */
export type RowValue = JsonValue | bigint | Uint8Array;

/** A row as code sees it: a value for each column, by name, in the table's order of columns. */
export type Row = Readonly<Record<string, RowValue>>;

/** A row for code that runs beside the emulator. Nearly always it is the stored row itself. */
export function plainRow(row: StoredRow): Row {
  return isPlain(row)
    ? row
    : Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plainValue(value)]));
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
  if (typeof value === "bigint") return integerValue(value);
  return value instanceof Uint8Array ? new BlobValue(value.slice()) : value;
}
