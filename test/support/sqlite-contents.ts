import type { SqlDatabase, SqlValue } from "sql.js-period";
import type { TableContents } from "../../src/core/store/database.ts";
import type { Collation, Column, DeclaredIndex, TableSchema } from "../../src/core/store/schema.ts";
import {
  BlobValue,
  type Row,
  type Value,
  integerValue,
  realValue,
} from "../../src/core/store/value.ts";

type Cell = SqlValue | bigint;

/**
 * The tables of a SQLite database as the store loads them: with storage classes as they are. Views and tables
 * with generated columns are left out, CHECK and STRICT are passed over.
 */
export function contentsOf(database: SqlDatabase): readonly TableContents[] {
  const tables = select(
    database,
    "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~' ORDER BY rowid",
  );
  return tables.flatMap(([name, sql]) => {
    const schema = schemaOf(database, String(name), String(sql));
    return schema === undefined ? [] : [{ schema, rows: rowsOf(database, schema), asStored: true }];
  });
}

function schemaOf(database: SqlDatabase, name: string, sql: string): TableSchema | undefined {
  const info = select(database, `PRAGMA table_xinfo(${quoted(name)})`);
  if (info.some((cells) => cells[6] !== 0n)) return undefined;
  const uniques = uniqueKeys(database, name);
  const keys = info
    .filter((cells) => cells[5] !== 0n)
    .toSorted((a, b) => Number(a[5]) - Number(b[5]));
  const columns = info.map(([, column, type, notNull, fallback]): Column => ({
    name: String(column),
    type: String(type),
    notNull: notNull === 1n,
    unique: uniques.some(
      ({ origin, columns: [sole, ...more] }) =>
        origin === "u" && sole?.name === column && more.length === 0,
    ),
    default: fallback === null ? undefined : evaluate(database, String(fallback)),
    references: referenceOf(database, name, String(column)),
    collate: collationOf(sql, String(column)),
  }));
  const indexes = uniques
    .filter(({ origin, columns: { length } }) => origin === "c" || (origin === "u" && length > 1))
    .map(({ columns: own, unique }) => ({ columns: own, unique }));
  return {
    name,
    columns,
    primaryKey: keys.map((cells) => String(cells[1])),
    indexes,
    autoIncrement: /\bAUTOINCREMENT\b/i.test(sql),
    withoutRowId: /\bWITHOUT ROWID\b/i.test(sql),
  };
}

interface Index extends DeclaredIndex {
  /** `u`: of a UNIQUE constraint; `pk`: of the primary key; `c`: of CREATE INDEX. */
  readonly origin: string;
}

/** The indexes of a table, oldest first. */
function uniqueKeys(database: SqlDatabase, table: string): readonly Index[] {
  const list = select(database, `PRAGMA index_list(${quoted(table)})`);
  return list.toReversed().map(([, name, unique, origin]) => ({
    origin: String(origin),
    unique: unique === 1n,
    columns: select(database, `PRAGMA index_xinfo(${quoted(String(name))})`)
      .filter((cells) => cells[5] === 1n)
      .map((cells) => ({
        name: String(cells[2]),
        collate: readCollation(String(cells[4])),
        descending: cells[3] === 1n,
      })),
  }));
}

function referenceOf(database: SqlDatabase, table: string, column: string): Column["references"] {
  const found = select(database, `PRAGMA foreign_key_list(${quoted(table)})`).find(
    (cells) => cells[3] === column,
  );
  return found && { table: String(found[2]), column: String(found[4] ?? "id") };
}

/** SQLite does not tell, so it is read from the statement. */
function collationOf(sql: string, column: string): Collation {
  const definition = sql
    .split(/[(,]/)
    .find((part) => part.trim().replace(/^"/, "").startsWith(column));
  return readCollation(/\bCOLLATE\s+(\w+)/i.exec(definition ?? "")?.[1] ?? "BINARY");
}

function readCollation(name: string): Collation {
  const upper = name.toUpperCase();
  return upper === "NOCASE" || upper === "RTRIM" ? upper : "BINARY";
}

function evaluate(database: SqlDatabase, expression: string): Value {
  const [[value = null, type = null] = []] = select(
    database,
    `SELECT ${expression}, typeof(${expression})`,
  );
  return storedValue(value, String(type));
}

function rowsOf(database: SqlDatabase, { name, columns }: TableSchema): readonly Row[] {
  const list = columns.map((column) => `${quoted(column.name)}, typeof(${quoted(column.name)})`);
  const rows = select(database, `SELECT ${list.join(", ")} FROM ${quoted(name)}`);
  return rows.map((cells) =>
    Object.fromEntries(
      columns.map(({ name: column, type }, index) => {
        const value = storedValue(cells[2 * index] ?? null, String(cells[2 * index + 1]));
        // Only a column without a type needs to be told that a whole number is a REAL.
        const isPlain =
          typeof value === "object" && value !== null && "toJSON" in value && type !== "";
        return [
          column,
          isPlain && cells[2 * index + 1] === "real" ? Number(cells[2 * index]) : value,
        ];
      }),
    ),
  );
}

function storedValue(cell: Cell, type: string): Value {
  if (type === "integer")
    return integerValue(BigInt(Number.isInteger(cell) ? Number(cell) : String(cell)));
  if (type === "real") return realValue(Number(cell));
  if (cell instanceof Uint8Array) return new BlobValue(cell);
  return typeof cell === "bigint" ? integerValue(cell) : cell;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The rows that a statement gives, with integers exact. */
export function select(
  database: SqlDatabase,
  sql: string,
  values: readonly SqlValue[] = [],
): readonly (readonly Cell[])[] {
  const statement = database.prepare(sql);
  statement.bind(values);
  const rows: Cell[][] = [];
  while (statement.step()) rows.push(statement.get(null, { useBigInt: true }));
  statement.free();
  return rows;
}
