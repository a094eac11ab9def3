import { expect, test } from "vitest";
import { answererOf } from "../../support/answerer.ts";
import { ask } from "./ask.ts";
import { shop } from "./shop.ts";

test.each([
  ["GET /users", undefined, "GET users: 4 rows"],
  ["GET /users/1", undefined, "GET users: 1 row"],
  ["GET /users/9", undefined, "GET users: 0 rows"],
  ["HEAD /users", undefined, "HEAD users: 4 rows"],
  ["PATCH /users/1", { name: "A" }, "PATCH users: 1 row"],
  ["POST /users", { name: "A" }, "POST users: 1 row"],
  ["POST /users", { id: 1, name: "A" }, "POST: conflict"],
  ["GET /user", undefined, "GET: unknown_table"],
])("says of %s with %j what answered", async (request, body, label) => {
  const { reply } = await ask(shop(), request, { body });
  expect(answererOf(reply)).toBe(label);
});
