import type { TableSchema } from "../../core/store/schema.ts";
import { sqliteStorage } from "../../core/store/storage-rules.ts";
import { foldAscii } from "../../core/store/text-order.ts";
import { freeRowIdName } from "../../core/store/table-layout.ts";
import { rowIdWords } from "./words.ts";

/** Whether two names are the same to SQLite, which ignores the case of ASCII letters and of no others. */
export function sameName(left: string, right: string): boolean {
  return left === right || foldAscii(left) === foldAscii(right);
}

const folded = new WeakMap<TableSchema, ReadonlyMap<string, string>>();

/**
 * Columns by folded name. Computed once, since a query may have thousands of names. If two columns have the same name,
 * the first wins.
 */
function foldedNames(schema: TableSchema): ReadonlyMap<string, string> {
  const known = folded.get(schema);
  if (known !== undefined) return known;
  const names = new Map(schema.columns.toReversed().map(({ name }) => [foldAscii(name), name]));
  folded.set(schema, names);
  return names;
}

/** The column that an identifier refers to, in any case, or the row id. */
export function columnNamed(schema: TableSchema, name: string): string | undefined {
  const exact = schema.columns.find((column) => column.name === name);
  const found = exact?.name ?? foldedNames(schema).get(foldAscii(name));
  if (found !== undefined) return found;
  return rowIdWords.has(name.toUpperCase()) ? rowIdColumn(schema) : undefined;
}

/**
 * The name of the row id in the store: the integer primary key, or the first of the row id's names that no column has.
 * A table WITHOUT ROWID has none.
 */
export function rowIdColumn(schema: TableSchema): string | undefined {
  if (schema.withoutRowId === true) return undefined;
  return integerKey(schema) ?? freeRowIdName(schema);
}

/** The key column that is the row id. */
export function integerKey({ columns, primaryKey, withoutRowId }: TableSchema): string | undefined {
  const [sole, ...others] = primaryKey;
  if (sole === undefined || others.length > 0 || withoutRowId === true) return undefined;
  const column = columns.find(({ name }) => name === sole);
  return column !== undefined && sqliteStorage.isRowIdType(column.type) ? sole : undefined;
}

/** The primary key's columns in table order, as the service uses them. */
export function keyColumns({ columns, primaryKey }: TableSchema): readonly string[] {
  if (primaryKey.length < 2) return primaryKey;
  return columns.map(({ name }) => name).filter((name) => primaryKey.includes(name));
}
