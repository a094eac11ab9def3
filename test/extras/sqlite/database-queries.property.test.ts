import fc from "fast-check";
import initSqlJs from "sql.js-period";
import { expect, test } from "vitest";
import { Database } from "../../../src/core/store/database.ts";
import { sqliteStorage } from "../../../src/core/store/storage-rules.ts";
import { readSqlTables } from "../../../src/extras/sqlite/read-table-files.ts";
import { serve } from "../../support/sqlite-service.ts";
import { ask, starbasedbContext } from "../../core/tables/ask.ts";

// SQLite itself is the judge: a file that it made is served, and queries of the file are answered by SQLite too.

const { Database: Sqlite } = await initSqlJs();

const types = ["INTEGER", "REAL", "TEXT", "BOOLEAN", "BLOB", "NUMERIC", ""] as const;
const columns = types.map((_, at) => `c${at}`);
const literal = fc.constantFrom(
  ..."NULL|0|1|5|5.0|-2.5|9007199254740993|TRUE|FALSE|'true'|'5'|'a'|'A'|''|'é'|X''|X'00ff'|X'61'".split(
    "|",
  ),
);
const operator = fc.constantFrom("", ".eq", ".ne", ".gt", ".gte", ".lt", ".lte", ".like", ".in");
const asked = fc.constantFrom(
  ..."0|1|5|5.0|-2.5|9007199254740993|true|a|A||é|%|%a%|_|1,5,a|00ff|X'61'".split("|"),
);
const filter = fc.tuple(
  fc.tuple(fc.constantFrom(...columns, "id"), operator).map((parts) => parts.join("")),
  asked,
);
const query = fc
  .record({
    filters: fc.array(filter, { maxLength: 2 }),
    sort: fc.constantFrom(undefined, ...columns),
    order: fc.constantFrom("asc", "desc"),
    limit: fc.constantFrom(undefined, "1", "3"),
  })
  .map(({ filters, sort, order, limit }): readonly (readonly [string, string])[] => [
    ...filters,
    ...(sort === undefined ? [] : ([["sort_by", sort]] as const)),
    ["order", order] as const,
    ...(limit === undefined ? [] : ([["limit", limit]] as const)),
  ]);

const rows = fc.array(fc.tuple(...types.map(() => literal)), { minLength: 1, maxLength: 12 });

test("answers 400 queries of database files as SQLite does, blobs and booleans included", async () => {
  const property = fc.asyncProperty(rows, fc.array(query, { minLength: 8, maxLength: 8 }), ask8);
  await fc.assert(property, { numRuns: 50 });
}, 60_000);

async function ask8(
  values: readonly (readonly string[])[],
  queries: readonly (readonly (readonly [string, string])[])[],
): Promise<void> {
  const sqlite = new Sqlite();
  const declared = types.map((type, at) => `c${at} ${type}`).join(", ");
  sqlite.run(`CREATE TABLE t (id INTEGER PRIMARY KEY, ${declared});`);
  for (const row of values) {
    sqlite.run(`INSERT INTO t (${columns.join()}) VALUES (${row.join()});`);
  }
  const file = { path: "app.db", name: "app.db", text: "", bytes: sqlite.export() };
  const options = { skipUnsupported: false, others: [], now: 0, storage: sqliteStorage };
  const { tables, problems } = await readSqlTables([file], options);
  expect(problems).toEqual([]);
  const ours = Database.load(tables, { storage: sqliteStorage });
  for (const each of queries) {
    const request = {
      method: "GET",
      table: "t",
      key: undefined,
      query: each,
      body: undefined,
    } as const;
    const text = each.map((pair) => pair.map(encodeURIComponent).join("=")).join("&");
    const { status, body } = await ask(ours, `GET /t?${text}`, {}, starbasedbContext);
    expect({ status, body }, text).toEqual(serve(sqlite, request));
  }
  sqlite.close();
}
