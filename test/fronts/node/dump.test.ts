import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import initSqlJs from "sql.js";
import { expect, onTestFinished, test } from "vitest";
import { sqliteStorage } from "../../../src/core/store/storage-rules.ts";
import { createEmulator } from "../../../src/index.ts";
import { loadFixtures } from "../../../src/fronts/node/load-fixtures.ts";
import { startServer } from "../../../src/fronts/node/index.ts";
import { type TemporaryFolder, temporaryFolder } from "../../support/temporary-folder.ts";

test("loads a SQL dump", async () => {
  const folder = await temporaryFolder({
    "app.SQL":
      "CREATE TABLE notes (id INTEGER PRIMARY KEY, text); INSERT INTO notes VALUES (1, 'é');",
  });
  const { tables, warnings } = await loadFixtures("app.SQL", { cwd: folder.path });
  expect(tables.map(({ schema, rows }) => [schema.name, rows])).toEqual([
    ["notes", [{ id: 1, text: "é" }]],
  ]);
  expect(warnings).toEqual([]);
});

test("loads the dumps of a folder beside its other tables, without what is not supported", async () => {
  const folder = await temporaryFolder({
    "fixtures/tables/app.sql": "CREATE TABLE a (x);\nCREATE VIEW v AS SELECT 1;",
    "fixtures/tables/b.json": [{ id: 1 }],
  });
  const options = { cwd: folder.path, skipUnsupported: true };
  const { tables, warnings } = await loadFixtures("fixtures", options);
  expect(tables.map(({ schema }) => schema.name)).toEqual(["b", "a"]);
  expect(warnings).toEqual([
    {
      message: 'The view "v" is left out: only tables are served.',
      file: "fixtures/tables/app.sql",
      line: 2,
      column: 1,
    },
  ]);
});

test("shows code what only databases hold as bigints, numbers and bytes, and takes them back", async () => {
  const folder = await temporaryFolder({
    "app.sql": `CREATE TABLE odd (id INTEGER PRIMARY KEY, big INTEGER, real, blob BLOB);
      INSERT INTO odd VALUES (1, 9007199254740993, 5.0, X'00ff');`,
  });
  const fixtures = await loadFixtures("app.sql", { cwd: folder.path });
  const { tables } = await createEmulator({ fixtures, profiles: { tables: "starbasedb" } });
  const handle = tables["odd"];
  const row = { id: 1, big: 9007199254740993n, real: 5, blob: Uint8Array.of(0, 255) };
  expect(handle?.rows()).toEqual([row]);
  expect(handle?.insert({ ...row, id: 2 })).toEqual({ ...row, id: 2 });
  expect(handle?.get(2n)).toEqual({ ...row, id: 2 });
});

const odd = `CREATE TABLE t (k TEXT PRIMARY KEY, n INTEGER DEFAULT '5', d DATE, b BLOB, r REAL);
  INSERT INTO t VALUES (NULL, 'x', 1, X'00', 1), (NULL, 7, '2024-01-01', NULL, 2.5);
  CREATE TABLE big (id BIGINT PRIMARY KEY, v); INSERT INTO big VALUES (7, 1), (3, 2), (NULL, 3);
  CREATE TABLE ids (rowid TEXT, v); INSERT INTO ids (_rowid_, v) VALUES (7, 'a'), (3, 'b');`;

const bySqlite = () => sqliteStorage;

test("serves a loaded dump by the profile of the emulator, as the command does", async () => {
  const folder = await temporaryFolder({ "app.sql": odd });
  const settings = { profiles: { tables: "starbasedb" } } as const;
  const told = await loadFixtures("app.sql", { cwd: folder.path, storageFor: bySqlite });
  const untold = await loadFixtures("app.sql", { cwd: folder.path });
  const answers = await Promise.all(
    [told, untold].map(async (fixtures) => {
      const emulator = await createEmulator({ fixtures, ...settings, auth: false });
      await emulator.fetch("/rest/t", { method: "POST", body: '{"k":null,"d":5}' });
      const paths = [
        "/rest/t",
        "/rest/t?n=x",
        "/rest/big",
        "/rest/big?rowid=1",
        "/rest/ids?_rowid_=7",
        "/rest/ids?sort_by=oid",
      ];
      const replies = await Promise.all(paths.map((path) => emulator.fetch(path)));
      return Promise.all(replies.map(async (reply) => [reply.status, await reply.text()]));
    }),
  );
  expect(answers[1]).toEqual(answers[0]);
  expect(answers[0]?.at(-1)).toEqual([
    200,
    '{"result":[{"rowid":null,"v":"b"},{"rowid":null,"v":"a"}]}',
  ]);
});

/** A folder with a database file as SQLite writes it. */
async function folderWith(name: string, sql: string): Promise<TemporaryFolder> {
  const { Database } = await initSqlJs();
  const database = new Database();
  database.run(sql);
  const folder = await temporaryFolder({ [name]: "" });
  await writeFile(join(folder.path, name), database.export());
  database.close();
  return folder;
}

const shop = `CREATE TABLE products (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE COLLATE NOCASE,
    price REAL DEFAULT (1.5 * 2), sold BOOLEAN, image BLOB, any);
  CREATE TABLE orders (product INT REFERENCES products, country, city, PRIMARY KEY (country, city)) WITHOUT ROWID;
  CREATE INDEX by_product ON orders (product DESC);
  INSERT INTO products VALUES (1, 'Cup', 5, 1, X'00ff', 5.0), (7, 'été', NULL, 0, NULL, 9007199254740993);
  INSERT INTO orders VALUES (7, 'fr', 'Lyon'), (1, 'de', 'Bonn');
  DELETE FROM products WHERE id = 3;`;

