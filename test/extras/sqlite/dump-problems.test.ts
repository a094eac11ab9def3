import { expect, test } from "vitest";
import { readFixtureFiles } from "../../support/read-fixture-files.ts";
import {
  folder,
  problemsOfFolder,
  problemsOfText,
  readText,
} from "../../core/fixture-set/problems-of.ts";
import { problemsOf, readDump, warningsOf } from "./sqlite-judge.ts";

const users = "CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL);\n";

test.each([
  ["CREATE TABEL t (a);", '1:8: Near "TABEL": syntax error.'],
  ["-- a comment\n  CREATE TABLE t (a", "2:3: Incomplete input."],
  ["CREATE TABLE t (a); 'x", `1:21: Unrecognized token: "'x".`],
  [`${users}INSERT INTO user VALUES (1, 'a');`, '2:13: No such table: user. Did you mean "users"?'],
  [
    `${users}INSERT INTO users (id, nam) VALUES (1, 'a');`,
    "2:24: Table users has no column named nam.",
  ],
  [
    `${users}INSERT INTO users VALUES (1, 'a'),\n  (2, 'b', 3);`,
    "2:1: All VALUES must have the same number of terms.",
  ],
  [
    `${users}INSERT INTO users VALUES (2);`,
    "2:1: Table users has 2 columns but 1 values were supplied.",
  ],
  [`${users}INSERT INTO users VALUES ('x', 'a');`, "2:1: Datatype mismatch."],
  [
    `${users}INSERT INTO users VALUES (1, 'é');\nINSERT INTO users VALUES (2, NULL);`,
    "3:1: NOT NULL constraint failed: users.name.",
  ],
  [
    `${users}INSERT INTO users VALUES (1, '😀'); INSERT INTO users VALUES (1, 'b');`,
    "2:37: UNIQUE constraint failed: users.id.",
  ],
  ["CREATE TABLE t (a, A);", "1:20: Duplicate column name: A."],
  [`${users}CREATE TABLE Users (a);`, "2:1: Table Users already exists."],
  ['CREATE TABLE "" (a);', "1:14: A table's name must not be empty."],
  ["CREATE TABLE sqlite_t (a);", "1:14: Object name reserved for internal use: sqlite_t."],
  ["CREATE TABLE t (a) WITHOUT ROWID;", "1:1: PRIMARY KEY missing on table t."],
  ["CREATE TABLE t (a COLLATE german);", "1:27: No such collation sequence: german."],
  ["BEGIN;\nCREATE TABLE t (a);", "1:1: The transaction that begins here does not end"],
  ["CREATE TABLE t (a);\0", "1:20: SQL cannot contain the character U+0000."],
  ["SQLite format 3\0\u0010\0", "1:1: This is a SQLite database, not a dump of one."],
])("refuses %j", async (text, expected) => {
  expect(await problemsOf(text)).toEqual([expect.stringContaining(expected)]);
});

