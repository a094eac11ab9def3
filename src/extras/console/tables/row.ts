import type { TableEntry } from "../api/setup.ts";

/** A row in JSON. */
export type TableRow = Readonly<Record<string, unknown>>;

/** A column's value, whatever the column is called. */
export function valueIn(row: TableRow, column: string): unknown {
  return Object.hasOwn(row, column) ? row[column] : undefined;
}

/**
 * The end of a row's path: the values of its key in order, percent-encoded. Undefined: the row has no usable path, since
 * the table has no key, or the row's key is null, empty or a rounded number.
 */
export function keyPath(
  { primaryKey }: Pick<TableEntry, "primaryKey">,
  row: TableRow,
): string | undefined {
  const values = primaryKey.map((column) => valueIn(row, column));
  if (values.length === 0 || !values.every(canBeKey)) return undefined;
  return values.map((value) => encodeURIComponent(String(value))).join(",");
}

function canBeKey(value: unknown): value is string | number | boolean {
  if (typeof value === "number") return !isRounded(value);
  return typeof value === "boolean" || (typeof value === "string" && value !== "");
}

/** Whether a number may be a rounded one, since JSON numbers are read as doubles. */
export function isRounded(value: unknown): boolean {
  return typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value);
}

/**
 * The rows with the exact whole numbers of `stored`, where the control API sends them as texts of their digits. Rows not
 * found there stay as they are.
 */
export function exactRows(
  rows: readonly TableRow[],
  stored: readonly TableRow[],
): readonly TableRow[] {
  const left = new Set(stored);
  return rows.map((row) => {
    if (!Object.values(row).some(isRounded)) return row;
    for (const candidate of left) {
      if (!isSameRow(row, candidate)) continue;
      left.delete(candidate);
      return candidate;
    }
    return row;
  });
}

function isSameRow(row: TableRow, candidate: TableRow): boolean {
  return Object.entries(row).every(([column, value]) => {
    const other = valueIn(candidate, column);
    if (isRounded(value)) return Number(other) === value;
    return JSON.stringify(value) === JSON.stringify(other);
  });
}
