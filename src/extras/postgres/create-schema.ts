import { invalidOption } from "../../core/errors/emulator-error.ts";
import type { Database } from "../../core/store/database.ts";
import { type Column, type TableSchema, CurrentTime } from "../../core/store/schema.ts";
import { type TablesAddress, longestName } from "./address.ts";
import { type PgSession, formatVersion, ownPrefix, ownTables, type Head } from "./connection.ts";
import { type StoredTable, storedTable, type StoredColumn, hiddenColumns } from "./stored-table.ts";
import { defaultValue } from "../../core/store/row-draft.ts";
import type { StorageRules } from "../../core/store/storage-rules.ts";
import { insertStoredRows, rowsOf, setLargestId } from "./write-rows.ts";
import { type RawBuilder, sql } from "kysely";
import { randomUUID } from "node:crypto";

/** The tables of a schema, and the profile for which they are made. */
export interface KeptTables {
  readonly address: TablesAddress;
  /** The profile whose storage rules the tables follow. */
  readonly profile: string;
  readonly tables: readonly StoredTable[];
}

/**
 * The tables of a database, in the form in which PostgreSQL stores them. Throws `ERR_OPTION_INVALID` for tables that
 * PostgreSQL cannot keep.
 */
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
  const taken = columns.find((column) => column.name.startsWith(ownPrefix));
  if (taken !== undefined) return `columns such as "${taken.name}" are Backlot's own. Rename it.`;
  if (name.startsWith(ownPrefix)) return "names that begin so are Backlot's own. Rename it.";
  const system = columns.find((column) => systemColumns.includes(column.name));
  if (system !== undefined) {
    return `PostgreSQL has a column "${system.name}" of its own in every table. Rename it.`;
  }
  // The query builder would give such names a special meaning.
  if (/\.|\sas\s/i.test(name)) return 'its name has a dot, or the word "as". Rename it.';
  const odd = [name, ...columns.map((column) => column.name)].find(isNoName);
  if (odd === undefined) return undefined;
  return `${JSON.stringify(odd)} is not a valid name there: it is empty, has a NUL or more than ${longestName} bytes. Rename it.`;
}

const systemColumns: readonly string[] = ["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"];

function isNoName(name: string): boolean {
  return name === "" || Buffer.byteLength(name) > longestName || /\0|\p{Surrogate}/u.test(name);
}

