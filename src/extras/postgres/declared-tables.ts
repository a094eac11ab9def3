import { invalidOption } from "../../core/errors/emulator-error.ts";
import type { Database } from "../../core/store/database.ts";
import type { Column, TableSchema } from "../../core/store/schema.ts";
import { type TablesAddress, longestName } from "./address.ts";
import type { PgSession } from "./connection.ts";
import { formatVersion, ownPrefix, ownTables } from "./head.ts";
import { type StoredTable, storedTable } from "./stored-table.ts";

/** The tables that a schema keeps. */
export interface KeptTables {
  readonly address: TablesAddress;
  /** The profile whose storage rules they follow. */
  readonly profile: string;
  readonly tables: readonly StoredTable[];
}

/** How the tables of a database are stored. Throws `ERR_OPTION_INVALID` for tables that PostgreSQL cannot keep. */
export function storedTables(database: Database): readonly StoredTable[] {
  return [...database.snapshot().tables].map(([name, { layout }]) => {
    const problem = problemOf(layout.declared);
    if (problem === undefined) return storedTable(layout);
    throw invalidOption(`Cannot keep the table ${JSON.stringify(name)} in PostgreSQL: ${problem}`);
  });
}

function problemOf({ name, columns }: TableSchema): string | undefined {
  if (columns.length === 0) {
    return "the fixtures do not show its columns. Give it a row, or name them under `columns`.";
  }
  const own = columns.find((column) => column.name.startsWith(ownPrefix));
  if (own !== undefined) return `columns such as "${own.name}" are Backlot's own. Rename it.`;
  if (name.startsWith(ownPrefix)) return "names that begin so are Backlot's own. Rename it.";
  const system = columns.find((column) => systemColumns.includes(column.name));
  if (system !== undefined) {
    return `PostgreSQL has a column "${system.name}" of its own in every table. Rename it.`;
  }
  // Such names have a special meaning for the query builder.
  if (/\.|\sas\s/i.test(name)) return 'its name has a dot, or the word "as". Rename it.';
  const odd = [name, ...columns.map((column) => column.name)].find(isNoName);
  if (odd === undefined) return undefined;
  return `${JSON.stringify(odd)} is not a valid name there: it is empty, has a NUL or more than ${longestName} bytes. Rename it.`;
}

const systemColumns: readonly string[] = ["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"];

function isNoName(name: string): boolean {
  return name === "" || Buffer.byteLength(name) > longestName || /\0|\p{Surrogate}/u.test(name);
}

/** A table's declaration as text. It differs wherever the stored rows could differ. */
export function declarationOf({ layout }: Pick<StoredTable, "layout">): string {
  const {
    name,
    columns,
    primaryKey,
    autoIncrement = false,
    withoutRowId = false,
  } = layout.declared;
  return JSON.stringify({
    name,
    columns: columns.map(({ name: column, type, notNull }) => ({ name: column, type, notNull })),
    primaryKey,
    autoIncrement,
    withoutRowId,
    unique: layout.uniqueKeys.map(({ columns: names, rules }) => [
      names,
      rules.map(({ collation }) => collation),
    ]),
  });
}

interface Declaration extends Pick<TableSchema, "primaryKey"> {
  readonly columns: readonly DeclaredColumn[];
  readonly unique: unknown;
}

type DeclaredColumn = Pick<Column, "name" | "type" | "notNull">;

/** Throws `ERR_OPTION_INVALID` if the schema's tables are not those of the fixtures. */
export async function checkDeclared(session: PgSession, kept: KeptTables): Promise<void> {
  const { schema, shown } = kept.address;
  const difference = await differenceThere(session, kept);
  if (difference === undefined) return;
  throw invalidOption(
    `Cannot use the tables in the schema "${schema}" of ${shown}: ${difference}. ` +
      `Start with the fixtures that they were made from, give another schema (?schema=name), ` +
      `or start over: DROP SCHEMA "${schema}" CASCADE.`,
  );
}

async function differenceThere(
  session: PgSession,
  { profile, tables }: KeptTables,
): Promise<string | undefined> {
  const state = await session
    .selectFrom(ownTables.state)
    .select(["format", "profile"])
    .executeTakeFirstOrThrow();
  if (state["format"] !== formatVersion) return "they were made by another version of Backlot";
  if (state["profile"] !== profile) {
    return `they were made for the profile "${state["profile"]}", and this is "${profile}"`;
  }
  const rows = await session.selectFrom(ownTables.tables).select(["name", "declared"]).execute();
  const made = new Map(rows.map((row) => [row["name"] ?? "", row["declared"] ?? ""]));
  for (const table of tables) {
    const difference = differenceOf(table, made.get(table.name));
    if (difference !== undefined) return difference;
    made.delete(table.name);
  }
  const [more] = made.keys();
  return more === undefined
    ? undefined
    : `there is a table "${more}", which the fixtures do not have`;
}

function differenceOf(table: StoredTable, made: string | undefined): string | undefined {
  const now = declarationOf(table);
  if (made === undefined) return `there is no table "${table.name}", which the fixtures have`;
  if (made === now) return undefined;
  const there: Declaration = JSON.parse(made);
  const here: Declaration = JSON.parse(now);
  const columns = new Map(there.columns.map((column) => [column.name, showColumn(column)]));
  for (const column of here.columns) {
    const before = columns.get(column.name);
    columns.delete(column.name);
    const place = `"${table.name}"."${column.name}"`;
    if (before === undefined) return `there is no column ${place}, which the fixtures have`;
    if (before !== showColumn(column)) {
      return `the column ${place} is ${before} there and ${showColumn(column)} in the fixtures`;
    }
  }
  const [more] = columns.keys();
  if (more !== undefined) {
    return `there is a column "${table.name}"."${more}", which the fixtures do not have`;
  }
  const isOtherKey = JSON.stringify(there.primaryKey) !== JSON.stringify(here.primaryKey);
  if (!isOtherKey && JSON.stringify(there.unique) !== JSON.stringify(here.unique)) {
    return `the table "${table.name}" has other unique columns there`;
  }
  return `the table "${table.name}" has its columns in another order there, or another primary key`;
}

function showColumn({ type, notNull }: DeclaredColumn): string {
  return `${type === "" ? "of no type" : type}${notNull ? " NOT NULL" : ""}`;
}
