import { expect, test } from "vitest";
import { readFixtureFiles } from "../../support/read-fixture-files.ts";
import { folder, problemsOfFolder } from "./problems-of.ts";

test("reads a folder as the one document that its files are parts of", async () => {
  const set = await readFixtureFiles(
    folder({
      "tables/users.json": '{ "columns": { "id": "INTEGER" }, "rows": [{ "id": 1 }] }',
      "tables/notes.jsonc": '[{ "id": 5 }, // yes\n]',
      "chats/weather.json": '{ "reply": { "content": "a" } }',
      "chats/more.json":
        '[{ "name": "first", "reply": { "content": "b" } }, { "reply": { "content": "c" } }]',
      "models.json": '[{ "id": "m" }]',
      "config.json": '{ "seed": 4, "chats": [{ "reply": { "content": "0" } }] }',
      "README.md": "# Notes",
      ".DS_Store": "",
      "chats/notes.md": "not a script",
    }),
  );
  expect(set.settings).toEqual({ seed: 4 });
  expect(set.models.map(({ id }) => id)).toEqual(["m"]);
  expect(set.tables.map(({ schema, rows }) => [schema.name, rows])).toEqual([
    ["notes", [{ id: 5 }]],
    ["users", [{ id: 1 }]],
  ]);
  expect(set.scripts.map(({ name }) => name)).toEqual(["chats-1", "first", "more-2", "weather"]);
});

test("reads an empty folder", async () => {
  const { tables, scripts } = await readFixtureFiles([]);
  expect([tables, scripts]).toEqual([[], []]);
});

test.each([
  ["confg.json", 'Unknown file "confg.json". Did you mean "config.json"?'],
  ["confg.jsonc", 'Unknown file "confg.jsonc". Did you mean "config.json"?'],
  ["users.json", 'Unknown file "users.json". A fixtures folder has "config.json"'],
  ["notes.txt", 'Unknown file "notes.txt". A fixtures folder has'],
  ["tabels/users.json", 'Unknown folder "tabels". Did you mean "tables"?'],
  ["images/", 'Unknown folder "images". A fixtures folder has'],
  ["tables/old/users.json", 'Folders inside "tables" are not read. Move the file up.'],
  [
    "tables/users.yaml",
    '"users.yaml" is not a fixture file. Name it .json, .jsonc, .sql or .db, or',
  ],
  ["chats/users.yaml", '"users.yaml" is not a fixture file. Name it .json or .jsonc, or'],
  ["chats/.json/x", 'Folders inside "chats" are not read'],
  ["cassettes/a.yaml", '"a.yaml" is not a fixture file. Name it .json or .jsonc'],
  ["cassettes/old/a.json", 'Folders inside "cassettes" are not read'],
  ["app.sql", '"app.sql" is a SQL dump. Move it into "tables".'],
  ["chats/app.sql", '"app.sql" is not a fixture file. Name it .json or .jsonc'],
])("refuses the file %s", async (name, expected) => {
  const lines = await problemsOfFolder({ [name]: "[]" });
  if (name.includes("/.")) expect(lines).toEqual([]);
  else expect(lines).toEqual([expect.stringContaining(`fx/${name}: ${expected}`)]);
});

test("locates problems in the file and place where they are", async () => {
  const lines = await problemsOfFolder({
    "config.json": '{\n  "sed": 1\n}',
    "models.json": '[{ "id": "a" },\n {}]',
    "chats/weather.json": '[{ "reply": { "content": "a" } },\n  { "replay": {} }]',
    "tables/users.json": '{ "rows": [\n { "id": 1 },\n { "id": 1 }] }',
    "tables/notes.json": '[{ "id": 1 },\n { "id": 1 }]',
  });
  expect(lines).toEqual([
    'fx/chats/weather.json:2:5: Unknown key "replay". Did you mean "reply"?',
    'fx/config.json:2:3: Unknown key "sed". Did you mean "seed"?',
    'fx/models.json:2:2: The key "id" is missing.',
    'fx/tables/notes.json:2:10: The primary key "id" must be unique, and 1 is taken.',
    'fx/tables/users.json:3:10: The primary key "id" must be unique, and 1 is taken.',
  ]);
});

test("tells what is wrong with other files when one has a syntax error", async () => {
  const lines = await problemsOfFolder({
    "tables/users.json": "[{ ]",
    "tables/orders.json": '{ "columns": { "user": { "references": "users.id" } }, "x": 1 }',
  });
  expect(lines).toEqual([
    expect.stringContaining('fx/tables/orders.json:1:56: Unknown key "x".'),
    'fx/tables/users.json:1:4: Expected a key, but found "]".',
  ]);
});

test.each([
  [
    { "config.json": '{ "models": [] }', "models.json": "[]" },
    "fx/models.json:1:1: The models are already there",
  ],
  [{ "config.json": "{}", "config.jsonc": "{}" }, "fx/config.jsonc:1:1: There is a second config"],
  [
    { "tables/users.json": "[]", "tables/users.jsonc": "[]" },
    'fx/tables/users.jsonc:1:1: The table "users" is already defined',
  ],
  [
    { "config.json": '{ "tables": { "users": [] } }', "tables/users.json": "[]" },
    'fx/tables/users.json:1:1: The table "users" is already defined',
  ],
  [{ "config.json": '{ "tables": [] }', "tables/users.json": "[]" }, "fx/config.json:1:13: "],
  [{ "config.json": '{ "chats": {} }', "chats/users.json": "[]" }, "fx/config.json:1:12: "],
  [{ "config.json": "[]" }, "fx/config.json:1:1: Expected an object with settings"],
])("refuses what is said twice, or hides behind another file: %j", async (files, expected) => {
  expect(await problemsOfFolder(files)).toEqual([expect.stringContaining(expected)]);
});
