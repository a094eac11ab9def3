import { expect, test } from "vitest";
import { readFixtureFiles } from "../../../src/core/fixture-set/read-fixtures.ts";
import {
  folder,
  problemsOfFolder,
  problemsOfText,
  readText,
} from "../../core/fixture-set/problems-of.ts";
import { problemsOf, readDump, warningsOf } from "./sqlite-judge.ts";

const users = "CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL);\n";

test.each([
  ["CREATE TABEL t (a);", '1:8: Near "TABEL": syntax error. Expected identifier or table.'],
  ["CREATE TABLE t (a", '1:18: Incomplete input. Missing ")" before end of input.'],
  ["CREATE TABLE t (a); 'x", `1:21: Unrecognized token: "'x". Unterminated string literal.`],
  [
    `${users}INSERT INTO user VALUES (1, 'a');`,
    '2:13: There is no table "user". Did you mean "users"?',
  ],
  [
    `${users}INSERT INTO users (id, nam) VALUES (1, 'a');`,
    '2:24: There is no column "nam" in the table "users". Did you mean "name"?',
  ],
  [`${users}INSERT INTO users (id, ID) VALUES (1, 2);`, '2:24: The column "ID" is named twice.'],
  [
    `${users}INSERT INTO users VALUES (1, 'a'),\n  (2, 'b', 3);`,
    "3:4: The row has 3 values, but the one before it has 2.",
  ],
  [
    `${users}INSERT INTO users VALUES (2);`,
    '2:27: The row has 1 value, but the table "users" takes 2 here.',
  ],
  [
    `${users}INSERT INTO users VALUES (1, "a");`,
    '2:30: "a" is a name, since it is in double quotes.',
  ],
  [
    `${users}INSERT INTO users VALUES ('x', 'a');`,
    '2:27: Column "id" is the row id and takes a whole',
  ],
  ["CREATE TABLE t (a, A);", '1:20: There is another column "a" in this table.'],
  [
    `${users}CREATE TABLE Users (a);`,
    '2:14: There is another table "users", and SQLite does not tell',
  ],
  ["CREATE TABLE sqlite_t (a);", '1:14: The name "sqlite_t" is SQLite\'s own.'],
  ["CREATE TABLE t (a, PRIMARY KEY (b));", '1:33: There is no column "b".'],
  [
    "CREATE TABLE t (a PRIMARY KEY, b PRIMARY KEY);",
    '1:34: The table "t" has another primary key.',
  ],
  ["CREATE TABLE t (a) WITHOUT ROWID;", "1:14: A table WITHOUT ROWID needs a primary key."],
  ["CREATE TABLE t (a TEXT PRIMARY KEY AUTOINCREMENT);", "1:24: AUTOINCREMENT needs an INTEGER"],
  [
    `${users}CREATE INDEX i ON users (nme);`,
    '2:26: There is no column "nme". Did you mean "name"?',
  ],
  ["DROP TABLE t;", '1:12: There is no table "t".'],
  ["BEGIN;\nCREATE TABLE t (a);", "1:1: The transaction that begins here does not end"],
  ["CREATE TABLE t (a);\0", "1:20: The character U+0000 cannot be in SQL."],
  ["SQLite format 3\0\u0010\0", "1:1: This is a SQLite database, not a dump of one."],
])("refuses %j", (text, expected) => {
  expect(problemsOf(text)).toEqual([expect.stringContaining(expected)]);
});