test.each([
  [
    "CREATE TABLE t (a CHECK (a > 0), CHECK (strftime('%Y', a) > '2'));",
    '1:34: The CHECK constraint with the function strftime() of the table "t"',
  ],
  [
    "CREATE TABLE t (a, CONSTRAINT word CHECK (a > printf('%d', 1)));",
    '1:36: The CHECK constraint "word" with the function printf() of the table "t"',
  ],
  ["CREATE TABLE t (a, b AS (a + 1));", '1:20: The generated column "b"'],
  ["CREATE TABLE t (a INT) STRICT;", '1:24: STRICT of the table "t"'],
  [
    "CREATE TABLE t (a DEFAULT (random()));",
    '1:17: The default of the column "a", which is not a constant,',
  ],
  ["CREATE TABLE t (a NOT NULL ON CONFLICT IGNORE);", "1:31: ON CONFLICT IGNORE of the table"],
  ["CREATE TABLE t (a INTEGER PRIMARY KEY DESC);", "1:39: DESC in the primary key"],
  [
    "CREATE TABLE t (a, b, PRIMARY KEY (a COLLATE NOCASE, b));",
    '1:14: Another collation for the column "a" in the primary key',
  ],
  [
    "CREATE TABLE t (a REFERENCES u (id));",
    '1:30: A foreign key to the table "u", which is not here',
  ],
  [
    "CREATE TABLE t (a REFERENCES t (a));",
    '1:30: A foreign key to "a" of "t", which need not be unique',
  ],
  ["CREATE TABLE t (a); CREATE INDEX i ON t (a) WHERE a;", '1:21: The partial index "i"'],
  ["CREATE TABLE t (a); CREATE INDEX i ON t (lower(a));", '1:21: The index "i" on an expression'],
  [
    "CREATE TABLE t (a);\nCREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT 1; END;",
    '2:1: The trigger "g"',
  ],
  [
    "CREATE TABLE t (a); CREATE TRIGGER x INSERT ON t BEGIN SELECT 1; END;",
    '1:21: The trigger "x"',
  ],
  ["CREATE VIRTUAL TABLE f USING fts4 (a);", '1:1: The virtual table "f"'],
  [
    "PRAGMA writable_schema=ON; INSERT INTO sqlite_schema VALUES ('table','f','f',0,'CREATE VIRTUAL TABLE f USING fts5(a)'); CREATE TABLE f_data (id); INSERT INTO f_data VALUES (1);",
    '1:1: The virtual table "f"',
  ],
  ["CREATE TABLE u (a); CREATE TEMP TABLE t (a UNIQUE);", '1:1: The temporary table "t"'],
  ["CREATE TABLE u (a); CREATE TEMP VIEW v AS SELECT 1;", '1:1: The temporary view "v"'],
  [
    "CREATE TABLE u (a); ATTACH ':memory:' AS more; CREATE TABLE more.t (a);",
    '1:1: The attached database "more"',
  ],
])("refuses, or leaves out when told so, %s", async (text, what) => {
  const problems = await problemsOf(text);
  expect(problems).toEqual([
    expect.stringMatching(
      /^.* is not supported\. Remove it, or use --skip-unsupported \(in code: skipUnsupported\): then /,
    ),
  ]);
  expect(problems[0]).toContain(what);
  const warnings = await warningsOf(text);
  expect(warnings).toEqual([expect.stringMatching(/^.* is not supported: .*\.$/)]);
  expect(warnings[0]).toContain(what);
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
  [mysql, '3:21: Near "AUTO_INCREMENT": syntax error.'],
  ["CREATE TABLE t (a int) ENGINE=MyISAM;", '1:30: Near "=": syntax error.'],
  ["SET NAMES utf8;\nx;", '1:1: Near "SET": syntax error.'],
  ["\\connect shop\nx;", '1:1: Unrecognized token: "\\".'],
  ["COPY t (a) FROM stdin;\n1\tit's\n\\.\n", '1:1: Near "COPY": syntax error.'],
  ["CREATE TABLE t (a SERIAL, b timestamp DEFAULT now());", "syntax error."],
])("tells once where %j is of another database, and what to do", async (text, expected) => {
  const advice = "write its dump: sqlite3 app.db .dump > app.sql";
  const problems = await problemsOf(text);
  expect(problems).toEqual([expect.stringContaining(expected)]);
  expect(problems[0]).toContain(advice);
});

test.each([
  ["CREATE TABLE t (id SERIAL PRIMARY KEY);", '1:17: The type "SERIAL" generates no keys'],
  ["CREATE TABLE t (id INT AUTO_INCREMENT);", '1:17: The type "INT AUTO_INCREMENT" generates no'],
  ["", "1:1: There is no table in this database. Write the dump again: sqlite3 app.db .dump"],
  ["PRAGMA a=1; BEGIN; COMMIT;", "1:1: There is no table in this database."],
])("warns of %j", async (text, expected) => {
  const { problems, warnings } = await readDump(text);
  expect(problems).toEqual([]);
  expect(warnings).toHaveLength(1);
  expect((await warningsOf(text))[0]).toContain(expected);
});

