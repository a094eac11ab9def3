import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import initSqlJs from "sql.js";
import { expect, test } from "vitest";
import { run } from "../../../src/fronts/cli/run.ts";
import { loadFixtures } from "../../../src/fronts/node/load-fixtures.ts";
import { createEmulator } from "../../../src/index.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { testIo } from "./test-io.ts";

const dump = `
CREATE TABLE users (
  id INTEGER PRIMARY KEY,
  email VARCHAR(40) UNIQUE COLLATE NOCASE NOT NULL,
  active BOOLEAN DEFAULT 1,
  score REAL DEFAULT 1.5,
  joined DATETIME,
  avatar BLOB
);
CREATE TABLE notes (
  user_id INTEGER NOT NULL REFERENCES users (id),
  slug TEXT DEFAULT 'none',
  big BIGINT,
  PRIMARY KEY (user_id, slug)
);
CREATE TABLE empty (code TEXT PRIMARY KEY);
INSERT INTO users VALUES (3, 'Ada@x', 1, 2.0, '2024-01-01', NULL), (7, 'bob@x', 0, NULL, NULL, x'00ff10');
INSERT INTO notes VALUES (3, 'a', 9007199254740993), (7, '2', -1), (3, 'ü "q"', NULL);
`;

const requests: readonly (readonly [method: string, path: string, body?: object])[] = [
  ["GET", "users"],
  ["GET", "users?email=ada@x"],
  ["GET", "users?active=1&sort_by=score&order=desc"],
  ["GET", "users?score.gte=2"],
  ["GET", "notes?sort_by=big"],
  ["GET", "notes?big=9007199254740993"],
  ["POST", "users", { email: "eve@x" }],
  ["POST", "users", { email: "ADA@X" }],
  ["POST", "users", { active: 5 }],
  ["POST", "notes", { user_id: 99, slug: "x" }],
  ["POST", "notes", { user_id: 7 }],
  ["POST", "notes", { user_id: 7, slug: "2" }],
  ["DELETE", "users/3"],
  ["POST", "empty", { code: "a" }],
  ["GET", "users"],
  ["GET", "notes"],
  ["GET", "empty"],
];

type Profile = "document" | "starbasedb";

/** What a server of these fixtures answers to all requests, one after the other. */
async function answers(path: string, cwd: string, tables: Profile): Promise<readonly string[]> {
  const fixtures = await loadFixtures(path, { cwd });
  const emulator = await createEmulator({ fixtures, profiles: { tables } });
  const found: string[] = [];
  for (const [method, target, body] of requests) {
    const response = await emulator.fetch(
      new Request(`http://x/rest/${target}`, {
        method,
        headers: { authorization: "Bearer local-token", "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
    // The profile of the observed service answers a blob as an object without keys.
    const text = (await response.text()).replaceAll('"avatar":{}', '"avatar":"AP8Q"');
    found.push(`${method} ${target} ${response.status} ${text}`);
  }
  return found;
}

test.each(["app.db", "app.sqlite", "app.sqlite3", "app.sql"])(
  "what import writes of %s answers as the file itself does",
  async (name) => {
    const folder = await temporaryFolder();
    const database = new (await initSqlJs()).Database();
    database.run(dump);
    await writeFile(join(folder.path, name), name.endsWith(".sql") ? dump : database.export());
    database.close();
    const io = testIo({ cwd: folder.path });
    expect(await run(["import", name], io)).toBe(0);
    expect(io.err()).toBe(
      `${name} looks like a SQLite database or dump (--from sqlite)\n` +
        `note: ${name}: users.avatar: blobs become base64\n`,
    );
    const written = await readdir(join(folder.path, "fixtures/tables"));
    expect(written.toSorted()).toEqual(["empty.json", "notes.json", "users.json"]);
    for (const profile of ["document", "starbasedb"] as const) {
      const direct = await answers(name, folder.path, profile);
      expect(direct[0]).toContain('"avatar":"AP8Q"');
      expect(await answers("fixtures", folder.path, profile)).toEqual(direct);
    }
  },
);

test("import leaves out what only SQL can say, and names it", async () => {
  const folder = await temporaryFolder({
    "app.sql": `
CREATE TABLE a (id INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT DEFAULT CURRENT_TIMESTAMP, kind "E-1",
  x TEXT COLLATE RTRIM, y INT, z DEFAULT x'00', UNIQUE (x, y), UNIQUE (x COLLATE NOCASE, y));
CREATE TABLE b (code TEXT PRIMARY KEY, x TEXT, y INT, FOREIGN KEY (x, y) REFERENCES a (x, y)) WITHOUT ROWID;
CREATE TABLE c (id INT);
CREATE TABLE "d/e" (code TEXT PRIMARY KEY);
CREATE VIEW v AS SELECT 1;
`,
  });
  const io = testIo({ cwd: folder.path });
  expect(await run(["import", "app.sql"], io)).toBe(0);
  expect(await run(["check", "fixtures"], io)).toBe(0);
  expect(io.err().split("\n").slice(1)).toEqual([
    'warning: app.sql:7:1: The view "v" is left out: only tables are served.',
    "note: app.sql: a: left out: UNIQUE (x, y) with another collation than its columns have",
    'note: app.sql: a.kind: its type "E-1" becomes NUMERIC',
    "note: app.sql: a.z: left out: its default, which is not JSON",
    'note: app.sql: ["d/e"]: the table was left out: "d/e" cannot be the name of a file',
    "",
  ]);
});

test.each([
  [
    "a.sql",
    "CREATE TABLE a (id INTEGER PRIMARY KEY, n REAL);\nINSERT INTO a VALUES (1, 'x');",
    "a.json:14:12: Column",
  ],
  ["a.sql", "CREATE VIEW v AS SELECT 1;", "it has no table that fixtures can have"],
  ["a.db", "no database", "despite its name it is not a SQLite database"],
  ["a.txt", "", "a database ends in .db, .sqlite or .sqlite3, and a dump in .sql."],
])("import refuses %s with %j", async (name, text, says) => {
  const folder = await temporaryFolder({ [name]: text });
  const io = testIo({ cwd: folder.path });
  expect(await run(["import", name, "--from", "sqlite"], io)).toBe(1);
  expect(io.err()).toContain(says);
  expect(await readdir(folder.path)).toEqual([name]);
});

test("import says which database may be meant", async () => {
  const folder = await temporaryFolder({ "shop.sql": "" });
  const io = testIo({ cwd: folder.path });
  expect(await run(["import", "shp.sql"], io)).toBe(1);
  expect(io.err()).toContain('there is no such file. Did you mean "shop.sql"?');
});
