import { expect, test } from "vitest";
import { Database } from "../../../src/core/store/database.ts";
import { sqliteStorage } from "../../../src/core/store/storage-rules.ts";
import { table } from "../../support/tables.ts";
import { ask, starbasedbContext } from "../../core/tables/ask.ts";
import { observedShop } from "../../core/tables/observed-shop.ts";

// Keys that count on, and what clients may say of them in sqlite_sequence.

/** A table without rows whose keys count on. */
function counting(): Database {
  const schema = { ...table("t", ["id INTEGER"]).schema, autoIncrement: true };
  return Database.load([{ schema, rows: [] }], { storage: sqliteStorage });
}

test("never gives a key of AUTOINCREMENT again", async () => {
  const database = observedShop();
  await ask(database, "DELETE /counted/4", {}, starbasedbContext);
  await ask(database, "POST /counted", { body: '{"kind":"b"}' }, starbasedbContext);
  const { body } = await ask(database, "GET /sqlite_sequence", {}, starbasedbContext);
  expect(database.table("counted")?.rows()).toEqual([{ id: 5, kind: "b" }]);
  expect(body).toEqual({ result: [{ name: "counted", seq: 5 }] });
});

test.each([
  [9, 10],
  ["12abc", 13],
  [7.9, 8],
  ["none", 1],
  [null, 1],
  [" +12", 13],
  ["-3", 1],
  [-1e300, 1],
])("counts on after the last key %j that a client tells sqlite_sequence", async (seq, next) => {
  const database = counting();
  const body = JSON.stringify({ name: "t", seq });
  const { status } = await ask(database, "POST /sqlite_sequence", { body }, starbasedbContext);
  await ask(database, "POST /t", { body: '{"id":null}' }, starbasedbContext);
  expect(status).toBe(201);
  expect(database.table("t")?.rows()).toEqual([{ id: next }]);
});

test.each(["1e400", "1e300", "9223372036854775807", '"9223372036854775808"'])(
  "has no key left after the last one %s that a client tells sqlite_sequence",
  async (seq) => {
    const database = counting();
    const body = `{"name":"t","seq":${seq}}`;
    await ask(database, "POST /sqlite_sequence", { body }, starbasedbContext);
    const answer = await ask(database, "POST /t", { body: '{"id":null}' }, starbasedbContext);
    expect(answer.body).toEqual({ error: "database or disk is full: SQLITE_FULL" });
  },
);

test("counts from the first key on after one that is as small as can be", async () => {
  const database = counting();
  const body = '{"name":"t","seq":-1e400}';
  await ask(database, "POST /sqlite_sequence", { body }, starbasedbContext);
  await ask(database, "POST /t", { body: '{"id":null}' }, starbasedbContext);
  expect(database.table("t")?.rows()).toEqual([{ id: 1 }]);
});

test("heeds the first entry of a table in sqlite_sequence alone", async () => {
  const database = observedShop();
  const body = '{"name":"counted","seq":99}';
  await ask(database, "POST /sqlite_sequence", { body }, starbasedbContext);
  await ask(database, "POST /counted", { body: '{"kind":"b"}' }, starbasedbContext);
  expect(database.table("counted")?.get([5])).toEqual({ id: 5, kind: "b" });
});

test("has no key after the largest of AUTOINCREMENT", async () => {
  const database = observedShop();
  const full = "database or disk is full: SQLITE_FULL";
  const largest = '{"id":"9223372036854775807"}';
  await ask(database, "POST /counted", { body: largest }, starbasedbContext);
  const post = (body: string) => ask(database, "POST /counted", { body }, starbasedbContext);
  const generated = await post('{"kind":"b"}');
  expect([generated.status, generated.body]).toEqual([500, { error: full }]);
  expect(await post('{"id":null,"kind":"c"}')).toMatchObject({ body: { error: full } });
  expect(await post('{"id":77}')).toMatchObject({ status: 201 });
  await ask(database, "DELETE /counted/9223372036854775807", {}, starbasedbContext);
  expect(await post('{"kind":"d"}')).toMatchObject({ body: { error: full } });
  expect(database.table("counted")?.size).toBe(2);
});
