import type { Table, Written } from "../store/table.ts";
import {
  Base64Blob,
  BlobValue,
  ExactInteger,
  type GivenRow,
  type Row,
  type Value,
  WholeReal,
} from "../store/value.ts";
import { rowMissing } from "../store/violation.ts";
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

/**
 * What was sent, with the stored value wherever that is shown as just what was sent. So a row that is read and sent
 * back loses nothing of what JSON cannot say: bytes, integers beyond doubles, 5.0 beside 5, infinite numbers.
 */
function keepStored(stored: Row, sent: GivenRow): GivenRow {
  const kept = Object.entries(stored).filter(
    ([name, value]) => Object.hasOwn(sent, name) && isShownAs(value, sent[name]),
  );
  // Not by assignment, which would lose a column named `__proto__`.
  return kept.length === 0 ? sent : Object.fromEntries([...Object.entries(sent), ...kept]);
}

/** The changes among what was sent: without what is shown just so already. */
function withoutShown(stored: Row, sent: GivenRow): GivenRow {
  const isShown = ([name, value]: [string, unknown]): boolean =>
    Object.hasOwn(stored, name) && isShownAs(stored[name] ?? null, value);
  const entries = Object.entries(sent);
  return entries.some(isShown)
    ? Object.fromEntries(entries.filter((entry) => !isShown(entry)))
    : sent;
}

/** Whether GET shows a value as this. Documents are not looked at: JSON says all of them. */
function isShownAs(value: Value, sent: unknown): boolean {
  if (value === sent) return true;
  if (value instanceof ExactInteger || value instanceof WholeReal) return value.toJSON() === sent;
  if (value instanceof Base64Blob) return value.toJSON() === sent;
  if (value instanceof BlobValue) return isEmptyObject(sent);
  return typeof value === "number" && !Number.isFinite(value) && sent === null;
}

function isEmptyObject(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.keys(value).length === 0;
}