test("leaves out what belongs to what is left out", async () => {
  const { tables, problems, warnings } = await readDump(
    `CREATE VIRTUAL TABLE f USING fts4 (a); INSERT INTO f VALUES ('x');
    CREATE VIEW o AS SELECT 1 AS a;
    CREATE TABLE t (a CHECK (b > 1) REFERENCES o (a), b AS (a), UNIQUE (a, b)); INSERT INTO t VALUES (1);`,
    true,
  );
  expect(problems).toEqual([]);
  expect(warnings.map(({ message }) => message.replace(/ is not supported.*/, ""))).toEqual([
    'The virtual table "f"',
    'The generated column "b"',
    'A key or an index with the generated column "b"',
    'The CHECK constraint with the name "b", which is no column, of the table "t"',
    'The view "o" is left out: only tables are served.',
  ]);
  expect(tables.map(({ schema, rows }) => [schema.name, schema.indexes, rows])).toEqual([
    ["t", undefined, [{ a: 1 }]],
  ]);
});

test("reads what other statements than CREATE and INSERT have made", async () => {
  const { tables, problems } = await readDump(
    `CREATE TABLE t (a UNIQUE); INSERT INTO t VALUES (1), (2), (2 + 1);
    INSERT OR IGNORE INTO t VALUES (3), (4); UPDATE t SET a = 9 WHERE a = 4; DELETE FROM t WHERE a = 1;
    ALTER TABLE t ADD COLUMN b DEFAULT 'x'; CREATE TABLE u AS SELECT a FROM t;`,
  );
  expect(problems).toEqual([]);
  const rows = tables.map((table) => table.rows.map((row) => ({ ...row, rowid: undefined })));
  expect(rows).toEqual([[2, 3, 9].map((a) => ({ a, b: "x" })), [2, 3, 9].map((a) => ({ a }))]);
});

test("warns of rows that refer to nothing, as a dump may have them", async () => {
  const text = `${users}CREATE TABLE notes (a, user INT REFERENCES users, FOREIGN KEY (a, user) REFERENCES two (x, y));
CREATE TABLE two (x, y, PRIMARY KEY (x, y)); INSERT INTO users VALUES (1, 'Ada');
INSERT INTO notes (user, a) VALUES (1, NULL), (NULL, 5), (7, NULL),
  (8, 3);`;
  const { warnings, tables } = await readText(text, "app.sql");
  expect(warnings.map(({ line, column, message }) => `${line}:${column}: ${message}`)).toEqual([
    '2:24: Column "user" refers to "users"."id", where there is no 7. 2 such rows are served.',
    '2:21: Columns "a", "user" refer to "two"."x", "two"."y", where there is no 3, 8. The row is served as it is.',
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
  const checks = Array.from({ length: 150 }, (_, at) => `CHECK (a > printf("%d", ${at}))`).join(
    ", ",
  );
  const lines = await problemsOfText(`CREATE TABLE t (a, ${checks});`, "app.sql");
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
    "tables/1-schema.sql": `${users}CREATE TRIGGER g AFTER INSERT ON users BEGIN SELECT 1; END;`,
    "tables/2-rows.sql": "INSERT INTO users VALUES (1, 'a');\nCREATE TABLE Tags (a);",
    "tables/tags.json": '[{ "id": 1, "user": 5 }]',
  });
  expect(lines).toEqual([
    expect.stringMatching(/^fx\/tables\/1-schema\.sql:2:1: The trigger "g" is not supported/),
    'fx/tables/2-rows.sql:2:14: There is another table "tags", and SQLite ignores case. Remove one of the two.',
  ]);
});

test("leaves out views with one warning, and reads on without being told so", async () => {
  const views = Array.from({ length: 7 }, (_, index) => `CREATE VIEW v${index} AS SELECT 1;`);
  const { problems, warnings } = await readDump(
    `CREATE TABLE t (a);\n${views.join("\n")}\nINSERT INTO t VALUES (1);`,
  );
  expect(problems).toEqual([]);
  expect(warnings.map(({ line, message }) => [line, message])).toEqual([
    [2, 'The views "v0", "v1", "v2", "v3", "v4" and 2 more are left out: only tables are served.'],
  ]);
});
