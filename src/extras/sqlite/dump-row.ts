import type { Affinity } from "../../core/store/column-kinds.ts";
import { sqliteStorage } from "../../core/store/storage-rules.ts";
import { rowIdName, rowIdOf } from "../../core/store/table-layout.ts";
import type { Row, Value } from "../../core/store/value.ts";
import { type DumpTable, type RowLayout, rowIdPlace } from "./dump-table.ts";

/**
 * The row that an `INSERT` makes of values, given in the order of the layout. Undefined where the key, or the row id,
 * would have to be a whole number and is not.
 */
export function rowOf(
  table: DumpTable,
  layout: RowLayout,
  given: readonly Value[],
): Row | undefined {
  const { columns, rowIdAt } = table.definition;
  const values = [...layout.defaults];
  let rowId: Value = null;
  for (let place = 0; place < given.length; place++) {
    const at = layout.columns[place] ?? rowIdPlace;
    const value = given[place] ?? null;
    const column = columns[at];
    if (column === undefined) rowId = storedValue(value, "INTEGER");
    else values[at] = storedValue(value, column.affinity);
  }
  if (rowIdAt >= 0) {
    values[rowIdAt] ??= table.nextKey();
    if (rowIdOf(values[rowIdAt] ?? null) === undefined) return undefined;
  }
  const row = namedValues(table.columnNames, values);
  if (rowId === null) return row;
  // The store takes the row id under this name, where no column has it.
  return rowIdOf(rowId) === undefined ? undefined : { ...row, [rowIdName]: rowId };
}

/** A value as a column with this affinity stores it. Values that need no change are most, and are quick. */
function storedValue(value: Value, affinity: Affinity): Value {
  if (value === null || affinity === "NONE") return value;
  const type = typeof value;
  if (affinity === "TEXT" ? type === "string" : type === "number") return value;
  const fitting = sqliteStorage.fit(value, affinity);
  return fitting.ok ? fitting.value : value;
}

/** Assigning is quicker than `Object.fromEntries`, but would not make a property of `__proto__`. */
function namedValues(names: readonly string[], values: readonly Value[]): Row {
  const row: Record<string, Value> = {};
  for (let at = 0; at < names.length; at++) {
    const name = names[at] ?? "";
    const value = values[at] ?? null;
    if (name === "__proto__") Object.defineProperty(row, name, { value, enumerable: true });
    else row[name] = value;
  }
  return row;
}
