import { type RawBuilder, sql } from "kysely";
import type { Collation } from "../../core/store/schema.ts";
import type { UniqueKey } from "../../core/store/table-layout.ts";
import type { Session } from "./connection.ts";
import { hiddenColumns, type StoredColumn, type StoredTable } from "./stored-table.ts";

/** An index of PostgreSQL takes no larger values. */
const mostBytes = 2_000;

interface Part {
  readonly column: StoredColumn;
  readonly collation: Collation;
}

/**
 * Has PostgreSQL refuse what would break a unique column, whoever writes it. What is equal there is equal to Backlot, so
 * that this never refuses what Backlot takes: so JSON is left out, and rows with values that no type has, and long ones.
 */
export async function createUniqueIndexes(
  session: Session,
  table: StoredTable,
  { schema, prefix }: { readonly schema: string; readonly prefix: string },
): Promise<void> {
  for (const [at, key] of table.layout.uniqueKeys.entries()) {
    const parts = partsOf(table, key);
    if (parts === undefined || isPrimaryKey(table, key)) continue;
    const length = sql.join(
      parts.map(({ column }) => lengthOf(column)),
      sql` + `,
    );
    await sql`create unique index ${sql.id(`${prefix}${at}`)} on ${sql.id(schema, table.name)}
      (${sql.join(parts.map(expressionOf))})
      where ${sql.id(hiddenColumns.exact)} is null and ${length} < ${sql.lit(mostBytes)}`.execute(
      session,
    );
  }
}

function partsOf({ columns }: StoredTable, key: UniqueKey): readonly Part[] | undefined {
  const parts = key.columns.flatMap((name, at): Part[] => {
    const column = columns.find((one) => one.name === name);
    const collation = key.rules[at]?.collation;
    if (column === undefined || collation === undefined || column.codec.type === "json") return [];
    return [{ column, collation }];
  });
  return parts.length === key.columns.length ? parts : undefined;
}

/** Which PostgreSQL keeps unique anyhow. */
function isPrimaryKey({ layout, primaryKey }: StoredTable, key: UniqueKey): boolean {
  return (
    key.isKey &&
    primaryKey === layout.schema.primaryKey &&
    key.rules.every(({ collation }) => collation === "BINARY")
  );
}

function lengthOf({ name, codec: { type } }: StoredColumn): RawBuilder<unknown> {
  if (type === "text" || type === "bytea") return sql`octet_length(${sql.id(name)})`;
  return type === "numeric" ? sql`octet_length(${sql.id(name)}::text)` : sql.lit(8);
}

function expressionOf({ column: { name, codec }, collation }: Part): RawBuilder<unknown> {
  const column = sql.id(name);
  if (codec.type !== "text") return column;
  // As SQLite compares: ASCII letters alone have two cases, and only spaces are left out at the end.
  if (collation === "NOCASE") return sql`lower(${column} collate "C") collate "C"`;
  if (collation === "RTRIM") return sql`rtrim(${column}, ' ') collate "C"`;
  return sql`${column} collate "C"`;
}