/** A table's declaration as text. Two tables have the same text only if they store rows in the same way. */
function declarationOf({ layout }: Pick<StoredTable, "layout">): string {
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

/** Creates the schema with a database's tables and rows. Rejects if it already has other tables with these names. */
export async function createTables(
  session: PgSession,
  database: Database,
  kept: KeptTables,
): Promise<Head> {
  await makeRoom(session, kept);
  const { schema } = kept.address;
  const head = await createOwnParts(session, kept);
  const states = database.snapshot().tables;
  for (const table of kept.tables) {
    await createTable(session, table, schema);
    const state = states.get(table.name);
    if (state === undefined) continue;
    await insertStoredRows(session, table, rowsOf(state));
    if (table.keepsLargestId) await setLargestId(session, table, state.largestId);
    await createTriggers(session, table, schema);
  }
  return head;
}

/** Makes sure that the schema exists. Throws `ERR_OPTION_INVALID` if it already has other tables with these names. */
async function makeRoom(
  session: PgSession,
  { address: { schema, shown }, tables }: KeptTables,
): Promise<void> {
  const { rows } = await sql<{ readonly name: string | null }>`
    select relname as name from pg_namespace left join pg_class on pg_namespace.oid = relnamespace
    where nspname = ${schema}
  `.execute(session);
  // Even with "if not exists", PostgreSQL refuses this statement if the role may not create schemas.
  if (rows.length === 0) await session.schema.createSchema(schema).execute();
  const foreign = tables.find((table) => rows.some(({ name }) => name === table.name));
  if (foreign === undefined) return;
  throw invalidOption(
    `Cannot keep tables in the schema "${schema}" of ${shown}: it has a "${foreign.name}" that Backlot did not make. ` +
      "Give another schema: ?schema=name.",
  );
}

/** Creates Backlot's own tables, and the functions for triggers and defaults. */
async function createOwnParts(
  session: PgSession,
  { address: { schema }, profile }: KeptTables,
): Promise<Head> {
  const { state, tables, changes } = ownTables;
  const [head, declared, log] = [state, tables, changes].map((name) => sql.id(schema, name));
  const made: Head = { id: randomUUID(), version: 0, oldest: 1 };
  // A transaction that writes locks the row of the state table until it ends, so that versions become visible in order.
  // A change without a row id concerns all rows. Rows that other programs add get the id that Backlot would give them.
  await sql`
    create table ${head} (is_one boolean primary key default true check (is_one), id text not null,
      format text not null, profile text not null, version bigint not null, oldest bigint not null,
      writer bigint not null);
    insert into ${head} values (true, ${sql.lit(made.id)}, ${sql.lit(formatVersion)}, ${sql.lit(profile)}, 0, 1, 0);
    create table ${declared} (name text primary key, declared text not null, id_column text not null,
      largest_id bigint);
    create table ${log} (version bigint not null, table_name text not null, row_id bigint);
    create index on ${log} (version);
    create function ${own(schema, "lock")}() returns trigger ${definer} as ${quoted(sql`
      begin
        update ${head} set version = version + 1, writer = txid_current() where writer <> txid_current();
        return null;
      end`)};
    create function ${own(schema, "note")}() returns trigger ${definer} as ${quoted(sql`
      declare
        old_id bigint;
        new_id bigint;
        now bigint := (select version from ${head});
      begin
        if tg_op = 'TRUNCATE' then
          insert into ${log} values (now, tg_table_name, null);
          return null;
        end if;
        if tg_op <> 'INSERT' then
          execute format('select ($1).%I', tg_argv[0]) into old_id using old;
          insert into ${log} values (now, tg_table_name, old_id);
        end if;
        if tg_op <> 'DELETE' then
          execute format('select ($1).%I', tg_argv[0]) into new_id using new;
          if new_id is distinct from old_id then
            insert into ${log} values (now, tg_table_name, new_id);
          end if;
        end if;
        if tg_op = 'INSERT' and tg_argv[1] = 'true' then
          update ${declared} set largest_id = greatest(largest_id, new_id) where name = tg_table_name;
        end if;
        return null;
      end`)};
    create function ${own(schema, "next_id")}(of_table text) returns bigint ${definer} volatile as ${quoted(sql`
      declare
        largest bigint;
        known record;
      begin
        select id_column, largest_id into strict known from ${declared} where name = of_table;
        execute format('select max(%I) from %I.%I', known.id_column, ${sql.lit(schema)}, of_table) into largest;
        return coalesce(greatest(largest, known.largest_id), 0) + 1;
      end`)};
  `.execute(session);
  return made;
}

async function createTable(session: PgSession, table: StoredTable, schema: string): Promise<void> {
  const { name, columns, idColumn, primaryKey } = table;
  const nextId = sql`${own(schema, "next_id")}(${sql.lit(name)})`;
  const parts = columns.flatMap((stored) => {
    const fallback = stored.name === idColumn ? nextId : defaultOf(stored, table.layout.storage);
    const check = finiteCheck(stored);
    const column = sql`${sql.id(stored.name)} ${sql.raw(stored.codec.type)}
      ${fallback === undefined ? sql`` : sql`default ${fallback}`} ${stored.needsValue ? sql`not null` : sql``}`;
    return check === undefined ? [column] : [column, sql`check (${check})`];
  });
  if (idColumn === hiddenColumns.id) {
    const unique = primaryKey.includes(idColumn) ? sql`` : sql`unique`;
    parts.push(sql`${sql.id(idColumn)} bigint not null default ${nextId} ${unique}`);
  }
  parts.push(sql`${sql.id(hiddenColumns.exact)} json`);
  parts.push(sql`primary key (${sql.join(primaryKey.map((column) => sql.id(column)))})`);
  await sql`create table ${sql.id(schema, name)} (${sql.join(parts)})`.execute(session);
  await session
    .insertInto(ownTables.tables)
    .values({ name, declared: declarationOf(table), id_column: idColumn, largest_id: null })
    .execute();
}

/** Makes PostgreSQL record the changes of a table, whichever program makes them. */
async function createTriggers(
  session: PgSession,
  { name, idColumn, keepsLargestId }: StoredTable,
  schema: string,
): Promise<void> {
  const table = sql.id(schema, name);
  const note = sql`${own(schema, "note")}(${sql.lit(idColumn)}, ${sql.lit(String(keepsLargestId))})`;
  await sql`
    create trigger backlot_lock before insert or update or delete or truncate on ${table}
      for each statement execute function ${own(schema, "lock")}();
    create trigger backlot_note after insert or update or delete on ${table}
      for each row execute function ${note};
    create trigger backlot_note_all after truncate on ${table}
      for each statement execute function ${note};
  `.execute(session);
}

function own(schema: string, name: string): ReturnType<typeof sql.id> {
  return sql.id(schema, `_backlot_${name}`);
}

/**
 * Functions run with the rights of the schema's creator, so that other roles need rights only to the tables that they
 * write, not to Backlot's own.
 */
const definer = sql`language plpgsql security definer set search_path = pg_catalog, pg_temp`;

/**
 * The body of a function between delimiters. Names in the body may contain any characters, but hardly this delimiter.
 */
function quoted(body: ReturnType<typeof sql>): ReturnType<typeof sql> {
  return sql`$_backlot_$${body}$_backlot_$`;
}

/** The default of a column for rows that another program adds. Undefined: NULL. */
function defaultOf(
  { column: declared, codec }: StoredColumn,
  storage: StorageRules,
): RawBuilder<unknown> | undefined {
  if (declared.default instanceof CurrentTime) {
    const { format: wanted } = declared.default;
    const pattern = Object.entries(timeFormats).find(([format]) => format === wanted)?.[1];
    if (codec.type !== "text" || pattern === undefined) return undefined;
    return sql`to_char(now() at time zone 'utc', ${sql.lit(pattern)})`;
  }
  const value = defaultValue(declared, { storage, now: () => 0 });
  const text = value === null ? undefined : codec.write(value);
  return text === undefined ? undefined : sql.lit(text);
}

const timeFormats = {
  timestamp: "YYYY-MM-DD HH24:MI:SS",
  date: "YYYY-MM-DD",
  time: "HH24:MI:SS",
} as const;

/** A constraint that refuses numbers that JSON lacks. Undefined if the column's type has no such numbers. */
function finiteCheck({
  name,
  codec: { type },
  isUnbounded,
}: StoredColumn): RawBuilder<boolean> | undefined {
  if (type !== "double precision" && type !== "numeric") return undefined;
  const none = isUnbounded ? ["NaN"] : ["NaN", "Infinity", "-Infinity"];
  return sql<boolean>`${sql.id(name)} not in (${sql.join(none.map((text) => sql.lit(text)))})`;
}
