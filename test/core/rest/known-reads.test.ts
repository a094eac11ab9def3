import { expect, test } from "vitest";
import { knownRead } from "../../../src/core/rest/document/plan.ts";
import { Database } from "../../../src/core/store/database.ts";
import { call } from "../../support/calls.ts";
import { table } from "../../support/tables.ts";
import { ask } from "./ask.ts";
import { shop } from "./shop.ts";

function isKnown(database: Database, request: string): boolean {
  const [method = "", target = ""] = request.split(" ");
  const made = call(method, target);
  return knownRead({ call: made, path: made.path, database, now: () => 0 }) !== undefined;
}

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

test("keeps the plans of GET alone, and none that was refused or is long", async () => {
  const database = shop();
  const requests = [
    "GET /users?id=1",
    "HEAD /users?id=2",
    "GET /users?x=1",
    `GET /users?name=${"x".repeat(995)}`,
    `GET /users?name=${"x".repeat(996)}`,
  ];
  for (const request of requests) await ask(database, request);
  expect(requests.map((request) => isKnown(database, request))).toEqual([
    true,
    false,
    false,
    true,
    false,
  ]);
  expect(isKnown(database, "HEAD /users?id=1")).toBe(false);
});

test("forgets the oldest of more than 256 plans", async () => {
  const database = shop();
  for (let limit = 0; limit < 256; limit++) await ask(database, `GET /users?limit=${limit}`);
  expect(isKnown(database, "GET /users?limit=0")).toBe(true);
  await ask(database, "GET /users?limit=256");
  const known = [0, 1, 255, 256].map((limit) => isKnown(database, `GET /users?limit=${limit}`));
  expect(known).toEqual([false, true, true, true]);
});

test("plans anew when a table that was empty has got its columns", async () => {
  const database = Database.load([table("things", [])]);
  expect(await ask(database, "GET /things?order=desc")).toMatchObject({ body: { result: [] } });
  expect(isKnown(database, "GET /things?order=desc")).toBe(true);
  await ask(database, "POST /things", { body: { a: 1 } });
  expect(isKnown(database, "GET /things?order=desc")).toBe(false);
});
