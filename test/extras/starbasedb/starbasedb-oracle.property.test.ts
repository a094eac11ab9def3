import * as fc from "fast-check";
import initSqlJs, { type SqlDatabase } from "sql.js-period";
import { expect, test } from "vitest";
import { Database } from "../../../src/core/store/database.ts";
import { sqliteStorage } from "../../../src/core/store/storage-rules.ts";
import { contentsOf } from "../../support/sqlite-contents.ts";
import { serve, type ServiceRequest } from "../../support/sqlite-service.ts";
import { ask, starbasedbContext } from "../../core/tables/ask.ts";
import { tries } from "../../support/tries.ts";

// SQLite itself is the judge: any requests, one after the other, and the same answers and rows in the end.

const ddl = `
  CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT UNIQUE, age INTEGER DEFAULT 7,
    score REAL, active BOOLEAN, note TEXT DEFAULT 'n');
  INSERT INTO users VALUES (1, 'Ada', 'a@x', 30, 1.5, 1, NULL), (2, 'bob', 'b@x', NULL, 5.0, 'yes', ''),
    (5, 'Bob', NULL, -1, NULL, 0, '5'), (9, '', NULL, 30, -0.5, NULL, 'x');
  CREATE TABLE skus (sku TEXT PRIMARY KEY, title TEXT, price NUMERIC, any, code TEXT UNIQUE COLLATE NOCASE);
  INSERT INTO skus VALUES ('a', 't', 10, 5, 'C1'), ('B', 'T', 'free', 5.0, 'c2'), ('5', NULL, 2.5, '5', NULL),
    (NULL, 'n', NULL, NULL, NULL), ('5.0', 'u', 0, 2, 'x');
  CREATE TABLE pairs (v TEXT, b INTEGER, a TEXT, PRIMARY KEY (a, b));
  INSERT INTO pairs VALUES ('x1', 1, 'x'), ('x2', 2, 'x'), ('y1', 1, 'y'), ('e', 3, '');
  CREATE TABLE logs (x, y TEXT NOT NULL DEFAULT 'd');
  INSERT INTO logs VALUES (1, 'one'), (2.0, 'two'), ('3', 'two'), (NULL, '');
  CREATE TABLE keyed (k TEXT PRIMARY KEY, v UNIQUE, w) WITHOUT ROWID;
  INSERT INTO keyed VALUES ('c', 3, 1), ('a', 1, 1), ('b', '2', 2);
  CREATE TABLE counted (id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT);
  INSERT INTO counted VALUES (1, 'a'), (4, 'b');
  CREATE TABLE reals (r REAL PRIMARY KEY, v);
  INSERT INTO reals VALUES (1.5, 'a'), (2, 'b'), (-0.5, 'c');
  CREATE TABLE ints (n INT PRIMARY KEY, v TEXT COLLATE NOCASE);
  INSERT INTO ints VALUES (3, 'Ab'), (1, 'aB'), ('x', 'c'), (2.5, 'C');
  CREATE TABLE children (id INTEGER PRIMARY KEY, user_id INTEGER REFERENCES users(id), n INTEGER UNIQUE);
  INSERT INTO children VALUES (1, 1, 1), (2, NULL, 2);
  CREATE TABLE ridden (rowid TEXT, v TEXT UNIQUE);
  INSERT INTO ridden (_rowid_, rowid, v) VALUES (3, 'a', 'x'), (1, '3', 'y'), (2, NULL, NULL);
  CREATE TABLE odd (id INTEGER PRIMARY KEY, "order" TEXT, "key" TEXT, "a.b" TEXT, "true" TEXT, "é" TEXT);
  INSERT INTO odd VALUES (1, 'o', 'k', 'd', 't', 'e'), (2, 'p', 'l', 'e', 'u', 'f');
`;

const tables =
  "users|skus|pairs|logs|keyed|counted|reals|ints|children|ridden|odd|USERS|us-ers|nope|123|select|on|null|sqlite_sequence".split(
    "|",
  );
const columnsOf: Readonly<Record<string, string>> = {
  users: "id|name|email|age|score|active|note",
  skus: "sku|title|price|any|code",
  pairs: "a|b|v",
  logs: "x|y",
  keyed: "k|v|w",
  counted: "id|kind",
  reals: "r|v",
  ints: "n|v",
  children: "id|user_id|n",
  ridden: "rowid|v",
  odd: "id|order|key|a.b|true|é",
  sqlite_sequence: "name|seq",
};
const oddNames =
  "rowid|oid|_rowid_|ROWID|nope|1|0|99|null|true|false|1e2|0x2|select|cast||é|!!!|__proto__|constructor".split(
    "|",
  );
const suffixes = "|.eq|.ne|.gt|.gte|.lt|.lte|.like|.in|.foo|.|..ne|.EQ|.toString".split("|");
const texts =
  "Ada|bob|Bob||a@x|b@x|5|5.0|05| 5 |30|1.5|-1|x|y|a|A|B|c1|C1|free|null|NULL|true|1|2|3|0|1e0|2.5|n|t|%|b%|_|a,b|1,2, 3|0x5|yes|d|two".split(
    "|",
  );
const numbers = [0, 1, 2, 3, 4, 5, 9, 10, -1, 1.5, 2.5, 5000, 1e21, -0];

