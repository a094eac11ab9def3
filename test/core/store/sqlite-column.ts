import initSqlJs, { type SqlDatabase, type SqlValue, type Statement } from "sql.js-period";
import type { ColumnKind } from "../../../src/core/store/column-kinds.ts";
import {
  BlobValue,
  ExactInteger,
  isIntegerNumber,
  type Value,
  WholeReal,
} from "../../../src/core/store/value.ts";

/** A value in SQLite's storage class, with texts as bytes and integers as bigints. */
export type StoredForm = readonly [type: string, value: null | bigint | number | string];

/** A table of SQLite with one column to judge. Its rows are numbered from 1. */
export interface SqliteColumn {
  /** Replaces all rows. */
  fill(values: readonly Value[]): void;
  stored(): readonly StoredForm[];
  /** The numbers of the rows that meet a condition, in row id order or the one that it names. */
  places(condition: string, values?: readonly string[]): readonly number[];
}

/** Gives the column of a declared type and collation; each is made once. */
export async function sqliteColumns(): Promise<(type: string, collation: string) => SqliteColumn> {
  const SQL = await initSqlJs();
  const database = new SQL.Database();
  const [digits] = database.exec("SELECT (0.1 + 0.2) || ''")[0]?.values[0] ?? [];
  if (digits !== "0.3") {
    throw new Error("Cannot judge values: this SQLite writes 17 digits. Install sql.js 1.12.0.");
  }
  const columns = new Map<string, SqliteColumn>();
  return (type, collation) => {
    const definition = `${type} COLLATE ${collation}`;
    const known = columns.get(definition);
    if (known !== undefined) return known;
    const made = makeColumn(database, `t${columns.size}`, definition);
    columns.set(definition, made);
    return made;
  };
}

function makeColumn(database: SqlDatabase, table: string, definition: string): SqliteColumn {
  database.run(`CREATE TABLE ${table} (id INTEGER PRIMARY KEY, c ${definition})`);
  const statements = new Map<string, Statement>();
  const all = (sql: string, values: readonly SqlValue[] = []): (SqlValue | bigint)[][] => {
    const statement = statements.get(sql) ?? database.prepare(sql);
    statements.set(sql, statement);
    statement.bind(values);
    const rows: (SqlValue | bigint)[][] = [];
    while (statement.step()) rows.push(statement.get(null, { useBigInt: true }));
    statement.reset();
    return rows;
  };
  return {
    fill(values) {
      all(`DELETE FROM ${table}`);
      for (const [index, value] of values.entries()) {
        const [expression, bound] = toBind(value);
        all(`INSERT INTO ${table} VALUES (?, ${expression})`, [index + 1, bound]);
      }
    },
    stored: () =>
      all(
        `SELECT typeof(c), CASE WHEN typeof(c) IN ('text', 'blob') THEN hex(c) ELSE c END FROM ${table} ORDER BY id`,
      ).map(([type, value]) => [String(type), plain(value)]),
    places: (condition, values) =>
      all(`SELECT id FROM ${table} a WHERE ${condition.replace("{table}", table)}`, values).map(
        ([id]) => Number(id),
      ),
  };
}

/** The API has neither integers beyond 32 bits nor whole reals: a cast makes them. */
function toBind(value: Value): [expression: string, bound: SqlValue] {
  if (value instanceof ExactInteger) return ["CAST(? AS INTEGER)", value.value.toString()];
  if (value instanceof WholeReal) return ["CAST(? AS REAL)", value.value];
  if (value instanceof BlobValue) return ["?", value.bytes];
  if (value === null || typeof value === "string") return ["?", value];
  if (typeof value !== "number") throw new Error("SQLite cannot bind this.");
  return isIntegerNumber(value) ? ["CAST(? AS INTEGER)", BigInt(value).toString()] : ["?", value];
}

function plain(value: SqlValue | bigint | undefined): StoredForm[1] {
  if (typeof value === "number") return value + 0;
  return typeof value === "string" || typeof value === "bigint" ? value : null;
}

/** What SQLite would hold where we hold a value in a column of a kind. */
export function storedForm(value: Value, kind: ColumnKind): StoredForm {
  if (value === null) return ["null", null];
  if (typeof value === "string") return ["text", hex(Buffer.from(value))];
  if (value instanceof BlobValue) return ["blob", hex(value.bytes)];
  if (value instanceof ExactInteger) return ["integer", value.value];
  if (value instanceof WholeReal) return ["real", value.value];
  if (typeof value !== "number") throw new Error("No column of SQLite holds this.");
  return kind !== "REAL" && isIntegerNumber(value) ? ["integer", BigInt(value)] : ["real", value];
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex").toUpperCase();
}
