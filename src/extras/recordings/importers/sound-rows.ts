import type { JsonRow } from "../../../core/store/value.ts";
import type { Tell } from "./imported.ts";
import type { ImportedTable } from "./table-files.ts";

/** A table without what no table can have: columns without a name, and rows without an id of their own where there are ids. */
export function soundRows(table: ImportedTable, tell: Tell): ImportedTable {
  const { path } = table;
  const named = table.rows.map((row, index) => {
    if (!Object.hasOwn(row, "")) return row;
    tell([...path, index, ""], "left out: a column needs a name");
    return Object.fromEntries(Object.entries(row).filter(([name]) => name !== ""));
  });
  const hasIds = named.some((row) => Object.hasOwn(row, "id")) || table.columns?.has("id") === true;
  return {
    ...table,
    rows: hasIds ? withIds(named, (index, why) => tell([...path, index], why)) : named,
  };
}

function withIds(
  rows: readonly JsonRow[],
  tell: (index: number, why: string) => void,
): readonly JsonRow[] {
  const ids = new Set<unknown>();
  return rows.filter((row, index) => {
    const id = Object.hasOwn(row, "id") ? row["id"] : null;
    if (typeof id !== "string" && typeof id !== "number") {
      tell(
        index,
        "left out: its id is neither a text nor a number, and it is the key of the others",
      );
      return false;
    }
    if (ids.has(id)) tell(index, `left out: another row has the id ${JSON.stringify(id)}`);
    const isNew = !ids.has(id);
    ids.add(id);
    return isNew;
  });
}