test.each([
  ["CREATE TABLE t (a CHECK (a > 0));", '1:19: The CHECK constraint of the column "a"'],
  ["CREATE TABLE t (a, CHECK (a > 0));", '1:20: A CHECK constraint of the table "t"'],
  ["CREATE TABLE t (a, b AS (a + 1));", '1:25: The generated column "b"'],
  ["CREATE TABLE t (a INT) STRICT;", '1:24: STRICT of the table "t"'],
  [
    "CREATE TABLE t (a DEFAULT (random()));",
    '1:19: An expression as the default of the column "a"',
  ],
  ["CREATE TABLE t (a COLLATE german);", '1:27: The collation "german"'],
  ["CREATE TABLE t (a NOT NULL ON CONFLICT IGNORE);", "1:19: ON CONFLICT IGNORE of the column"],
  ["CREATE TABLE t (a INTEGER PRIMARY KEY DESC);", "1:27: DESC in the primary key"],
  [
    "CREATE TABLE t (a REFERENCES u (id));",
    '1:19: A foreign key to the table "u", which is not here',
  ],
  [
    "CREATE TABLE t (a REFERENCES t (a));",
    '1:19: A foreign key to "a" of "t", which need not be unique',
  ],
  [
    "CREATE TABLE t (a PRIMARY KEY REFERENCES t ON DELETE CASCADE);",
    '1:44: ON DELETE CASCADE of the foreign key to "t"',
  ],
  ["CREATE TABLE t (a); CREATE INDEX i ON t (a) WHERE a;", '1:34: The partial index "i"'],
  ["CREATE TABLE t (a); CREATE INDEX i ON t (lower(a));", '1:34: The index "i" on an expression'],
  ["CREATE VIEW v AS SELECT 1;", '1:1: The view "v"'],
  ["CREATE TRIGGER x INSERT ON t BEGIN SELECT 1; END;", '1:1: The trigger "x"'],
  ["CREATE VIRTUAL TABLE f USING fts5 (a);", '1:1: The virtual table "f"'],
  ["CREATE TEMP TABLE t (a);", '1:19: The temporary or attached table "t"'],
  ["CREATE TABLE t AS SELECT 1;", '1:14: The table "t", which is made by AS SELECT,'],
  ["UPDATE t SET a = 1;", "1:1: The statement UPDATE"],
  ["CREATE TABLE t (a); INSERT OR REPLACE INTO t VALUES (1);", "1:21: INSERT OR REPLACE into"],
  ["CREATE TABLE t (a); INSERT INTO t VALUES (1 + 1);", '1:43: The expression "1 + 1"'],
])("refuses, or leaves out when told so, %s", (text, what) => {
  expect(problemsOf(text)).toEqual([
    expect.stringMatching(
      /^.* is not supported\. Remove it, or use --skip-unsupported \(in code: skipUnsupported\): then /,
    ),
  ]);
  expect(problemsOf(text)[0]).toContain(what);
  expect(warningsOf(text)).toEqual([expect.stringMatching(/^.* is not supported: .*\.$/)]);
  expect(warningsOf(text)[0]).toContain(what);
});

test.each([
  ["CREAT TABLE t (a);", '1:1: No statement begins with "CREAT". Did you mean "CREATE"?'],
  ["CREATE TABLE IF NOT EXISTS main.t (a b c d());", "1:44: Near"],
  ["CREATE TABEL t (a);", '1:8: Near "TABEL": syntax error.'],
  ["CREATE TEMP TABLE [t] (a,, b);", "1:26: Near"],
])("says nothing of what follows after %j", (create, expected) => {
  const rest =
    "INSERT INTO t VALUES (1); CREATE INDEX i ON t (a); CREATE TABLE u (t REFERENCES t);";
  expect(problemsOf(`${create} ${rest}`)).toEqual([expect.stringContaining(expected)]);
});

test("says once that a table is there twice, whatever its rows are", () => {
  const twice =
    "CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 2); CREATE TABLE t (c); INSERT INTO t VALUES (1);";
  expect(problemsOf(twice)).toEqual([expect.stringContaining("1:66: There is another table")]);
});

const mysql = `DROP TABLE IF EXISTS \`users\`;
CREATE TABLE \`users\` (
  \`id\` int NOT NULL AUTO_INCREMENT,
  \`name\` varchar(20) DEFAULT 'SERIAL',
  PRIMARY KEY (\`id\`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
LOCK TABLES \`users\` WRITE;
INSERT INTO \`users\` VALUES (1,'it\\'s');`;

