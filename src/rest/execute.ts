import type { Condition } from "../store/filter.ts";
import type { JsonValue, Row } from "../store/row.ts";
import type { Table, WriteResult } from "../store/table.ts";
import { rowMissing } from "../store/violation.ts";
import type { WritePlan } from "./plan.ts";

/** Carries out a write. It happens as a whole or not at all. */
export function executeWrite(table: Table, plan: WritePlan): WriteResult {
  switch (plan.kind) {
    case "insert":
      return table.insert(plan.row);
    case "replace":
      return onRow(table, plan.where, (key) => table.replace(key, plan.row));
    case "update":
      return onRow(table, plan.where, (key) => table.update(key, plan.changes));
    case "delete":
      return onRow(table, plan.where, (key) => table.delete(key));
  }
}

/**
 * Finds the row that a path addresses and writes it. In an ANY column the key `5` fits a number and a text;
 * where both exist, it is the older row.
 */
function onRow(
  table: Table,
  where: readonly Condition[],
  write: (key: readonly JsonValue[]) => WriteResult,
): WriteResult {
  const [row] = table.select({ where, limit: 1 });
  if (row !== undefined) return write(keyOf(table, row));
  const values = where.map((condition) => ("value" in condition ? condition.value : ""));
  return { ok: false, violations: [rowMissing(table.schema.primaryKey, values)] };
}

function keyOf(table: Table, row: Row): readonly JsonValue[] {
  return table.schema.primaryKey.map((column) => row[column] ?? null);
}
