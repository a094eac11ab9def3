import { sql } from "kysely";
import type { Session } from "./connection.ts";
import { hiddenColumns, type StoredTable } from "./stored-table.ts";

/** What of the tables is not as it was made: the first difference, or undefined where there is none. */
export async function alterationOf(
  session: Session,
  schema: string,
  tables: readonly StoredTable[],
): Promise<string | undefined> {
  const { rows } = await sql<Readonly<Record<"table" | "column" | "type", string>>>`
    select relname as table, attname as column, format_type(atttypid, null) as type
    from pg_attribute
    join pg_class on pg_class.oid = attrelid
    join pg_namespace on pg_namespace.oid = relnamespace
    where nspname = ${schema} and attnum > 0 and not attisdropped
  `.execute(session);
  const there = new Map<string, Map<string, string>>();
  for (const { table, column, type } of rows) {
    const types = there.get(table) ?? new Map<string, string>();
    there.set(table, types.set(column, type));
  }
  // Where all are gone it is the schema that was dropped, which is another matter.
  if (tables.every(({ name }) => !there.has(name))) return undefined;
  for (const table of tables) {
    const difference = differenceOf(table, there.get(table.name));
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function differenceOf(
  { name, columns, idColumn }: StoredTable,
  there: ReadonlyMap<string, string> | undefined,
): string | undefined {
  if (there === undefined) return `there is no table "${name}" any more`;
  const made = new Map<string, string>([
    ...columns.map(({ name: column, codec }) => [column, codec.type] as const),
    [hiddenColumns.exact, "json"],
  ]);
  if (idColumn === hiddenColumns.id) made.set(idColumn, "bigint");
  for (const [column, type] of made) {
    const now = there.get(column);
    if (now === undefined) return `table "${name}" has no column "${column}" any more`;
    if (now !== type) return `table "${name}", column "${column}" is ${now} there, not ${type}`;
  }
  return undefined;
}