test.each([
  [mysql, '3:21: This is not a dump of SQLite: "AUTO_INCREMENT" is SQL of MySQL.'],
  ["CREATE TABLE t (a int) ENGINE=MyISAM;", '1:24: This is not a dump of SQLite: "ENGINE=" is SQL'],
  ["SET NAMES utf8;\nx;", '1:1: This is not a dump of SQLite: "SET NAMES" is SQL of MySQL.'],
  ["SET lock_timeout = 0;\nx;", '"SET lock_timeout =" is SQL of PostgreSQL.'],
  ["\\connect shop\nx;", '"\\\\connect" is SQL of PostgreSQL.'],
  ["COPY t (a) FROM stdin;\n1\tit's\n\\.\n", '"COPY" is SQL of PostgreSQL.'],
  ["CREATE TABLE t (a SERIAL, b timestamp DEFAULT now());", '"SERIAL" is SQL of PostgreSQL.'],
  ["SET NOCOUNT ON\nGO\n", '"SET NOCOUNT" is SQL of SQL Server.'],
  ["SET x 5;", '"SET" is SQL of another database.'],
])("tells once that %j is of another database, and what to do", (text, expected) => {
  const advice = "write its dump: sqlite3 app.db .dump > app.sql";
  expect(problemsOf(text)).toEqual([expect.stringContaining(expected)]);
  expect(problemsOf(text)[0]).toContain(advice);
});

test("finds no other database in the texts of a statement that is wrong", () => {
  const line = "INSERT INTO t VALUES ('ENGINE=InnoDB', /* AUTO_INCREMENT */ 'a::b' 'c'); -- SERIAL";
  expect(problemsOf(`CREATE TABLE t (a, b);\n${line}`)).toEqual([
    expect.stringMatching(/^2:\d+: Near/),
  ]);
});

test.each([
  ["CREATE TABLE t (id SERIAL PRIMARY KEY);", '1:17: The type "SERIAL" generates no keys'],
  ["CREATE TABLE t (id INT AUTO_INCREMENT);", '1:17: The type "INT AUTO_INCREMENT" generates no'],
  ["", "1:1: There is no table and no row in this dump. Write it anew: sqlite3 app.db .dump"],
  ["PRAGMA a=1; BEGIN; COMMIT;", "1:1: There is no table and no row in this dump."],
])("warns of %j", (text, expected) => {
  const { problems, warnings } = readDump(text);
  expect(problems).toEqual([]);
  expect(warnings).toHaveLength(1);
  expect(warningsOf(text)[0]).toContain(expected);
});

test("leaves out what belongs to what is left out", () => {
  const { tables, problems, warnings } = readDump(
    `CREATE VIRTUAL TABLE f USING fts5 (a); INSERT INTO f VALUES ('x'); DROP TABLE f;
    CREATE TABLE t (a, b AS (a), UNIQUE (a, b)); INSERT INTO t VALUES (1);
    INSERT OR IGNORE INTO t VALUES (2); INSERT OR IGNORE INTO t VALUES (3);`,
    true,
  );
  expect(problems).toEqual([]);
  expect(warnings.map(({ message }) => message.replace(/ is not supported.*/, ""))).toEqual([
    'The virtual table "f"',
    'The generated column "b"',
    'A key or an index with the generated column "b"',
    'INSERT OR IGNORE into the table "t"',
  ]);
  expect(tables.map(({ schema, rows }) => [schema.indexes, rows])).toEqual([
    [undefined, [{ a: 1 }, { a: 2 }, { a: 3 }]],
  ]);
});

test("leaves out a table all columns of which are generated, with its rows and references", () => {
  const text = `CREATE TABLE o (a AS (1)); INSERT INTO o (rowid) VALUES (7); CREATE INDEX i ON o (a);
    CREATE TABLE t (b REFERENCES o (a)); INSERT INTO t VALUES (1);`;
  const { tables, problems, warnings } = readDump(text, true);
  expect(problems).toEqual([]);
  expect(warnings.map(({ message }) => message)).toContain(
    'The table "o", all columns of which are generated, is not supported: it is left out.',
  );
  expect(tables.map(({ schema, rows }) => [schema.name, rows])).toEqual([["t", [{ b: 1 }]]]);
  expect(problemsOf(text).join("\n")).toContain('1:14: The table "o", all columns of which');
});

