import sqlite from "node-sqlite3-wasm";
import { expect, test } from "vitest";
import { Database } from "../../../src/core/store/database.ts";
import { sqliteStorage } from "../../../src/core/store/storage-rules.ts";
import { column, table } from "../../support/tables.ts";
import { ask, starbasedbContext } from "../../core/tables/ask.ts";

// SQLite says where each of its words may stand; the service writes names into statements without quotes.

const keywords = (
  "ABORT ACTION ADD AFTER ALL ALTER ALWAYS ANALYZE AND AS ASC ATTACH AUTOINCREMENT BEFORE BEGIN BETWEEN BY CASCADE " +
  "CASE CAST CHECK COLLATE COLUMN COMMIT CONFLICT CONSTRAINT CREATE CROSS CURRENT CURRENT_DATE CURRENT_TIME " +
  "CURRENT_TIMESTAMP DATABASE DEFAULT DEFERRABLE DEFERRED DELETE DESC DETACH DISTINCT DO DROP EACH ELSE END ESCAPE " +
  "EXCEPT EXCLUDE EXCLUSIVE EXISTS EXPLAIN FAIL FILTER FIRST FOLLOWING FOR FOREIGN FROM FULL GENERATED GLOB GROUP " +
  "GROUPS HAVING IF IGNORE IMMEDIATE IN INDEX INDEXED INITIALLY INNER INSERT INSTEAD INTERSECT INTO IS ISNULL JOIN " +
  "KEY LAST LEFT LIKE LIMIT MATCH MATERIALIZED NATURAL NO NOT NOTHING NOTNULL NULL NULLS OF OFFSET ON OR ORDER " +
  "OTHERS OUTER OVER PARTITION PLAN PRAGMA PRECEDING PRIMARY QUERY RAISE RANGE RECURSIVE REFERENCES REGEXP REINDEX " +
  "RELEASE RENAME REPLACE RESTRICT RETURNING RIGHT ROLLBACK ROW ROWS SAVEPOINT SELECT SET TABLE TEMP TEMPORARY THEN " +
  "TIES TO TRANSACTION TRIGGER UNBOUNDED UNION UNIQUE UPDATE USING VACUUM VALUES VIEW VIRTUAL WHEN WHERE WINDOW WITH " +
  "WITHOUT"
).split(" ");
// Since SQLite 3.46, which is a little older than the service's.
const separated = [
  "1_0",
  "12_",
  "1__2",
  "1e1_0",
  "1_e1",
  "1e_1",
  "1_0x",
  "0x0_2",
  "0x2_",
  "0x_2",
  "0x1_0000_0000_0000_0000",
  "0x10000000000000000",
];
const words = [
  ...keywords,
  "true",
  "false",
  "1",
  "007",
  "0x1F",
  "1e2",
  "9z",
  "0x",
  "1e",
  "_x",
  ...separated,
];

/** Whether SQLite takes a statement, with a table that has the word as its name and as that of a column. */
function takes(word: string, sql: string, values: readonly (string | number)[] = []): boolean {
  const database = new sqlite.Database();
  try {
    database.exec(`CREATE TABLE "${word}" ("${word}" TEXT, id INTEGER PRIMARY KEY)`);
    database.exec(`CREATE TABLE t ("${word}" TEXT, id INTEGER PRIMARY KEY)`);
    database.all(sql, [...values]);
    return true;
  } catch {
    return false;
  } finally {
    database.close();
  }
}

async function answers(word: string, request: string, body?: string): Promise<boolean> {
  const columns = [column(word, "TEXT"), "id INTEGER"];
  const contents = [table(word, columns), table("t", columns)];
  const database = Database.load(contents, { storage: sqliteStorage });
  const { status } = await ask(database, request, { body }, starbasedbContext);
  return status < 300;
}

test.each(words)("lets %s stand where SQLite does", async (word) => {
  const row = JSON.stringify({ [word]: "x" });
  const byMe = {
    selected: await answers(word, `GET /${word}`),
    filtered: await answers(word, `GET /t?${word}.like=x`),
    listed: await answers(word, `GET /t?${word}.in=x,y`),
    sorted: await answers(word, `GET /t?sort_by=${word}&limit=2`),
    insertedInto: await answers(word, `POST /${word}`, '{"id":1}'),
    inserted: await answers(word, "POST /t", row),
    updated: await answers(word, `PATCH /${word}/1`, '{"rowid":2}'),
    set: await answers(word, "PATCH /t/1", row),
    deleted: await answers(word, `DELETE /${word}/1`),
  };
  const pragma = takes(word, `PRAGMA table_info(${word});`);
  expect(byMe).toEqual({
    selected: pragma && takes(word, `SELECT * FROM ${word}`),
    filtered: takes(word, `SELECT * FROM t WHERE ${word} LIKE ?`, ["x"]),
    listed: takes(word, `SELECT * FROM t WHERE ${word} IN (?, ?)`, ["x", "y"]),
    sorted: takes(word, `SELECT * FROM t ORDER BY ${word} ASC LIMIT ?`, [2]),
    insertedInto: takes(word, `INSERT INTO ${word} (id) VALUES (?)`, [1]),
    inserted: takes(word, `INSERT INTO t (${word}) VALUES (?)`, ["x"]),
    updated: pragma && takes(word, `UPDATE ${word} SET rowid = ? WHERE id = ?`, [2, 1]),
    set: takes(word, `UPDATE t SET ${word} = ? WHERE id = ?`, ["x", 1]),
    deleted: pragma && takes(word, `DELETE FROM ${word} WHERE id = ?`, [1]),
  });
});
