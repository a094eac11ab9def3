import type { Table, Written } from "../store/table.ts";
import type { Row, Value } from "../store/value.ts";
import { rowMissing } from "../store/violation.ts";
import { keepStored, withoutShown } from "./keep-stored.ts";
import type { Change, RowTarget } from "./plan.ts";

/** Makes a change. It happens as a whole or not at all. */
export function executeChange(table: Table, change: Change): Written {
  switch (change.kind) {
    case "insert":
      return table.insert(change.row);
    case "replace":
      return onRow(table, change.target, (key, stored) =>
        table.replace(key, change.keepsShown ? keepStored(stored(), change.row) : change.row),
      );
    case "update":
      return onRow(table, change.target, (key, stored) =>
        table.update(
          key,
          change.keepsShown ? withoutShown(stored(), change.changes) : change.changes,
        ),
      );
    case "delete":
      return onRow(table, change.target, (key) => table.delete(key));
  }
}

/**
 * Writes the row that is addressed. Where conditions fit two, as the key `5` fits a number and a text in an ANY
 * column, it is the older one.
 */
function onRow(
  table: Table,
  target: RowTarget,
  write: (key: readonly Value[], stored: () => Row) => Written,
): Written {
  if ("key" in target) return write(target.key, () => table.get(target.key) ?? {});
  const { where } = target;
  const [row] = table.select({ where, limit: 1 });
  if (row !== undefined) return write(keyOf(table, row), () => row);
  const values = where.map((condition) => ("value" in condition ? condition.value : ""));
  return { ok: false, violations: [rowMissing(table.schema.primaryKey, values)] };
}

function keyOf(table: Table, row: Row): readonly Value[] {
  return table.schema.primaryKey.map((column) => row[column] ?? null);
}
