import initSqlJs, { type SqlDatabase } from "sql.js";
import { affinity } from "../../../src/core/store/column-kinds.ts";
import type { FileTables } from "../../../src/core/fixture-set/tables/table-files.ts";
import { readSqlTables } from "../../../src/extras/sqlite/read-table-files.ts";
import type { TableContents } from "../../../src/core/store/database.ts";
import type { TableSchema } from "../../../src/core/store/schema.ts";
import { sqliteStorage } from "../../../src/core/store/storage-rules.ts";
import { tableLayout } from "../../../src/core/store/table-layout.ts";
import {
  BlobValue,
  ExactInteger,
  isIntegerNumber,
  type Value,
  WholeReal,
} from "../../../src/core/store/value.ts";
import { select } from "../../support/sqlite-contents.ts";

const SQL = await initSqlJs();

/** The time that both sides take for now is not compared, so any will do. */
const now = Date.UTC(2024, 0, 1);

/** A database of SQLite itself that has run these statements. */
export function sqliteOf(sql: string): SqlDatabase {
  const database = new SQL.Database();
  database.run(sql);
  return database;
}

/** What we make of a dump. */
export function readDump(text: string, skipUnsupported = false): Promise<FileTables> {
  const file = { path: "app.sql", name: "app.sql", text };
  const storage = sqliteStorage;
  return readSqlTables([file], { skipUnsupported, others: [], now, storage });
}

/** The problems of a dump, each as `line:column: message`. */
export async function problemsOf(text: string): Promise<readonly string[]> {
  const { problems } = await readDump(text);
  return problems.map(({ line, column, message }) => `${line}:${column}: ${message}`);
}

/** Its warnings, where what is not supported is left out. */
export async function warningsOf(text: string): Promise<readonly string[]> {
  const { warnings } = await readDump(text, true);
  return warnings.map(({ line, column, message }) => `${line}:${column}: ${message}`);
}

/** A cell as both sides can tell it: its storage class, and its value with nothing lost. */
type Cell = readonly [type: string, value: string];

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex").toUpperCase();
}

