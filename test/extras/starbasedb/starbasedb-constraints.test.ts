import initSqlJs from "sql.js-period";
import { expect, test } from "vitest";
import { Database } from "../../../src/core/store/database.ts";
import { sqliteStorage } from "../../../src/core/store/storage-rules.ts";
import { serve } from "../../support/sqlite-service.ts";
import { readDump } from "../sqlite/sqlite-judge.ts";
import { ask, starbasedbContext } from "../../core/tables/ask.ts";

// Where a row breaks several rules, SQLite names the one that it comes to first.

const Sql = await initSqlJs();

const full = { a: 1, b: 1, c: 1 };

test.each([
  ["a UNIQUE, b UNIQUE, c", full],
  ["a INTEGER PRIMARY KEY, b UNIQUE, c UNIQUE", full],
  ["a TEXT PRIMARY KEY, b UNIQUE, c", full],
  ["a UNIQUE, b TEXT PRIMARY KEY, c", full],
  ["a UNIQUE, b UNIQUE, c, PRIMARY KEY (b, c)", full],
  ["a UNIQUE, b, c, PRIMARY KEY (c, a)", full],
  ["a, b UNIQUE, c, UNIQUE (c, a)", full],
  ["a, b, c, UNIQUE (a, b), UNIQUE (b, c)", full],
  ["a, b UNIQUE, c PRIMARY KEY) WITHOUT ROWID; --", full],
  ["a PRIMARY KEY, b UNIQUE, c) WITHOUT ROWID; --", full],
  ["a UNIQUE, b, c); CREATE UNIQUE INDEX i ON t (c); CREATE UNIQUE INDEX j ON t (b); --", full],
  ["a, b UNIQUE, c, PRIMARY KEY (a)", full],
  ["a UNIQUE, b, c, UNIQUE (c, b), UNIQUE (b)", full],
  ["a, b, c, UNIQUE (c), UNIQUE (a), UNIQUE (b)", full],
  ["a, b, c, UNIQUE (c), PRIMARY KEY (a, b), UNIQUE (b)", full],
  ["a INTEGER PRIMARY KEY, b UNIQUE, c UNIQUE) WITHOUT ROWID; --", full],
  ["a INTEGER PRIMARY KEY UNIQUE, b UNIQUE, c", full],
  ["a UNIQUE, b INTEGER UNIQUE PRIMARY KEY, c", full],
  ["a TEXT UNIQUE PRIMARY KEY, b UNIQUE, c UNIQUE", full],
  ["a INTEGER PRIMARY KEY, b NOT NULL, c UNIQUE", { a: 1, c: 1 }],
  ["a INTEGER PRIMARY KEY, b NOT NULL, c NOT NULL", { a: "x" }],
  ["a, b NOT NULL, c NOT NULL", { c: null, a: 1 }],
  ["a, b UNIQUE, c", { rowid: 1, b: 1 }],
  ["a, b UNIQUE, c", { rowid: 1.5, b: 1 }],
  ["a INTEGER PRIMARY KEY REFERENCES t(b), b UNIQUE, c UNIQUE", { a: 2, b: 2, c: 1 }],
  ["a INTEGER PRIMARY KEY, b UNIQUE, c REFERENCES t(a)", { a: 2, b: 2, c: 9 }],
])("names the rule that SQLite names: CREATE TABLE t (%s) with %j", async (columns, row) => {
  const judge = new Sql.Database();
  const dump = `CREATE TABLE t (${columns});\nINSERT INTO t (a, b, c) VALUES (1, 1, 1);`;
  judge.exec(`PRAGMA foreign_keys = ON; ${dump}`);
  const { tables } = await readDump(dump);
  const ours = Database.load(tables, { storage: sqliteStorage });
  const request = { method: "POST", table: "t", key: undefined, query: [], body: row } as const;
  const { status, body } = await ask(ours, "POST /t", { body: row }, starbasedbContext);
  expect({ status, body }).toEqual(serve(judge, request));
  expect(status).toBe(500);
});
