import { sql } from "kysely";
import type { Session } from "./connection.ts";
import { hiddenColumns, type StoredTable } from "./stored-table.ts";

/** What somebody made of a table. */
export interface Alteration {
  readonly difference: string;
  /** Whether to ask for its rows would fail. */
  readonly isGone: boolean;
}

/** The tables that are not as they were made, by name: the first difference of each. */
export async function alterationsOf(
  session: Session,
  schema: string,
  tables: readonly StoredTable[],
): Promise<ReadonlyMap<string, Alteration>> {
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
  // It is the schema that was dropped then, which is another matter.
  if (there.size === 0) return new Map();
  return new Map(
    tables.flatMap((table) => {
      const alteration = alterationOf(table, there.get(table.name));
      return alteration === undefined ? [] : [[table.name, alteration] as const];
    }),
  );
}

function alterationOf(
  { name, columns, idColumn }: StoredTable,
  there: ReadonlyMap<string, string> | undefined,
): Alteration | undefined {
  if (there === undefined) {
    return { difference: `there is no table "${name}" any more`, isGone: true };
  }
  const made = new Map<string, string>([
    ...columns.map(({ name: column, codec }) => [column, codec.type] as const),
    [hiddenColumns.exact, "json"],
  ]);
  if (idColumn === hiddenColumns.id) made.set(idColumn, "bigint");
  const missing = [...made.keys()].find((column) => !there.has(column));
  if (missing !== undefined) {
    return { difference: `table "${name}" has no column "${missing}" any more`, isGone: true };
  }
  for (const [column, type] of made) {
    const now = there.get(column);
    if (now === type) continue;
    const difference = `table "${name}", column "${column}" is ${now} there, not ${type}`;
    // Rows are asked for by their ids.
    return { difference, isGone: there.get(idColumn) !== "bigint" };
  }
  return undefined;
}
