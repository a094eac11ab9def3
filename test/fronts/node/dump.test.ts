import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createEmulator } from "../../../src/index.ts";
import { loadFixtures } from "../../../src/fronts/node/load-fixtures.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

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
      message: 'The view "v" is not supported: it is left out.',
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
  const { tables } = await createEmulator({ fixtures, profiles: { rest: "starbasedb" } });
  const handle = tables["odd"];
  const row = { id: 1, big: 9007199254740993n, real: 5, blob: Uint8Array.of(0, 255) };
  expect(handle?.rows()).toEqual([row]);
  expect(handle?.insert({ ...row, id: 2 })).toEqual({ ...row, id: 2 });
  expect(handle?.get(2n)).toEqual({ ...row, id: 2 });
});

test("tells how to dump a database that was given itself", async () => {
  const folder = await temporaryFolder();
  const bytes = Buffer.concat([Buffer.from("SQLite format 3\0"), Buffer.of(0x10, 0xff, 0xfe)]);
  await writeFile(join(folder.path, "app.db"), bytes);
  await expect(loadFixtures("app.db", { cwd: folder.path })).rejects.toMatchObject({
    code: "ERR_FIXTURES_UNREADABLE",
    message:
      'Cannot read the fixtures "app.db": it is a SQLite database, and a dump is needed. ' +
      "Write one: sqlite3 app.db .dump > app.sql",
  });
});
