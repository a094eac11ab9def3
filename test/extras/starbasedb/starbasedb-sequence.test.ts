import { expect, test } from "vitest";
import { ask, starbasedbContext } from "../../core/tables/ask.ts";
import { observedShop } from "../../core/tables/observed-shop.ts";

// Keys that count on, and sqlite_sequence, which tells the last ones.

test("never gives a key of AUTOINCREMENT again", async () => {
  const database = observedShop();
  await ask(database, "DELETE /counted/4", {}, starbasedbContext);
  await ask(database, "POST /counted", { body: '{"kind":"b"}' }, starbasedbContext);
  const { body } = await ask(database, "GET /sqlite_sequence", {}, starbasedbContext);
  expect(database.table("counted")?.rows()).toEqual([{ id: 5, kind: "b" }]);
  expect(body).toEqual({ result: [{ name: "counted", seq: 5 }] });
});

test("accepts an entry in sqlite_sequence and forgets it", async () => {
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
