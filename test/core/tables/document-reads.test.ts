import { describe, expect, test } from "vitest";
import { Database } from "../../../src/core/store/database.ts";
import { table } from "../../support/tables.ts";
import { ask } from "./ask.ts";
import { ada, type ProfileCase, testCases } from "./profile-case.ts";

// The column `document` of the design's profile table, row by row: what reads.

const windows: readonly ProfileCase[] = [
  ...["-1", "x", "", "1.5", "+5", "1e2", "0x1"].flatMap((count): ProfileCase[] => [
    {
      request: `GET /users?limit=${encodeURIComponent(count)}`,
      status: 400,
      code: "invalid_limit",
    },
    {
      request: `GET /users?offset=${encodeURIComponent(count)}`,
      status: 400,
      code: "invalid_offset",
    },
  ]),
  { request: `GET /orders?limit=${"9".repeat(400)}`, status: 200, result: [{ id: 1, user_id: 1 }] },
  { request: `GET /orders?offset=${"9".repeat(30)}`, status: 200, result: [] },
  {
    request: "GET /users?limit=1&limit=2",
    status: 400,
    code: "repeated_parameter",
    says: ["limit"],
  },
  {
    request: "GET /users?sort_by=id&order=down",
    status: 400,
    code: "invalid_order",
    says: ["down"],
  },
  { request: "GET /users?order=", status: 400, code: "invalid_order" },
  { request: "GET /logs?sort_by=text&limit=1", status: 200, result: [{ text: "a", level: "5" }] },
];

/** Rows as they were put in: not in the order of their key. */
const stock = [
  { sku: "b", n: 1 },
  { sku: "c", n: 2 },
  { sku: "a", n: 3 },
];

test.each([
  ["", "bca"],
  ["?order=asc", "abc"],
  ["?order=Desc", "cba"],
  ["?sort_by=n", "bca"],
  ["?sort_by=n&order=DESC", "acb"],
])("lists rows as they were put in unless an order is asked for: %s", async (query, expected) => {
  const contents = table("stock", ["sku TEXT", "n INTEGER"], { primaryKey: ["sku"], rows: stock });
  const { body } = await ask(Database.load([contents]), `GET /stock${query}`);
  const order = expected.split("").map((sku) => stock.find((row) => row.sku === sku));
  expect(body).toEqual({ result: order });
});

const names: readonly ProfileCase[] = [
  {
    request: "GET /users?name.liek=x",
    status: 400,
    code: "unknown_operator",
    says: ["liek", 'mean "like"', "eq, ne, gt, gte, lt, lte, like, in"],
  },
  { request: "GET /users?name.=x", status: 400, code: "unknown_operator" },
  {
    request: `GET /users?name.like=${"_".repeat(1_001)}`,
    status: 400,
    code: "invalid_filter",
    says: ['"name.like"', "1001 characters", "at most 1000"],
  },
  { request: `GET /users?name.like=${"_".repeat(1_000)}`, status: 200, result: [] },
  {
    request: `GET /users?name.like=${"_".repeat(600)}&name.like=${"a".repeat(600)}`,
    status: 400,
    code: "invalid_filter",
    says: ["1200 characters together", "at most 1000"],
  },
  {
    request: `GET /users?${Array.from({ length: 51 }, (_, at) => `id.lt=${at}`).join("&")}`,
    status: 400,
    code: "invalid_filter",
    says: ["51 comparisons", "50 at most", "ne and in"],
  },
  {
    request: `GET /users?${Array.from({ length: 30 }, (_, at) => `n${at}=1`).join("&")}`,
    status: 400,
    code: "unknown_column",
    says: ['"n0"', '"n19"'],
  },
  { request: `GET /users?name=${"_".repeat(1_001)}`, status: 200, result: [] },
  {
    request: "GET /users?nam=x",
    status: 400,
    code: "unknown_column",
    says: ["nam", '"name', "email"],
  },
  { request: "GET /users?NAME=x", status: 400, code: "unknown_column" },
  { request: "GET /users?rowid=1", status: 400, code: "unknown_column" },
  { request: "GET /users?sort_by=3", status: 400, code: "unknown_column" },
  { request: "GET /users?sort_by=", status: 400, code: "unknown_column" },
  { request: "GET /users?=x", status: 400, code: "unknown_column" },
  { request: "GET /users?limt=5", status: 400, code: "unknown_column", says: ['mean "limit"'] },
  { request: "GET /users?__proto__=x", status: 400, code: "unknown_column" },
  { request: "GET /users?constructor.eq=x", status: 400, code: "unknown_column" },
  {
    request: "GET /users?x=1&name.foo=1&limit=a",
    status: 400,
    code: "unknown_column",
    says: ["x", "foo", "limit"],
  },
  { request: "GET /user", status: 404, code: "unknown_table", says: ["user", '"users', "orders"] },
  { request: "POST /user", body: { name: "x" }, status: 404, code: "unknown_table" },
  { request: "GET /__proto__", status: 404, code: "unknown_table" },
  {
    request: "GET /products?a.b=dot&limit.eq=5",
    status: 200,
    result: [{ sku: "a b/c", "a.b": "dot", limit: 5, meta: { tags: ["x"] }, made: "2024-05-01" }],
  },
  {
    request: "GET /products?a.b=&limit.gt=5",
    status: 200,
    result: [{ sku: "p,q", "a.b": "", limit: 7, meta: [1, 2], made: 20240601 }],
  },
];

const userIds = (ids: readonly number[]): unknown =>
  ids.map((id) => expect.objectContaining({ id }));

const values: readonly ProfileCase[] = [
  { request: "GET /users?id.gt=1&id.gt=2", status: 200, result: userIds([3, 5]) },
  {
    request: "GET /logs?level=5",
    status: 200,
    result: [
      { text: "b", level: 5 },
      { text: "a", level: "5" },
    ],
  },
  { request: "GET /logs?level=5.0", status: 200, result: [{ text: "b", level: 5 }] },
  {
    request: "GET /products?meta=%5B1,2%5D",
    status: 200,
    result: [expect.objectContaining({ sku: "p,q" })],
  },
  {
    request: "GET /products?made=20240601",
    status: 200,
    result: [expect.objectContaining({ sku: "p,q" })],
  },
];

const keys: readonly ProfileCase[] = [
  { request: "GET /users/01", status: 200, result: [ada] },
  { request: "GET /pairs/x", status: 400, code: "invalid_key", says: ["a, b"] },
  { request: "DELETE /pairs/x,1,2", status: 400, code: "invalid_key" },
  {
    request: "GET /products/a%20b%2Fc",
    status: 200,
    result: [expect.objectContaining({ sku: "a b/c" })],
  },
  { request: "GET /products/p,q", status: 200, result: [expect.objectContaining({ sku: "p,q" })] },
  { request: "GET /logs/1", status: 400, code: "no_primary_key" },
  { request: "DELETE /logs/1", status: 400, code: "no_primary_key" },
  { request: "DELETE /logs", status: 400, code: "no_primary_key" },
  { request: "GET /users/%zz", status: 400, code: "invalid_path" },
  { request: "GET /users/%ff", status: 400, code: "invalid_path" },
  { request: "GET /us%65rs/1", status: 200, result: [ada] },
  { request: "GET /users/1/orders", status: 404, code: "unknown_path" },
  { request: "GET /", status: 404, code: "unknown_path" },
  { request: "TRACE /users", status: 405, code: "method_not_allowed" },
];

describe.each([
  ["order, limit and offset", windows],
  ["names", names],
  ["values", values],
  ["keys and paths", keys],
])("%s", (_, cases) => {
  testCases(cases);
});
