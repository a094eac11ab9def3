import { expect, test } from "vitest";
import { Database } from "../../../src/core/store/database.ts";
import { table } from "../../support/tables.ts";
import { ask } from "./ask.ts";
import { shop } from "./shop.ts";

test("answers a GET that is repeated with the rows as they are by then", async () => {
  const database = shop();
  const before = await ask(database, "GET /orders?user_id=1");
  await ask(database, "POST /orders", { body: { user_id: 1 } });
  const after = await ask(database, "GET /orders?user_id=1");
  expect(before.body).toEqual({ result: [{ id: 1, user_id: 1 }] });
  expect(after.body).toEqual({
    result: [
      { id: 1, user_id: 1 },
      { id: 2, user_id: 1 },
    ],
  });
});

test("takes no GET for another one of that path or of that query", async () => {
  const database = shop();
  const targets = ["/users?id=1", "/users?id=2", "/orders?id=1", "/users/1", "/users/2"];
  for (let round = 0; round < 2; round++) {
    for (const target of targets) {
      const fresh = await ask(shop(), `GET ${target}`);
      expect(await ask(database, `GET ${target}`)).toMatchObject({ body: fresh.body });
    }
  }
});

test("does not take a write for the GET of its path", async () => {
  const database = shop();
  await ask(database, "GET /users/2");
  await ask(database, "DELETE /users/2");
  expect((await ask(database, "GET /users/2")).body).toEqual({ result: [] });
});

function numbered(...numbers: readonly number[]): Database {
  return Database.load([table("things", ["a INTEGER"], { rows: numbers.map((a) => ({ a })) })]);
}

test("reads a GET anew where the table has other columns by now", async () => {
  const target = "GET /things?sort_by=a&order=desc&limit=1";
  await ask(numbered(1, 2), target);
  expect((await ask(numbered(1, 3), target)).body).toEqual({ result: [{ a: 3 }] });
  const other = Database.load([table("things", ["b INTEGER"])]);
  expect(await ask(other, target)).toMatchObject({ status: 400, body: { code: "unknown_column" } });
});

test("answers more GETs than are remembered", async () => {
  const database = shop();
  for (const round of [1, 2]) {
    for (let limit = 1; limit < 300; limit++) {
      const { status } = await ask(database, `GET /users?limit=${limit}&offset=${round - 1}`);
      expect(status).toBe(200);
    }
  }
});