const name = fc.constantFrom(...tables);
const text = fc.constantFrom(...texts);
const value = fc.oneof(
  { weight: 4, arbitrary: text },
  { weight: 4, arbitrary: fc.constantFrom(...numbers) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown>(null, true, false, [], [1, "a"], {}, { toString: 1 }),
  },
);

function columnOf(table: string): fc.Arbitrary<string> {
  const known = columnsOf[table.toLowerCase().replace("-", "")] ?? "id|name";
  const spelled = fc.constantFrom(...known.split("|")).chain((column) =>
    fc.oneof(
      { weight: 8, arbitrary: fc.constant(column) },
      {
        weight: 1,
        arbitrary: fc.constantFrom(column.toUpperCase(), `${column} `, `"${column}"`),
      },
    ),
  );
  return fc.oneof(
    { weight: 12, arbitrary: spelled },
    { weight: 1, arbitrary: fc.constantFrom(...oddNames) },
  );
}

function queryOf(table: string): fc.Arbitrary<ServiceRequest["query"]> {
  const column = columnOf(table);
  const filter = fc
    .tuple(column, fc.constantFrom(...suffixes), text)
    .map(([key, suffix, wanted]) => [`${key}${suffix}`, wanted] as const);
  const sort = fc.tuple(fc.constant("sort_by"), column);
  const order = fc.tuple(fc.constant("order"), fc.constantFrom("desc", "DESC", "asc", " DESC"));
  const counts = fc.constantFrom("1", "2", "0", "-1", "x", " 2", "1.9", "2e5", "");
  const window = fc.tuple(fc.constantFrom("limit", "offset"), counts);
  return fc.array(fc.oneof({ weight: 4, arbitrary: filter }, sort, order, window), {
    maxLength: 5,
  });
}

function bodyOf(table: string): fc.Arbitrary<unknown> {
  const entry = fc.tuple(columnOf(table), value);
  const object = fc.array(entry, { minLength: 0, maxLength: 6 }).map((entries) => {
    const json = entries.map(([key, sent]) => `${JSON.stringify(key)}:${JSON.stringify(sent)}`);
    return JSON.parse(`{${json.join(",")}}`) as unknown;
  });
  return fc.oneof(
    { weight: 15, arbitrary: object },
    { weight: 1, arbitrary: fc.constantFrom<unknown>(null, [], "str", 5, true) },
  );
}

/** Rows that clients put into this table are accepted and then forgotten. */
function isForgotten({ method, table }: ServiceRequest): boolean {
  return method === "POST" && table === "sqlite_sequence";
}

const request: fc.Arbitrary<ServiceRequest> = name
  .chain(anyRequest)
  .filter((each) => !isForgotten(each));

function anyRequest(table: string): fc.Arbitrary<ServiceRequest> {
  return fc.record({
    method: fc.constantFrom("GET", "GET", "GET", "POST", "POST", "PUT", "PATCH", "DELETE"),
    table: fc.constant(table),
    key: fc.option(
      text.filter((key) => /^[\w.,-]+$/.test(key)),
      { nil: undefined },
    ),
    query: queryOf(table),
    body: bodyOf(table),
  });
}

function targetOf({ table, key, query }: ServiceRequest): string {
  const path = `/${table}${key === undefined ? "" : `/${key}`}`;
  const encoded = query.map((pair) => pair.map(encodeURIComponent).join("="));
  return `${path}${encoded.length === 0 ? "" : `?${encoded.join("&")}`}`;
}

/** The rows as they are stored; in which order they come, requests have to tell. */
function rowsOf(database: Database): unknown {
  return database.names().map((table) => {
    const rows = database.table(table)?.rows() ?? [];
    return rows.map((row) => Object.values(row).map(storedText).join("|")).toSorted();
  });
}

function storedText(stored: unknown): string {
  const kind =
    typeof stored === "object" && stored !== null ? stored.constructor.name : typeof stored;
  return `${kind} ${JSON.stringify(stored)}`;
}

const Sql = await initSqlJs();

function freshDatabase(): SqlDatabase {
  const database = new Sql.Database();
  database.exec("PRAGMA foreign_keys = ON");
  database.exec(ddl);
  return database;
}

const contents = contentsOf(freshDatabase());

const reads = tables.map((table): ServiceRequest => {
  return { method: "GET", table, key: undefined, query: [], body: undefined };
});

/** sql.js does not say where in the statement an error is. */
function withoutPlaces(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body).replace(/ at offset \d+/, ""));
}

test("answers any series of requests as SQLite behind the service's statements would", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 6 }), async (requests) => {
      const judge = freshDatabase();
      const ours = Database.load(contents, { storage: sqliteStorage });
      for (const each of [...requests, ...reads]) {
        const expected = serve(judge, each);
        const asked = `${each.method} ${targetOf(each)}`;
        const body =
          each.method === "GET" || each.method === "DELETE" ? undefined : JSON.stringify(each.body);
        const answer = await ask(ours, asked, { body }, starbasedbContext);
        expect({ status: answer.status, body: withoutPlaces(answer.body) }, asked).toEqual({
          status: expected.status,
          body: withoutPlaces(expected.body),
        });
      }
      const after = Database.load(contentsOf(judge), { storage: sqliteStorage });
      expect(rowsOf(ours)).toEqual(rowsOf(after));
      judge.close();
    }),
    { numRuns: tries(250) },
  );
});
