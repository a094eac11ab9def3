import type { GivenRow, Row } from "../../core/store/value.ts";

/**
 * The columns that are given just as the row has them. Their properties are left alone: a record holds more than its
 * row shows, such as dates, bigints, and relations within documents.
 */
export function unchangedColumns(row: Row, given: GivenRow): ReadonlySet<string> {
  const names = Object.keys(given).filter(
    (name) => Object.hasOwn(row, name) && isSame(row[name], given[name]),
  );
  return new Set(names);
}

/** The rest of what is given. */
export function withoutColumns(given: GivenRow, names: ReadonlySet<string>): GivenRow {
  return names.size === 0
    ? given
    : Object.fromEntries(Object.entries(given).filter(([name]) => !names.has(name)));
}

function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (!isObject(left) || !isObject(right)) return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  if (Object.getPrototypeOf(left) !== Object.getPrototypeOf(right)) return false;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && isSame(left[name], right[name]))
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
