import { expect, test } from "vitest";
import { Database } from "../../../src/core/store/database.ts";
import { strictStorage } from "../../../src/core/store/storage-rules.ts";
import { Base64Blob, type Row } from "../../../src/core/store/value.ts";
import { memoryTable, table } from "../../support/tables.ts";
import { ask } from "./ask.ts";

test("takes back values of SQL dumps that do not fit their columns", async () => {
  const stored: Row = { id: 1, n: "abc", r: Infinity, t: new Base64Blob(new Uint8Array([1])) };
  const contents = table("things", ["id INTEGER", "n INTEGER", "r REAL", "t TEXT"]);
  const database = Database.load([contents], { storage: strictStorage, now: () => 0 });
  memoryTable(database, "things").loadStored(stored);
  const body = { id: 1, n: "abc", r: null, t: "AQ==" };
  expect(await ask(database, "PUT /things/1", { body })).toMatchObject({ status: 200 });
  expect(await ask(database, "PATCH /things/1", { body })).toMatchObject({ status: 200 });
  expect(database.table("things")?.rows()).toEqual([stored]);
  expect(await ask(database, "PATCH /things/1", { body: { n: "b" } })).toMatchObject({
    status: 400,
  });
});

test("writes a number over one that JSON has no word for", async () => {
  const contents = table("things", ["id INTEGER", "r REAL"]);
  const database = Database.load([contents], { storage: strictStorage, now: () => 0 });
  memoryTable(database, "things").loadStored({ id: 1, r: Infinity });
  await ask(database, "PATCH /things/1", { body: { r: 5 } });
  expect(database.table("things")?.rows()).toEqual([{ id: 1, r: 5 }]);
});