test("goes on after a statement that is wrong, triggers included", () => {
  const lines = problemsOf(
    "CREATE TRIGGER x INSERT ON t BEGIN SELCT 1; DELETE FROM t; END;\nINSERT INTO a VALUES (1);\nINSERT (;",
  );
  expect(lines.map((line) => line.slice(0, 20))).toEqual([
    '1:36: Near "SELCT": ',
    "2:13: There is no ta",
    '3:8: Near "(": synta',
  ]);
});

test("tells the place of a row that breaks a rule, whatever the order of its values", async () => {
  const text = `${users}INSERT INTO users VALUES (1, 'a'), (2, NULL);
INSERT INTO users (name, id) VALUES ('(', 3),
  (char(40,41), 3);`;
  expect(await problemsOfText(text, "app.sql")).toEqual([
    'app.sql:2:40: Column "name" is NOT NULL and needs a value.',
    'app.sql:4:17: The primary key "id" must be unique, and 3 is taken.',
  ]);
});

test("warns of rows that refer to none, as a dump may have them", async () => {
  const text = `${users}CREATE TABLE notes (a, user INT REFERENCES users, FOREIGN KEY (a, user) REFERENCES two (x, y));
CREATE TABLE two (x, y, PRIMARY KEY (x, y)); INSERT INTO users VALUES (1, 'Ada');
INSERT INTO notes (user, a) VALUES (1, NULL), (NULL, 5), (7, NULL),
  (8, 3);`;
  const { warnings, tables } = await readText(text, "app.sql");
  expect(warnings.map(({ line, column, message }) => `${line}:${column}: ${message}`)).toEqual([
    '4:59: Column "user" refers to "users"."id", where there is no 7. The row is served as it is, and there is another such row.',
    '5:7: Columns "a", "user" refer to "two"."x", "two"."y", where there is no 3, 8. The row is served as it is.',
  ]);
  expect(tables[1]?.rows).toHaveLength(4);
});

test("does not warn of references to rows of other files, made at each start or not", async () => {
  const { warnings } = await readFixtureFiles(
    folder({
      "tables/notes.sql":
        "CREATE TABLE n (u REFERENCES users (id)); INSERT INTO n VALUES (1), (2);",
      "tables/users.json":
        '{ "columns": { "id": "INTEGER" }, "rows": [{ "id": 1 }], "generate": { "count": 1, "row": {} } }',
    }),
  );
  expect(warnings).toEqual([]);
});

test("counts problems beyond the first hundred", async () => {
  const lines = await problemsOfText("x;".repeat(150), "app.sql");
  expect(lines).toHaveLength(101);
  expect(lines.at(-1)).toBe("and 50 more problems.");
});

test("reads the dumps of a folder as one database, with the tables of other files", async () => {
  const { tables } = await readFixtureFiles(
    folder({
      "tables/1-schema.sql": `${users}CREATE TABLE notes (a REFERENCES tags (id));`,
      "tables/2-rows.SQL": "\uFEFFINSERT INTO users VALUES (1, 'Ada');",
      "tables/tags.json":
        '{ "columns": { "id": "INTEGER", "user": { "references": "users.id" } } }',
    }),
  );
  expect(tables.map(({ schema, rows, asStored }) => [schema.name, rows, asStored])).toEqual([
    ["tags", [], undefined],
    ["users", [{ id: 1, name: "Ada" }], true],
    ["notes", [], true],
  ]);
  expect(tables[2]?.schema.columns[0]?.references).toEqual({ table: "tags", column: "id" });
});

test("names the file in which each problem is", async () => {
  const lines = await problemsOfFolder({
    "tables/1-schema.sql": users,
    "tables/2-rows.sql":
      "INSERT INTO users VALUES (1, 'a'),\n (1, 'b');\nCREATE TABLE Tags (a); INSERT INTO Tags VALUES (1);",
    "tables/tags.json": '[{ "id": 1, "user": 5 }]',
  });
  expect(lines).toEqual([
    'fx/tables/2-rows.sql:2:3: The primary key "id" must be unique, and 1 is taken.',
    'fx/tables/2-rows.sql:3:14: There is another table "tags", and SQLite does not tell them apart. Remove one of the two.',
  ]);
});