test.each(["shop.db", "shop.sqlite", "shop.SQLITE3"])(
  "serves the database file %s as it serves its dump, and never writes to it",
  async (name) => {
    const folder = await folderWith(name, shop);
    await folder.write("shop.sql", shop);
    const before = await readFile(join(folder.path, name));
    const { mtimeMs } = await stat(join(folder.path, name));
    const fixtures = await loadFixtures(name, { cwd: folder.path });
    const dumped = await loadFixtures("shop.sql", { cwd: folder.path });
    expect(fixtures.tables).toEqual(dumped.tables);
    const server = await startServer(await createEmulator({ fixtures, auth: false }), { port: 0 });
    onTestFinished(() => server.close());
    const first = await fetch(`${server.url}/rest/products/1`);
    expect(await first.json()).toEqual({
      result: [{ id: 1, name: "Cup", price: 5, sold: 1, image: "AP8=", any: 5 }],
    });
    const body = JSON.stringify({ name: "Mug", image: "AP8=" });
    const posted = await fetch(`${server.url}/rest/products`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    expect(await posted.json()).toMatchObject({
      result: { data: { id: 8, name: "Mug", price: 3, image: "AP8=" } },
    });
    expect(await readFile(join(folder.path, name))).toEqual(before);
    expect((await stat(join(folder.path, name))).mtimeMs).toBe(mtimeMs);
  },
);

test("reads databases and dumps of a folder, of which each may refer to the others", async () => {
  const folder = await folderWith(
    "fixtures/tables/shop.db",
    "CREATE TABLE a (id INTEGER PRIMARY KEY); INSERT INTO a VALUES (3);",
  );
  await folder.write(
    "fixtures/tables/notes.sql",
    "CREATE TABLE n (a REFERENCES a); INSERT INTO n VALUES (3);",
  );
  await folder.write("fixtures/tables/shop.db-shm", "\u0001");
  const { tables, warnings } = await loadFixtures("fixtures", { cwd: folder.path });
  expect(tables.map(({ schema, rows }) => [schema.name, rows])).toEqual([
    ["n", [{ a: 3 }]],
    ["a", [{ id: 3 }]],
  ]);
  expect(tables[0]?.schema.columns[0]?.references).toEqual({ table: "a", column: "id" });
  expect(warnings).toEqual([]);
});

test("keeps the row ids of a database, which tell the order of its rows", async () => {
  const rows = "INSERT INTO t VALUES ('a'), ('b'), ('c'); DELETE FROM t WHERE x = 'b';";
  const folder = await folderWith("app.db", `CREATE TABLE t (x); ${rows}`);
  const { tables } = await loadFixtures("app.db", { cwd: folder.path });
  expect(tables[0]?.rows).toEqual([
    { x: "a", rowid: 1 },
    { x: "c", rowid: 3 },
  ]);
});

test("reads a database that a program keeps with a WAL, once that is written to it", async () => {
  const folder = await folderWith("app.db", "CREATE TABLE t (x); INSERT INTO t VALUES (1);");
  const file = join(folder.path, "app.db");
  // What SQLite sets for journal_mode = WAL.
  await writeFile(file, (await readFile(file)).fill(2, 18, 20));
  await folder.write("app.db-wal", "");
  const { tables } = await loadFixtures("app.db", { cwd: folder.path });
  expect(tables[0]?.rows).toEqual([{ x: 1 }]);
});

test.each([
  ["-wal", "7\x7f", 'run: sqlite3 app.db "PRAGMA wal_checkpoint(TRUNCATE)"'],
  ["-journal", "\u00d9\u00d5", "if that has crashed, run: sqlite3 app.db .tables"],
])(
  "refuses a database with changes in its %s, and tells what to do",
  async (ending, text, advice) => {
    const folder = await folderWith("app.db", "CREATE TABLE t (x);");
    await folder.write(`app.db${ending}`, text);
    await expect(loadFixtures("app.db", { cwd: folder.path })).rejects.toMatchObject({
      code: "ERR_FIXTURES_UNREADABLE",
      message: expect.stringContaining(`the file "app.db${ending}" beside it has changes that are`),
    });
    await expect(loadFixtures("app.db", { cwd: folder.path })).rejects.toThrow(advice);
  },
);

test.each([
  ["app.db", "[1]", "despite its name it is not a SQLite database."],
  ["app.data", "SQLite format 3\0\u0010\u00ff", "it is a SQLite database. Name it .db, .sqlite or"],
])("refuses the file %s, whose name and content do not fit", async (name, text, reason) => {
  const folder = await temporaryFolder();
  await writeFile(join(folder.path, name), text, "latin1");
  await expect(loadFixtures(name, { cwd: folder.path })).rejects.toMatchObject({
    code: "ERR_FIXTURES_UNREADABLE",
    message: expect.stringContaining(`Cannot read the fixtures "${name}": ${reason}`),
  });
});

test("names the file of a database that is damaged, and what is not supported of one", async () => {
  const folder = await folderWith(
    "app.db",
    "CREATE TABLE t (x CHECK (date(x) > 1)); CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT 1; END;",
  );
  const problems = { code: "ERR_FIXTURES_INVALID" };
  await expect(loadFixtures("app.db", { cwd: folder.path })).rejects.toMatchObject({
    ...problems,
    problems: [
      {
        file: "app.db",
        message: expect.stringMatching(
          /^The CHECK constraint with the function date\(\) of the table "t"/,
        ),
      },
      { file: "app.db", message: expect.stringMatching(/^The trigger "g" is not supported/) },
    ],
  });
  const file = join(folder.path, "app.db");
  await writeFile(file, (await readFile(file)).fill(255, 100, 4000));
  await expect(loadFixtures("app.db", { cwd: folder.path })).rejects.toThrow(
    "app.db: SQLite cannot read this file: ",
  );
});
