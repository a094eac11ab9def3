import type { ColumnEntry, TableEntry } from "../api/client.ts";

/** A row in JSON. */
export type TableRow = Readonly<Record<string, unknown>>;

/** The value of a column, whatever its name: it may be `__proto__`. */
export function valueIn(row: TableRow, column: string): unknown {
  return Object.hasOwn(row, column) ? row[column] : undefined;
}

/**
 * The end of a row's path: the values of its key in order, percent-encoded. Undefined if the path cannot be used: the
 * table has no key, or a value of the key is null, empty or a rounded number.
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

/** A column of another table. */
interface Reference {
  readonly table: string;
  readonly column: string;
}

/** The column that a foreign key refers to. */
export function referenceOf(
  { references }: Pick<ColumnEntry, "references">,
  tables: readonly Pick<TableEntry, "name" | "columns">[],
): Reference | undefined {
  // Names may contain dots, so the text cannot be split at the first one.
  const all = tables.flatMap(({ name: table, columns }) =>
    columns.map(({ name: column }) => ({ table, column })),
  );
  return all.find(({ table, column }) => references === `${table}.${column}`);
}

/** Whether a number may have been rounded, since JSON numbers are read as doubles. */
export function isRounded(value: unknown): boolean {
  return typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value);
}

/** Whether a request can write the same values back: replies do not show bytes and all digits exactly. */
export function canPutBack({ columns }: Pick<TableEntry, "columns">, row: TableRow): boolean {
  return columns.every((column) => {
    const value = valueIn(row, column.name);
    return value === null || value === undefined || !(isBlobType(column) || isRounded(value));
  });
}

/** Whether a column is for bytes. */
export function isBlobType({ type }: Pick<ColumnEntry, "type">): boolean {
  return /blob/i.test(type);
}

/** The sentences of a refusal that name a column, by column. */
export function problemsByColumn(
  message: string,
  { name, columns }: Pick<TableEntry, "name" | "columns">,
): ReadonlyMap<string, string> {
  const sentences = message.replace(/^Cannot [^:]+: /, "").split(/(?<=\.) (?=[A-Z])/);
  const found = columns.flatMap((column) => {
    const names = [`"${column.name}"`, `${name}.${column.name}`];
    const about = sentences.filter((text) => names.some((part) => text.includes(part)));
    return about.length === 0 ? [] : [[column.name, about.join(" ")] as const];
  });
  return new Map(found);
}

/**
 * Replaces rounded numbers in rows by the exact ones in `stored`, where the control API sends them as texts of their
 * digits. Rows that are not in `stored` stay unchanged.
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
