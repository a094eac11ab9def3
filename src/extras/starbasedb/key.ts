import type { TableSchema } from "../../core/store/schema.ts";
import type { RowTarget } from "../../core/rest/plan.ts";
import { bindValues } from "./bind.ts";
import { type Filter, makeFilter } from "./filters.ts";
import type { TermScope } from "./term.ts";
import { wordKind } from "./words.ts";

/** The values of a primary key by column, or what is missing of it. */
export type KeyValues =
  | { readonly ok: true; readonly values: ReadonlyMap<string, unknown> }
  | { readonly ok: false; readonly missing: string };

/**
 * Finds the values of a key: of a single column in the path or else by name, of several by name only. `find`
 * looks a column up where else the method has values. Empty and other falsy values count as missing.
 */
export function findKey(
  columns: readonly string[],
  inPath: string | undefined,
  find: (column: string) => unknown,
): KeyValues {
  const values = new Map<string, unknown>();
  for (const column of columns) {
    const value = (columns.length === 1 ? inPath : undefined) || find(column);
    if (!value) return { ok: false, missing: column };
    values.set(column, value);
  }
  return { ok: true, values };
}

/** Whether a name needs no quotes: the service writes names of key columns as the schema has them. */
function isPlain(column: string): boolean {
  return /^[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*$/.test(column) && wordKind(column) === "name";
}

/** The condition that a key column has a value; undefined when its name breaks the statement. */
export function keyFilter(column: string, value: string, scope: TermScope): Filter | undefined {
  if (!isPlain(column)) return undefined;
  return makeFilter({ column, operator: "eq", value }, scope);
}

/**
 * The row with a key, given by column. Undefined when SQLite refuses the statement: without a key it ends at
 * WHERE, and not every value can be bound.
 */
export function rowTarget(
  { primaryKey }: TableSchema,
  values: ReadonlyMap<string, unknown>,
): RowTarget | undefined {
  if (primaryKey.length === 0 || !primaryKey.every(isPlain)) {
    return undefined;
  }
  const bound = bindValues(primaryKey.map((column) => values.get(column)));
  return bound.ok ? { key: bound.values } : undefined;
}
