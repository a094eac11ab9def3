import { BlobValue, ExactInteger, type Row, type Value, WholeReal } from "../../store/value.ts";
import { makeRow, type TableLayout } from "../../store/table-layout.ts";
import type { JsonValue } from "../../schema/json.ts";

/** A value that a structured clone keeps: what JSON has no word for is what no JSON value is. */
type PackedValue = JsonValue | bigint | Uint8Array | Float64Array;

/** The values of a row in the order of its table's columns. */
export type PackedRow = readonly PackedValue[];

/** A row in a form that can be kept outside of this process, without loss. */
export function packRow(row: Row, { columnNames }: TableLayout): PackedRow {
  return columnNames.map((name) => pack(row[name] ?? null));
}

/** The row that was packed. */
export function unpackRow(packed: PackedRow, layout: TableLayout): Row {
  return makeRow(layout, packed.map(unpack));
}

function pack(value: Value): PackedValue {
  if (value instanceof ExactInteger) return value.value;
  if (value instanceof BlobValue) return value.bytes;
  return value instanceof WholeReal ? Float64Array.of(value.value) : value;
}

function unpack(packed: PackedValue): Value {
  if (typeof packed === "bigint") return new ExactInteger(packed);
  if (packed instanceof Uint8Array) return new BlobValue(packed);
  return packed instanceof Float64Array ? new WholeReal(packed[0] ?? 0) : packed;
}
