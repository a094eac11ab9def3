import * as fc from "fast-check";
import { expect, test } from "vitest";
import { answerTables } from "../../../src/core/tables/answer-tables.ts";
import { call } from "../../support/calls.ts";
import { tries } from "../../support/tries.ts";
import { jsonOf, openContext, starbasedbContext } from "./ask.ts";
import { observedShop } from "./observed-shop.ts";
import { allRows } from "./profile-case.ts";
import { shop } from "./shop.ts";

const words = fc.constantFrom(
  "users",
  "items",
  "counted",
  "sqlite_sequence",
  "select",
  "rowid",
  "pairs",
  "logs",
  "products",
  "orders",
  "user",
  "__proto__",
  "constructor",
  "id",
  "name",
  "email",
  "active",
  "score",
  "a",
  "b",
  "sku",
  "meta",
  "a.b",
  "limit",
  "sort_by",
  "order",
  "offset",
  "level",
  "eq",
  "like",
  "in",
  "gte",
  "1",
  "2",
  "x,1",
  "null",
  "true",
);
const text = fc.oneof(words, words, fc.string(), fc.string({ unit: "binary" }));
const safeText = text.map((value) =>
  encodeURIComponent(new TextDecoder().decode(new TextEncoder().encode(value))),
);
const anySegment = fc.oneof(safeText, safeText, fc.string(), fc.constantFrom("%zz", "%", "..", ""));
const path = fc.array(anySegment, { maxLength: 3 }).map((segments) => `/${segments.join("/")}`);
const parameter = fc.oneof(
  fc.tuple(safeText, safeText).map(([name, value]) => `${name}=${value}`),
  fc.tuple(words, words, safeText).map(([name, operator, value]) => `${name}.${operator}=${value}`),
  fc.string(),
);
const query = fc.array(parameter, { maxLength: 4 }).map((parameters) => parameters.join("&"));
const method = fc.constantFrom("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "X");
const body = fc.oneof(
  fc.dictionary(text, fc.jsonValue(), { maxKeys: 4 }).map((value) => JSON.stringify(value)),
  fc.json(),
  fc.string(),
  fc.uint8Array(),
);
const type = fc.constantFrom("application/json", "text/plain", "", "x/y+json", ";;");
const request = fc.record({ method, path, query: fc.oneof(fc.constant(""), query), body, type });

test("answers any request with 2xx or 4xx, and changes nothing when it refuses", async () => {
  const database = shop();
  await fc.assert(
    fc.asyncProperty(request, async ({ method: verb, path: target, body: sent, ...rest }) => {
      const before = allRows(database);
      const made = call(verb, target, { body: sent, headers: { "content-type": rest.type } });
      const context = openContext(database);
      const reply = await answerTables({ ...made, query: rest.query }, target, context);
      const isRefused = reply.status >= 400;
      const isBare = verb === "HEAD" || reply.status === 204;
      expect([200, 201, 204, 400, 404, 405, 409, 415]).toContain(reply.status);
      expect(Object.keys(jsonOf(reply) ?? {})[0]).toBe(keyOf(isBare, isRefused));
      expect(isRefused ? allRows(database) : before).toEqual(before);
    }),
    { numRuns: tries(3_000) },
  );
});

test("answers any request of the observed service, and changes nothing when it refuses", async () => {
  const database = observedShop();
  await fc.assert(
    fc.asyncProperty(request, async ({ method: verb, path: target, body: sent, ...rest }) => {
      const before = allRows(database);
      const made = call(verb, target, { body: sent, headers: { "content-type": rest.type } });
      const context = starbasedbContext(database);
      const reply = await answerTables({ ...made, query: rest.query }, target, context);
      const isRefused = reply.status >= 400;
      expect([200, 201, 400, 405, 500, 501]).toContain(reply.status);
      if (reply.headers["content-type"] === "application/json" && verb !== "HEAD") {
        expect(Object.keys(jsonOf(reply) ?? {})).toEqual([isRefused ? "error" : "result"]);
      }
      expect(isRefused ? allRows(database) : before).toEqual(before);
    }),
    { numRuns: tries(3_000) },
  );
});

/** The first key that a reply's body has. */
function keyOf(isBare: boolean, isRefused: boolean): string | undefined {
  if (isBare) return undefined;
  return isRefused ? "error" : "result";
}

const anyRow = fc.dictionary(
  fc.constantFrom("id", "name", "email", "active", "score", "user_id", "nope"),
  fc.oneof(
    fc.integer({ min: 0, max: 8 }),
    fc.constantFrom("a", "b", "bob@example.com", null, true, 1.5),
  ),
  { maxKeys: 4 },
);
const write = fc.tuple(
  fc.constantFrom("POST", "PUT", "PATCH", "DELETE"),
  fc.constantFrom("users", "orders"),
  fc.integer({ min: 0, max: 8 }),
  anyRow,
);

test("keeps every rule of the schema through any series of writes", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(write, { maxLength: 25 }), async (writes) => {
      const database = shop();
      for (const [verb, name, key, sent] of writes) {
        const target = verb === "POST" ? `/${name}` : `/${name}/${key}`;
        const before = allRows(database);
        const reply = await answerTables(
          call(verb, target, { body: sent }),
          target,
          openContext(database),
        );
        expect(reply.status >= 400 ? allRows(database) : before).toEqual(before);
      }
      const users = database.table("users")?.rows() ?? [];
      const orders = database.table("orders")?.rows() ?? [];
      const ids = users.map(({ id }) => id);
      const emails = users.map(({ email }) => email).filter((email) => email !== null);
      expect(ids).toEqual(
        [...new Set(ids)].toSorted((left, right) => Number(left) - Number(right)),
      );
      expect(emails).toHaveLength(new Set(emails).size);
      expect(users.every((user) => typeof user["name"] === "string")).toBe(true);
      const known: readonly unknown[] = [null, ...ids];
      for (const order of orders) expect(known).toContain(order["user_id"]);
    }),
    { numRuns: tries(300) },
  );
});
