import { expect, test } from "vitest";
import { loadFixtures } from "../../src/node/load-fixtures.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

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
