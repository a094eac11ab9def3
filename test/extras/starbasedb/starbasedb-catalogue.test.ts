import initSqlJs from "sql.js-period";
import { expect, test } from "vitest";
import { readDump } from "../sqlite/sqlite-judge.ts";
import { Database, type TableContents } from "../../../src/core/store/database.ts";
import { sqliteStorage } from "../../../src/core/store/storage-rules.ts";
import { BlobValue, ExactInteger, WholeReal } from "../../../src/core/store/value.ts";
import { column, table } from "../../support/tables.ts";
import { ask, starbasedbContext } from "../../core/tables/ask.ts";

// SQLite says what its catalogue has.

const { Database: Sqlite } = await initSqlJs();

/** The rows of `sqlite_master`, without the pages, of which ours has as many as without any rows. */
function judged(sql: string): unknown {
  const database = new Sqlite();
  database.exec(sql);
  const [result] = database.exec("SELECT type, name, tbl_name, sql FROM sqlite_master");
  database.close();
  return result?.values;
}

async function ours(contents: readonly TableContents[]): Promise<readonly unknown[][]> {
  const database = Database.load(contents, { storage: sqliteStorage });
  const { body } = await ask(database, "GET /sqlite_master", {}, starbasedbContext);
  const { result } = body as { readonly result: readonly Record<string, unknown>[] };
  return result.map((row) => [row["type"], row["name"], row["tbl_name"], row["sql"]]);
}

test.each([
  ["create  table if not exists main . [my t] ( a , b ) /* c */ ;"],
  ["CREATE TABLE t (a PRIMARY KEY, b UNIQUE) WITHOUT ROWID  ; CREATE INDEX i ON t (b) -- x\n ;"],
  ["CREATE TABLE t (a, b UNIQUE, c, PRIMARY KEY (c, a), UNIQUE (b, c)) WITHOUT ROWID;"],
  ["CREATE TABLE t (id INTEGER PRIMARY KEY UNIQUE, a TEXT UNIQUE);"],
  [
    "CREATE TABLE a (x); CREATE TABLE b (y); CREATE INDEX ib ON b (y); CREATE INDEX ia ON a (x);" +
      "CREATE INDEX ib2 ON b (y DESC);",
  ],
  [
    "CREATE TABLE a (id INTEGER PRIMARY KEY AUTOINCREMENT, x UNIQUE); CREATE INDEX ia ON a (x DESC);" +
      "CREATE TABLE b (x, y); create unique  index  if not exists 'i x' on b ( y );" +
      "CREATE INDEX ia2 ON a (x, id); CREATE TABLE c (z); DROP TABLE b; DROP INDEX ia; CREATE INDEX ic ON c (z);",
  ],
])("has in sqlite_master what SQLite has after %s", async (sql) => {
  const { tables, problems } = await readDump(sql);
  expect(problems).toEqual([]);
  expect(await ours(tables)).toEqual(judged(sql));
});

test("puts the tables of a dump and their indexes after those of other files", async () => {
  const text = "CREATE TABLE b (x); CREATE INDEX i ON b (x);";
  const { tables } = await readDump(text);
  const rows = await ours([table("a", ["x TEXT"]), ...tables]);
  expect(rows.map(([, name]) => name)).toEqual(["a", "b", "i"]);
});

const names = ["order", "Select", "key", "a b", 'q"q', "é", "1a", "", "current_date", "rowid"];

test.each(names)("makes a statement of the name %j that SQLite takes", async (name) => {
  const contents = table(name === "" ? "t" : name, [
    column("id", "INTEGER"),
    column(name, "TEXT", { references: { table: name === "" ? "t" : name, column: "id" } }),
  ]);
  const rows = await ours([contents]);
  const sql = String(rows[0]?.[3]);
  expect(judged(`${sql};`)).toEqual(rows);
});

test.each([
  ["VARCHAR(20)", undefined],
  ["DOUBLE PRECISION", 1.5],
  ["decimal ( 10 , 2 )", 7],
  ["my-type", "it's"],
  ["select", true],
  ["NOT NULL", null],
  ["", new WholeReal(5)],
  ["", new BlobValue(new Uint8Array([0, 255]))],
  ["INTEGER", new ExactInteger(2n ** 60n + 1n)],
  ["JSON", { a: ["it's"] }],
  ["REAL", -1e-7],
])("makes a statement of the type %j and the default %j that SQLite takes", async (type, value) => {
  const contents = table("t", [column("a", type, { default: value })]);
  const rows = await ours([contents]);
  const sql = String(rows[0]?.[3]);
  expect(judged(`${sql};`)).toEqual(rows);
  const database = new Sqlite();
  database.exec(sql);
  const [info] = database.exec("SELECT type FROM pragma_table_info('t')");
  expect(info?.values).toEqual([[type]]);
});
