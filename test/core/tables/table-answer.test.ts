import { expect, test } from "vitest";
import type { AnswerDetails } from "../../../src/core/http/answerer.ts";
import type { Reply } from "../../../src/core/http/reply.ts";
import { Database } from "../../../src/core/store/database.ts";
import { table } from "../../support/tables.ts";
import { answererOf } from "../../support/answerer.ts";
import { ask } from "./ask.ts";
import { shop } from "./shop.ts";

const scene = { headers: {}, body: undefined };

function detailsOf({ answeredBy }: Reply, tables: unknown): AnswerDetails | undefined {
  return typeof answeredBy === "object" ? answeredBy.details({ ...scene, tables }) : undefined;
}

/** How a row is found by its row id. */
const byRowId = {
  access: { by: "row id", search: "equal" },
  candidates: 1,
  tests: [],
  order: "as found",
};

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

test("tells how the rows of a GET are found", async () => {
  const database = shop();
  const { reply } = await ask(database, "GET /users?name=Bob&sort_by=name");
  expect(detailsOf(reply, database)).toEqual({
    plan: {
      access: { by: "scan" },
      candidates: 4,
      tests: [{ column: "name", operator: "eq", value: "Bob" }],
      order: "sorted",
    },
  });
});

test("tells how the row of a change is found, and nothing of a row that is new", async () => {
  const database = shop();
  const changed = await ask(database, "PATCH /users/2", { body: { name: "B" } });
  const added = await ask(database, "POST /users", { body: { name: "C" } });
  expect(detailsOf(changed.reply, database)).toMatchObject({
    plan: byRowId,
    change: { before: { name: "Bob" }, after: { name: "B" } },
  });
  expect(detailsOf(added.reply, database)).toMatchObject({
    change: { table: "users", before: null, after: { name: "C" } },
  });
  expect(detailsOf(added.reply, database)).not.toHaveProperty("plan");
});

test("tells how the row of a composite key is found", async () => {
  const columns = ["a TEXT", "b INTEGER", "n INTEGER"];
  const rows = [{ a: "x", b: 1, n: 1 }];
  const pairs = table("pairs", columns, { primaryKey: ["a", "b"], rows });
  const database = Database.load([pairs]);
  const { reply } = await ask(database, "PATCH /pairs/x,1", { body: { n: 2 } });
  const tests = ["x", "1"].map((value, at) => ({ column: "ab"[at], operator: "eq", value }));
  expect(detailsOf(reply, database)).toMatchObject({ plan: { candidates: 1, tests } });
});

test.each([
  ["the same columns", ["id INTEGER", "name TEXT", "more TEXT"], true],
  ["another column to sort by", ["id INTEGER", "name TEXT", "n INTEGER"], false],
  ["another column to filter by", ["id INTEGER", "more TEXT", "n INTEGER"], false],
])("asks a table that has changed since only where it has %s", async (_, columns, isAsked) => {
  const first = Database.load([table("things", ["id INTEGER", "name TEXT", "more TEXT"])]);
  const { reply } = await ask(first, "GET /things?name=a&sort_by=more");
  const later = Database.load([table("things", columns)]);
  expect(Object.keys(detailsOf(reply, later) ?? {})).toEqual(isAsked ? ["plan"] : []);
});

test("asks a table that has changed since where nothing is sorted", async () => {
  const first = Database.load([table("things", ["id INTEGER", "name TEXT"])]);
  const { reply } = await ask(first, "GET /things?name=a");
  const later = Database.load([table("things", ["name TEXT"])]);
  expect(detailsOf(reply, later)).toMatchObject({ plan: { access: { by: "scan" } } });
});

test("tells nothing where the table is gone, or no tables are at hand", async () => {
  const { reply } = await ask(shop(), "GET /users");
  expect(detailsOf(reply, Database.load([]))).toEqual({});
  expect(detailsOf(reply, undefined)).toEqual({});
});
