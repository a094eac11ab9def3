import { expect, test } from "vitest";
import { createEmulator } from "../../../src/index.ts";
import {
  folder,
  problemAtMark,
  problemsOfFolder,
  problemsOfValue,
  readText,
} from "./problems-of.ts";
import { readFixtureFiles } from "../../support/read-fixture-files.ts";

const start =
  '{ "tables": { "users": [{ "id": 1, "note": "x", "score": 1.5 }] }, "chats": [{ "name": "hi", "reply": { "content": "x" } }], ';

test.each([
  ['"state": ▸3 }', '"state" must be an object, but is 3.'],
  ['"state": { "clock": ▸"soon" } }', "Expected a time such as"],
  ['"state": { ▸"colck": "2024-01-01" } }', 'Did you mean "clock"?'],
  ['"state": { "random": ▸[1] } }', "must be four numbers, but has 1."],
  ['"state": { "keys": { ▸"user": 1 } } }', 'There is no table "user". Did you mean "users"?'],
  ['"state": { "matches": { ▸"ho": 1 } } }', 'There is no script "ho". Did you mean "hi"?'],
  ['"state": { "matches": { "hi": ▸0 } } }', "must be 1 or more, but is 0."],
  ['"state": { "asStored": ["users", ▸"x"] } }', 'There is no table "x".'],
  ['"state": { "rowIds": { ▸"x": [1] } } }', 'There is no table "x".'],
  ['"state": { "rowIds": { "users": ▸[1] } } }', "have no row ids apart from their columns."],
  ['"state": { "cells": { ▸"user": [] } } }', 'Did you mean "users"?'],
  [
    '"state": { "cells": { "users": [{ "row": ▸5, "column": "id", "blob": "" }] } } }',
    "There is no row 5: the table has 1, counted from 0.",
  ],
  [
    '"state": { "cells": { "users": [{ "row": 0, "column": "score", "integer": ▸"9007199254740993" }] } } }',
    'Column "score" of type REAL cannot hold 9007199254740993 exactly.',
  ],
  [
    '"state": { "cells": { "users": [{ "row": 0, "column": ▸"nota", "blob": "" }] } } }',
    'There is no column "nota". Did you mean "note"?',
  ],
])("refuses %s", async (rest, expected) => {
  expect(await problemAtMark(start + rest)).toContain(expected);
});

test("says where a value is that its column does not take", async () => {
  const message = await problemAtMark(
    '{ "tables": { "users": [{ "id": 1, "note": ▸"x" }] }, "state": { "cells": { "users": [{ "row": 0, "column": "note", "blob": "00" }] } } }',
  );
  expect(message).toContain('Column "note" of type TEXT takes a string');
});

test("says nothing of keys of a table that could not be read", async () => {
  const files = {
    "tables/users.json": "{",
    "config.json": '{ "state": { "keys": { "users": 3 } } }',
  };
  expect(await problemsOfFolder(files)).toHaveLength(1);
});

test("takes a state in the config of a folder, also for the tables of a dump", async () => {
  const files = folder({
    "config.json": '{ "state": { "keys": { "users": 7, "t": 9 }, "seed": 3 } }',
    "tables/users.json": '[{ "id": 1 }]',
    "tables/app.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY);",
  });
  const { state, tables } = await readFixtureFiles(files);
  expect(state).toEqual({ seed: 3 });
  expect(tables.map(({ lastGeneratedKey }) => lastGeneratedKey)).toEqual([7, 9]);
});

test("begins with the state that fixtures tell, and a reset goes back to it", async () => {
  const fixtures = await readText(
    '{ "chats": [{ "name": "a", "replies": [{ "content": "one" }, { "content": "two" }] }], "state": { "matches": { "a": 1 }, "clock": "2020-01-01" } }',
  );
  const emulator = await createEmulator({ fixtures, auth: false });
  const ask = async (): Promise<string> => {
    const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "hi" }] });
    return (await emulator.fetch("/v1/chat/completions", { method: "POST", body })).text();
  };
  const first = await ask();
  emulator.reset();
  expect(first).toMatch(/"created":1577836800,.*"two"/);
  expect(await ask()).toContain('"two"');
});

test("options for clock and seed come before the state", async () => {
  const fixtures = { state: { clock: "2020-01-01", random: [1, 2, 3, 4] } };
  const given = await createEmulator({ fixtures, seed: 5, clock: "2024-01-01" });
  const plain = await createEmulator({ seed: 5 });
  expect(given.snapshot().random).toEqual(plain.snapshot().random);
  expect([given.snapshot().clock, (await createEmulator({ fixtures })).snapshot().clock]).toEqual([
    undefined,
    Date.UTC(2020, 0, 1),
  ]);
});

test("keeps rows that do not fit where a state says that a database had them", async () => {
  const tables = { t: { columns: { id: "INTEGER", n: "INTEGER" }, rows: [{ id: 1, n: "many" }] } };
  expect(await problemsOfValue({ tables })).toHaveLength(1);
  const emulator = await createEmulator({ fixtures: { tables, state: { asStored: ["t"] } } });
  expect(emulator.tables.t.rows()).toEqual([{ id: 1, n: "many" }]);
});

const ofDatabase = {
  profiles: { tables: "starbasedb" },
  tables: {
    t: { columns: { id: "INTEGER", a: "ANY", r: "REAL" }, rows: [{ id: 1, a: [1], r: "2.5" }] },
  },
  state: { asStored: ["t"] },
};

test("keeps stored rows as their profile does, also where they were read before it was known", async () => {
  const early = await readText(JSON.stringify(ofDatabase));
  const rows = [{ id: 1, a: "[1]", r: 2.5 }];
  expect((await createEmulator({ fixtures: early })).tables["t"]?.rows()).toEqual(rows);
  expect((await createEmulator({ fixtures: ofDatabase })).tables.t.rows()).toEqual(rows);
});

test("refuses stored tables whose names are one to SQLite", async () => {
  const tables = { Users: [{ id: 1 }], users: [{ id: 1, ID: 2 }], sqlite_x: [{ id: 1 }] };
  const { profiles } = ofDatabase;
  const state = { asStored: Object.keys(tables) };
  const paths = ["tables.users", "tables.users.columns.ID", "tables.sqlite_x"];
  const early = await readText(JSON.stringify({ profiles, tables, state }));
  await expect(createEmulator({ fixtures: early })).rejects.toMatchObject({
    problems: paths.map((path) => ({ path })),
  });
});

test("refuses row ids that are not one for each row, and those that occur twice", async () => {
  const tables = { t: { columns: { a: "TEXT" }, rows: [{ a: "x" }, { a: "y" }] } };
  const problems = async (ids: readonly number[]) =>
    problemsOfValue({ profiles: { tables: "starbasedb" }, tables, state: { rowIds: { t: ids } } });
  expect(await problems([1])).toEqual([
    "state.rowIds.t: Expected 2 row ids, one per row of the table, but found 1.",
  ]);
  expect(await problems([4, 4])).toEqual(["state.rowIds.t[1]: Another row has the row id 4."]);
});
