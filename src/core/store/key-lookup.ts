import { rowIdOf, type TableLayout } from "./table-layout.ts";
import type { StoredRow, TableState } from "./table-state.ts";
import type { Value } from "./value.ts";

/** The row with this primary key, given in key order. Values count as the key's columns would store them. */
export function rowByKey(state: TableState, key: readonly Value[]): StoredRow | undefined {
  const { layout, uniques } = state;
  if (layout.rowIdColumn !== undefined) {
    const [id = null] = key;
    // A whole number is stored as it is.
    return rowById(state, Number.isInteger(id) ? id : (asStored(layout, key)[0] ?? null));
  }
  const values = asStored(layout, key);
  const [index] = uniques;
  if (index === undefined || layout.uniqueKeys[0]?.isKey !== true) return undefined;
  const wanted = index.keyOfValues(values);
  // NULL equals nothing, itself included.
  const id = wanted === null ? undefined : index.first(wanted);
  const row = id === undefined ? undefined : state.row(id);
  return id === undefined || row === undefined ? undefined : { id, row };
}

function rowById(state: TableState, value: Value): StoredRow | undefined {
  const id = rowIdOf(value);
  const row = id === undefined ? undefined : state.row(id);
  return id === undefined || row === undefined ? undefined : { id, row };
}

function asStored({ keyCells, storage }: TableLayout, key: readonly Value[]): readonly Value[] {
  return keyCells.map(({ kind }, at) => {
    const value = key[at] ?? null;
    if (value === null) return value;
    // SQLite does not round what it compares with a REAL.
    const fitting = storage.fit(value, kind === "REAL" ? "NUMERIC" : kind);
    return fitting.ok ? fitting.value : value;
  });
}