/** The cell that a value of ours is in a column of this declared type. */
export function cellOf(value: Value, type: string): Cell {
  if (value === null) return ["null", ""];
  if (typeof value === "string") return ["text", hexOf(Buffer.from(value))];
  if (value instanceof BlobValue) return ["blob", hexOf(value.bytes)];
  if (value instanceof ExactInteger) return ["integer", String(value.value)];
  if (value instanceof WholeReal) return ["real", String(value.value)];
  if (typeof value !== "number") throw new Error(`No value of SQLite: ${JSON.stringify(value)}`);
  const isInteger = affinity(type) !== "REAL" && isIntegerNumber(value);
  return isInteger ? ["integer", String(BigInt(value))] : ["real", String(value)];
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** All cells of a table. The rows are sorted: their order is the store's. */
export function cellsIn(
  database: SqlDatabase,
  { name, columns }: TableSchema,
): readonly (readonly Cell[])[] {
  const list = columns.map(({ name: column }) => {
    const cell = quoted(column);
    return `typeof(${cell}), CASE typeof(${cell}) WHEN 'real' THEN ${cell} WHEN 'integer' THEN CAST(${cell} AS TEXT) ELSE hex(${cell}) END`;
  });
  const rows = select(database, `SELECT ${list.join(", ")} FROM ${quoted(name)}`);
  return sorted(
    rows.map((cells) =>
      columns.map((_, at): Cell => [String(cells[at * 2]), String(cells[at * 2 + 1])]),
    ),
  );
}

/** The same of ours. */
export function cellsOf({ schema, rows }: TableContents): readonly (readonly Cell[])[] {
  return sorted(
    rows.map((row) => schema.columns.map(({ name, type }) => cellOf(row[name] ?? null, type))),
  );
}

function sorted(rows: readonly (readonly Cell[])[]): readonly (readonly Cell[])[] {
  return rows
    .map((row) => ({ row, text: JSON.stringify(row) }))
    .toSorted((left, right) => (left.text < right.text ? -1 : 1))
    .map(({ row }) => row);
}

/** What a schema says, as lines that are the same on both sides. */
export function schemaLinesIn(database: SqlDatabase, schema: TableSchema): readonly string[] {
  const { name } = schema;
  const info = select(database, `PRAGMA table_xinfo(${quoted(name)})`);
  const columns = info.map(([, column, type, notNull, , key]) =>
    columnLine(String(column), {
      type: String(type),
      notNull: notNull === 1n,
      key: Number(key),
      collate: collationIn(database, name, String(column)),
    }),
  );
  const indexes = select(database, `PRAGMA index_list(${quoted(name)})`).map(
    ([, index, unique]) => {
      const parts = select(database, `PRAGMA index_xinfo(${quoted(String(index))})`)
        .filter(([, , , , , isKey]) => isKey === 1n)
        .map(([, , column, descending, collate]) =>
          partText(String(column), String(collate), descending === 1n),
        );
      return indexLine(parts, unique === 1n);
    },
  );
  const keys = new Map<string, { to: string; from: string[]; target: string[] }>();
  for (const [id, , to, from, target] of select(
    database,
    `PRAGMA foreign_key_list(${quoted(name)})`,
  )) {
    const key = keys.get(String(id)) ?? { to: String(to), from: [], target: [] };
    key.from.push(String(from));
    key.target.push(String(target ?? keyIn(database, String(to))[key.from.length - 1]));
    keys.set(String(id), key);
  }
  const foreignKeys = [...keys.values()].map(({ to, from, target }) =>
    foreignKeyLine(from, to, target),
  );
  return [...columns, ...distinct(indexes, schema), ...foreignKeys.toSorted()];
}

/** The columns of a table's primary key, in its order. */
function keyIn(database: SqlDatabase, table: string): readonly string[] {
  return select(database, `PRAGMA table_info(${quoted(table)})`)
    .filter(([, , , , , key]) => key !== 0n)
    .toSorted((left, right) => Number(left[5]) - Number(right[5]))
    .map(([, name]) => String(name));
}

/** The collation of a column, which only an index shows. */
function collationIn(database: SqlDatabase, table: string, column: string): string {
  database.run(`CREATE INDEX "shows collation" ON ${quoted(table)} (${quoted(column)})`);
  const [[, , , , collate] = []] = select(database, `PRAGMA index_xinfo("shows collation")`);
  database.run(`DROP INDEX "shows collation"`);
  return String(collate).toUpperCase();
}

/** The same of ours. */
export function schemaLinesOf(schema: TableSchema): readonly string[] {
  const { columns, primaryKey, indexes = [], foreignKeys = [] } = schema;
  const { rowIdColumn } = tableLayout(schema, sqliteStorage);
  const collateOf = (name: string): string =>
    columns.find((column) => column.name === name)?.collate ?? "";
  const keyIndex = primaryKey.map((name) => partText(name, collateOf(name), false));
  const unique = columns.filter((column) => column.unique);
  const lines = [
    ...(primaryKey.length === 0 || rowIdColumn !== undefined ? [] : [indexLine(keyIndex, true)]),
    ...unique.map(({ name, collate }) => indexLine([partText(name, collate, false)], true)),
    ...indexes.map((index) =>
      indexLine(
        index.columns.map(({ name, collate, descending }) => partText(name, collate, descending)),
        index.unique,
      ),
    ),
  ];
  const references = columns.flatMap(({ name, references: to }) =>
    to === undefined ? [] : [foreignKeyLine([name], to.table, [to.column])],
  );
  const keys = foreignKeys.map((key) => foreignKeyLine(key.columns, key.to.table, key.to.columns));
  return [
    ...columns.map(({ name, type, notNull, collate }) =>
      columnLine(name, { type, notNull, key: primaryKey.indexOf(name) + 1, collate }),
    ),
    ...distinct(lines, schema),
    ...[...references, ...keys].toSorted(),
  ];
}

/** Lines of indexes, without those over the row id alone: it is unique in any case. */
function distinct(lines: readonly string[], schema: TableSchema): readonly string[] {
  const { rowIdColumn } = tableLayout(schema, sqliteStorage);
  const ofRowId = ["BINARY", "NOCASE", "RTRIM"].flatMap((collate) =>
    [true, false].map((descending) =>
      indexLine([partText(rowIdColumn ?? "", collate, descending)], true),
    ),
  );
  return [...new Set(lines)].filter((line) => !ofRowId.includes(line)).toSorted();
}

function columnLine(
  name: string,
  {
    type,
    notNull,
    key,
    collate,
  }: {
    readonly type: string;
    readonly notNull: boolean;
    readonly key: number;
    readonly collate: string;
  },
): string {
  const declared = type.toUpperCase().replace(/\s+/g, " ").trim();
  return `column ${name} (${declared}) ${notNull ? "NOT NULL" : "NULL"} key ${key} ${collate}`;
}

function partText(column: string, collate: string, descending: boolean): string {
  return `${column} ${collate.toUpperCase()} ${descending ? "DESC" : "ASC"}`;
}

function indexLine(parts: readonly string[], unique: boolean): string {
  return `${unique ? "unique " : ""}index ${parts.join(", ")}`;
}

function foreignKeyLine(from: readonly string[], table: string, to: readonly string[]): string {
  // SQLite keeps the names of others as they are written, in any case.
  const target = `${table} (${to.join(", ")})`.toLowerCase();
  return `foreign key ${from.join(", ")} to ${target}`;
}
