import { expect, test } from "vitest";
import { readFixtureDocument } from "../../../src/core/fixture-set/read-fixtures.ts";
import { problemAtMark, problemsOfText, readText } from "./problems-of.ts";

test("reads a document without any reserved key as tables", async () => {
  const { tables } = await readText(
    '{ "posts": [{ "id": 1, "views": 100 }], "tags": [], "profile": { "name": "typicode" } }',
  );
  expect(tables.map(({ schema, rows }) => [schema.name, rows])).toEqual([
    ["posts", [{ id: 1, views: 100 }]],
    ["tags", []],
    ["profile", [{ name: "typicode" }]],
  ]);
});

test.each([
  '{ "cats": [{ "id": 1 }] }',
  '{ "charts": [{ "id": 1, "title": "x" }] }',
  '{ "models_": [] }',
  '{ "cats": [{ "name": "Tom" }] }',
  '{ "profile": { "name": "x" } }',
  '{ "stats": { "visits": 1 } }',
])("reads %s as tables, though the name is near a reserved key", async (text) => {
  const { tables } = await readText(text);
  expect(tables).toHaveLength(1);
});

test.each([
  ['{ ▸"tabels": { "users": [{ "id": 1 }] } }', 'Unknown key "tabels". Did you mean "tables"?'],
  ['{ ▸"tabels": { "users": { "rows": [] } } }', 'Unknown key "tabels". Did you mean "tables"?'],
  [
    '{ ▸"modles": [{ "id": "a", "kind": "chat" }] }',
    'Unknown key "modles". Did you mean "models"?',
  ],
  ['{ ▸"chat_s": [{ "reply": { "content": "a" } }] }', 'Did you mean "chats"?'],
  ['{ ▸"profile": { "tables": "document" } }', 'Did you mean "profiles"?'],
  ['{ ▸"tabels": {} }', 'Unknown key "tabels". Did you mean "tables"?'],
  ['{ ▸"sead": 1 }', 'Unknown key "sead". Did you mean "seed"?'],
])("reports the misspelt key of %s", async (text, expected) => {
  expect(await problemAtMark(text)).toContain(expected);
});

test("locates what is wrong with a row, and with the row of an object", async () => {
  const text = '{\n "posts": [{ "id": 1 }, { "id": 1 }],\n "site": { "": 1 } }';
  expect(await problemsOfText(text)).toEqual([
    'db.json:2:33: The primary key "id" must be unique, and 1 is taken.',
    "db.json:3:12: A column's name must not be empty.",
  ]);
});

test("refuses a value that is no table", async () => {
  expect(await problemsOfText('{ "posts": [], "version": 3, "tags": ["a"] }')).toEqual([
    'db.json:1:27: "version" must be an object, or an array of rows, but is 3.',
    'db.json:1:39: "tags[0]" must be an object, but is "a".',
  ]);
});

test("reads a json-server file that names its schema", async () => {
  const { tables } = await readFixtureDocument({
    $schema: "./node_modules/json-server/schema.json",
    posts: [{ id: "1", title: "a" }],
    profile: { name: "typicode" },
  });
  expect(tables.map(({ schema }) => schema.name)).toEqual(["posts", "profile"]);
});

test.each([
  '{ "models": [{ "id": 1, "name": "Golf" }], "makers": [{ "id": 1 }] }',
  '{ "models": [{ "id": "golf", "name": "Golf", "created": "1974" }] }',
  '{ "chats": [{ "id": 1, "text": "Hi" }], "users": [{ "id": 1 }] }',
  '{ "chats": [{ "title": "a", "members": [1, 2] }] }',
  '{ "state": { "open": true }, "users": [{ "id": 1 }] }',
  '{ "state": [{ "id": 1, "name": "Texas" }] }',
  '{ "seed": [{ "id": 1, "plant": "oak" }] }',
  '{ "clock": { "face": "round" } }',
  '{ "tables": [{ "id": 1, "seats": 4 }] }',
  '{ "tables": { "id": 1, "seats": 4 } }',
  '{ "cassettes": [{ "id": 1, "artist": "Ada" }] }',
  '{ "profiles": [{ "id": 1, "bio": "x" }] }',
  '{ "cart": {}, "users": [{ "id": 1 }] }',
  '{ "chats": [], "models": [], "users": [{ "id": 1 }] }',
])("tells by what %s holds that its keys are tables", async (text) => {
  const { tables } = await readText(text);
  expect(tables.map(({ schema }) => schema.name)).toEqual(Object.keys(JSON.parse(text)));
});

test.each([
  ['{ "models": [▸{ "kind": "chat" }] }', "id"],
  ['{ "models": [{ "id": "m", ▸"contextLenght": 1 }] }', "contextLength"],
  ['{ "chats": [{ ▸"replay": { "content": "a" } }] }', "reply"],
  ['{ "state": { ▸"matchs": {} } }', "matches"],
  ['{ "chats": [], ▸"users": [{ "id": 1 }], "seed": 1 }', 'Put tables into "tables". If each key'],
])("reports the mistake in %s, which is of fixtures", async (text, expected) => {
  expect(await problemAtMark(text)).toContain(expected);
});

test.each(['"limits": { "requestsPerMinute": 2 }', '"seed": 1', '"apiKeys": ["a"]'])(
  "reads %s beside an empty list of chats as a setting",
  async (setting) => {
    const { tables } = await readText(`{ ${setting}, "chats": [] }`);
    expect(tables).toEqual([]);
  },
);

test("reads an object that is no setting beside an empty list of chats as a table", async () => {
  const { tables } = await readText('{ "limits": { "id": 1, "most": 2 }, "chats": [] }');
  expect(tables.map(({ schema }) => schema.name)).toEqual(["limits", "chats"]);
});
