import { describe } from "vitest";
import { ada, type ProfileCase, testCases } from "./profile-case.ts";

// The column `document` of the design's profile table, row by row: what writes.

const replaced = (data: unknown): unknown => ({ message: "Resource replaced successfully", data });
const updated = (data: unknown): unknown => ({ message: "Resource updated successfully", data });
const created = (data: unknown): unknown => ({ message: "Resource created successfully", data });

const put: readonly ProfileCase[] = [
  {
    request: "PUT /users/1",
    body: { id: 1, name: "A", active: 0 },
    status: 200,
    result: replaced({ id: 1, name: "A", email: null, active: 0, score: null }),
  },
  {
    request: "PUT /users/1",
    body: { score: 1 },
    status: 400,
    code: "invalid_body",
    says: ["name"],
  },
  { request: "PUT /users/1", body: { id: 2, name: "A" }, status: 400, code: "key_mismatch" },
  { request: "PUT /users/1", body: { id: null, name: "A" }, status: 400, code: "key_mismatch" },
  { request: "PUT /users/1", body: { id: "1", name: "A" }, status: 400, code: "key_mismatch" },
  {
    request: "PUT /users/9",
    body: { name: "A" },
    status: 404,
    code: "row_not_found",
    says: ["id", "9"],
  },
  { request: "PUT /users/1", body: {}, status: 400, code: "empty_body" },
  {
    request: "PUT /users",
    body: { id: 1, name: "A" },
    status: 400,
    code: "missing_key",
    says: ["id"],
  },
];

const patch: readonly ProfileCase[] = [
  {
    request: "PATCH /users/05",
    body: { id: 5, active: null },
    status: 200,
    result: updated({ id: 5, name: "Eve", email: "eve@example.com", active: null, score: 3 }),
  },
  { request: "PATCH /users/1", body: { id: 2, score: 1 }, status: 400, code: "key_mismatch" },
  { request: "PATCH /users/1", body: { id: 1 }, status: 400, code: "empty_body" },
  { request: "PATCH /users/1", body: {}, status: 400, code: "empty_body" },
  {
    request: "PATCH /users/1",
    body: { name: null },
    status: 400,
    code: "invalid_body",
    says: ["name"],
  },
  { request: "PATCH /users/9", body: { score: 1 }, status: 404, code: "row_not_found" },
  { request: "PATCH /users", body: { id: 1, score: 1 }, status: 400, code: "missing_key" },
];

const remove: readonly ProfileCase[] = [
  { request: "DELETE /users/9", status: 404, code: "row_not_found" },
  { request: "DELETE /users/1", status: 409, code: "row_referenced", says: ["orders", "user_id"] },
  { request: "DELETE /users", status: 400, code: "missing_key" },
  { request: "DELETE /users/2?name=Bob", status: 400, code: "unexpected_query", says: ["name"] },
];

const post: readonly ProfileCase[] = [
  {
    request: "POST /users",
    body: { id: null, name: "Flo", active: false },
    status: 201,
    result: created({ id: 6, name: "Flo", email: null, active: false, score: null }),
  },
  {
    request: "POST /users",
    body: { id: 1, name: "Flo" },
    status: 409,
    code: "conflict",
    says: ["id", "1"],
  },
  {
    request: "POST /users",
    body: { name: "F", email: "bob@example.com" },
    status: 409,
    code: "conflict",
    says: ["email"],
  },
  {
    request: "POST /orders",
    body: { user_id: 99 },
    status: 409,
    code: "reference_missing",
    says: ["user_id", "99"],
  },
  { request: "POST /users", body: {}, status: 400, code: "empty_body" },
  { request: "POST /users", body: "null", status: 400, code: "invalid_body", says: ["object"] },
  { request: "POST /users", body: "[{}]", status: 400, code: "invalid_body", says: ["array"] },
  { request: "POST /users", body: '"text"', status: 400, code: "invalid_body", says: ["string"] },
  { request: "POST /users", body: "", status: 400, code: "not_json", says: ["empty"] },
  { request: "POST /users", body: "{,}", status: 400, code: "not_json" },
  { request: "POST /users/7", body: { name: "Flo" }, status: 405, code: "method_not_allowed" },
  {
    request: "POST /logs",
    body: { level: [true] },
    status: 201,
    result: created({ text: null, level: [true] }),
  },
  { request: "POST /pairs", body: { b: 1 }, status: 400, code: "invalid_body", says: ["a"] },
];

const bodies: readonly ProfileCase[] = [
  {
    request: "POST /users",
    body: { nmae: "x", score: "high", active: 2 },
    status: 400,
    code: "invalid_body",
    says: ["nmae", 'Did you mean "name"', "score", '"high"', "active", 'name" is NOT NULL'],
  },
  {
    request: "PATCH /users/1",
    body: { nmae: "x" },
    status: 400,
    code: "unknown_column",
    says: ["nmae", '"name'],
  },
  {
    request: "POST /users",
    body: { id: 1.5, name: "x" },
    status: 400,
    code: "invalid_body",
    says: ["1.5"],
  },
  { request: "POST /users", body: { name: 5 }, status: 400, code: "invalid_body", says: ["name"] },
  {
    request: "POST /users",
    body: '{"name":"x","score":1e400}',
    status: 400,
    code: "invalid_body",
    says: ["1e400"],
  },
  {
    request: "POST /users",
    body: { ID: 9, name: "x" },
    status: 400,
    code: "unknown_column",
    says: ["ID", "id"],
  },
  {
    request: "POST /products",
    body: { sku: "n", made: true },
    status: 400,
    code: "invalid_body",
    says: ["made"],
  },
  {
    request: "POST /users",
    body: "name=x",
    headers: { "content-type": "text/plain" },
    status: 415,
    code: "unsupported_media_type",
  },
  {
    request: "PATCH /users/1",
    body: '{"score":1}',
    headers: { "content-type": "application/merge-patch+json" },
    status: 200,
    result: updated({ ...ada, score: 1 }),
  },
];

describe.each([
  ["PUT", put],
  ["PATCH", patch],
  ["DELETE", remove],
  ["POST", post],
  ["bodies", bodies],
])("%s", (_, cases) => {
  testCases(cases);
});
