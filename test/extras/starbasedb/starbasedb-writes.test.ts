import { expect, test } from "vitest";
import type { Call } from "../../../src/core/http/call.ts";
import { answerTables } from "../../../src/core/tables/answer-tables.ts";
import type { Row } from "../../../src/core/store/value.ts";
import { answererOf } from "../../support/answerer.ts";
import { call } from "../../support/calls.ts";
import { ask, jsonOf, starbasedbContext } from "../../core/tables/ask.ts";
import { observedShop } from "../../core/tables/observed-shop.ts";
import { allRows } from "../../core/tables/profile-case.ts";

const messages: Readonly<Record<string, string>> = {
  POST: "Resource created successfully",
  PUT: "Resource replaced successfully",
  PATCH: "Resource updated successfully",
};

/** Sends a body as JSON text and gives the rows of the table after it. */
async function write(
  request: string,
  body: string,
): Promise<{ readonly status: number; readonly body: unknown; readonly rows: readonly Row[] }> {
  const database = observedShop();
  const { status, body: answer } = await ask(database, request, { body }, starbasedbContext);
  const name = request.split(/[ /?]/)[2]?.toLowerCase() ?? "";
  return { status, body: answer, rows: database.table(name)?.rows() ?? [] };
}

const ada = { id: 1, name: "Ada", email: "ada@x.test", age: 30, role: "admin" };
const b = { sku: "b", price: 2.5, raw: 5 };

test.each([
  ["POST /users", '{"name":"Dan"}', { id: 6, name: "Dan", email: null, age: null, role: "guest" }],
  ["POST /users/99", '{"name":"x","id":null}', { id: 6, name: "x" }],
  ["POST /users", '{"name":"x","role":null}', { id: 6, role: null }],
  [
    "POST /users",
    '{"name":5,"age":"42.0","email":1e21}',
    { name: "5.0", age: 42, email: "1.0e+21" },
  ],
  ["POST /users", '{"name":true,"age":true}', { name: "true", age: "true" }],
  [
    "POST /users",
    '{"name":[1,["a"]],"email":[],"role":{}}',
    { name: "1,a", email: "", role: "[object Object]" },
  ],
  ["POST /users", '{"name":1e400,"age":-1e400}', { name: "Inf", age: -Infinity }],
  ["POST /users", '{"name":"\\ud800!"}', { name: "\ud800!" }],
  ["POST /users", '{"name":"x","name ":"y"}', { name: "x" }],
  ["POST /users", '{"name":"x","name":"y"}', { name: "y" }],
  ["POST /users", '{"id":8,"name":"x","rowid":9}', { id: 9 }],
  ["POST /users", '{"oid":"7","NA-ME":"x"}', { id: 7, name: "x" }],
  ["POST /logs", '{"rowid":-1,"text":"first"}', { text: "first" }],
  ["POST /counted", '{"kind":"b"}', { id: 5, kind: "b" }],
  ["POST /items", '{"price":" 5 "}', { sku: null, price: 5, raw: null }],
  ["PUT /users/1", '{"age":31}', { ...ada, age: 31 }],
  ["PUT /users/2", '{"id":50,"age":31}', { id: 50, name: "Bob", age: 31 }],
  ["PUT /users", '{"id":1,"role":"r"}', { ...ada, role: "r" }],
  ["PUT /users/1.0", '{"name":"x","na me":"y"}', { ...ada, name: "y" }],
  ["PATCH /users/1", '{"id":77,"age":1}', { ...ada, age: 1 }],
  ["PATCH /users/2", '{"ID":77}', { id: 77, name: "Bob" }],
  ["PATCH /users/2", '{"rowid":77}', { id: 77, name: "Bob" }],
  ["PATCH /users", '{"id":"1","age":1}', { ...ada, age: 1 }],
  ["PATCH /users/1?name=zzz", '{"age":1}', { ...ada, age: 1 }],
  ["PATCH /items/b", '{"price":7.0,"raw":7}', { ...b, price: 7, raw: { value: 7 } }],
  ["PATCH /pairs", '{"a":"x","b":"2","v":"new"}', { v: "new", b: 2, a: "x" }],
])("%s with %s writes %j", async (request, sent, expected) => {
  const [method = ""] = request.split(" ");
  const { status, body, rows } = await write(request, sent);
  const data: unknown = JSON.parse(sent);
  expect(status).toBe(method === "POST" ? 201 : 200);
  expect(JSON.stringify(body)).toBe(
    JSON.stringify({ result: { message: messages[method], data } }),
  );
  expect(rows).toContainEqual(expect.objectContaining(expected));
});

test.each([
  ["DELETE /users/5", 2],
  ["DELETE /users/2?id=5", 2],
  ["DELETE /users/99", 3],
  ["DELETE /items/a%20b", 2],
  ["PUT /users/99", 3],
  ["PATCH /users/99", 3],
])("%s succeeds and leaves %i rows, whether or not there was such a row", async (request, left) => {
  const { status, rows } = await write(request, '{"name":"x"}');
  expect(status).toBe(200);
  expect(rows).toHaveLength(left);
});

const users = (text: string): string =>
  `UNIQUE constraint failed: users.${text}: SQLITE_CONSTRAINT`;
const columns101 = Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`c${n}`, n]));
const noKey = "Missing primary key value for 'id'";
const sqliteError = (text: string): string => `${text}: SQLITE_ERROR`;

test.each([
  ["POST /users", "null", 400, "Invalid data format"],
  ["POST /nope", "[]", 400, "Invalid data format"],
  ["POST /users", "{}", 400, "No data provided"],
  ["POST /users", '{"id":1}', 500, "NOT NULL constraint failed: users.name: SQLITE_CONSTRAINT"],
  ["POST /users", '{"id":"x"}', 500, "datatype mismatch: SQLITE_MISMATCH"],
  ["POST /users", '{"id":1.5,"name":"x"}', 500, "datatype mismatch: SQLITE_MISMATCH"],
  ["POST /users", '{"id":1,"name":"x","email":"ada@x.test"}', 500, users("id")],
  ["POST /users", '{"name":"x","email":"ada@x.test"}', 500, users("email")],
  [
    "POST /pairs",
    '{"a":"x","b":1}',
    500,
    "UNIQUE constraint failed: pairs.a, pairs.b: SQLITE_CONSTRAINT",
  ],
  ["POST /logs", '{"rowid":1}', 500, "UNIQUE constraint failed: logs.rowid: SQLITE_CONSTRAINT"],
  ["POST /orders", '{"user_id":9}', 500, "FOREIGN KEY constraint failed: SQLITE_CONSTRAINT"],
  [
    "POST /orders",
    '{"id":1,"user_id":9}',
    500,
    "UNIQUE constraint failed: orders.id: SQLITE_CONSTRAINT",
  ],
  ["POST /nope/5", '{"a":1}', 500, sqliteError("no such table: nope")],
  ["POST /USERS", '{"no pe":1}', 500, sqliteError("table USERS has no column named nope")],
  ["POST /users", '{"__proto__":1}', 500, sqliteError("table users has no column named __proto__")],
  [
    "POST /sqlite_master",
    '{"name":1}',
    500,
    sqliteError("table sqlite_master may not be modified"),
  ],
  ["POST /_cf_KV", '{"a":1}', 500, sqliteError("no such table: _cf_KV")],
  ["POST /!!!", '{"a":1}', 500, sqliteError('near "(": syntax error at offset 13')],
  ["POST /order", '{"a":1}', 500, sqliteError('near "order": syntax error at offset 12')],
  ["POST /1x", '{"a":1}', 500, sqliteError('unrecognized token: "1x" at offset 12')],
  [
    "POST /users",
    '{"name":1,"é":2,"age":3}',
    500,
    sqliteError('near ",": syntax error at offset 25'),
  ],
  ["POST /users", '{"name":1,"5":2}', 500, sqliteError('near "5": syntax error at offset 19')],
  [
    "POST /users",
    JSON.stringify(columns101),
    500,
    sqliteError("too many SQL variables at offset 823"),
  ],
  ["POST /users", `{"${"x".repeat(100_000)}":1}`, 500, "statement too long: SQLITE_TOOBIG"],
  [
    "POST /users",
    `{"name":"${"x".repeat(2_200_001)}"}`,
    500,
    "string or blob too big: SQLITE_TOOBIG",
  ],
  ["POST /users", '{"name":{"toString":1}}', 500, "Cannot convert object to primitive value"],
  ["PUT /users", "null", 500, "Cannot read properties of null (reading 'id')"],
  ["PUT /users/1", "null", 400, "Invalid data format"],
  ["PUT /logs", "null", 400, "Invalid data format"],
  ["PATCH /pairs/x", "null", 500, "Cannot read properties of null (reading 'b')"],
  ["PUT /users", "[]", 400, noKey],
  ["PUT /users", '{"id":0,"name":"x"}', 400, noKey],
  ["PUT /users?id=1", '{"name":"x"}', 400, noKey],
  ["PATCH /users", '{"ID":1,"name":"x"}', 400, noKey],
  ["PATCH /pairs", '{"a":"x","b":"","v":"P"}', 400, "Missing primary key value for 'b'"],
  ["PATCH /users/1", "{}", 400, "No data provided"],
  ["PATCH /users/1", '{"id":7}', 400, "No updatable data provided"],
  ["PATCH /nope/1", '{"a":1}', 500, "Failed to update resource"],
  ["PATCH /logs/1", '{"text":"x"}', 500, "Failed to update resource"],
  ["PATCH /users/99", '{"nope":1}', 500, "Failed to update resource"],
  ["PATCH /users/1", '{"name":null}', 500, "Failed to update resource"],
  ["PATCH /users/1", '{"1":2}', 500, "Failed to update resource"],
  ["PUT /users/1", '{"id":5}', 500, "Failed to replace resource"],
  ["PUT /users/1", '{"id":null}', 500, "Failed to replace resource"],
  ["PUT /sqlite_sequence/1", '{"seq":1}', 500, "Failed to replace resource"],
  ["PUT /select/1", '{"a":1}', 500, sqliteError('near "select": syntax error at offset 18')],
  ["DELETE /users", "", 400, noKey],
  ["DELETE /users?id=1", "", 400, noKey],
  ["DELETE /pairs/x", "", 400, "Missing primary key value for 'b'"],
  ["DELETE /users/1", "", 500, "Failed to delete resource"],
  ["DELETE /logs/1", "", 500, "Failed to delete resource"],
  ["DELETE /nope", "", 500, "Failed to delete resource"],
] as const)("%s with %.60s is refused with %i %s", async (request, sent, expected, error) => {
  const database = observedShop();
  const before = allRows(database);
  const { status, body } = await ask(database, request, { body: sent }, starbasedbContext);
  expect([status, body]).toEqual([expected, { error }]);
  expect(allRows(database)).toEqual(before);
});

test.each([
  ["POST /users", ""],
  ["PUT /users/1", "{bad"],
  ["PATCH /nope", '\ufeff{"a":1}'],
  ["POST /", '{"a":1}'],
  ["GET /", ""],
])("%s with the body %j is an exception that nobody catches", async (request, body) => {
  const { status, reply } = await ask(observedShop(), request, { body }, starbasedbContext);
  expect(status).toBe(500);
  expect(reply.headers).toEqual({});
  expect(reply.body).toEqual({
    kind: "bytes",
    bytes: new TextEncoder().encode("Internal Server Error"),
  });
});

test("reads broken UTF-8 in a body as replacement characters", async () => {
  const database = observedShop();
  const body = new Uint8Array([...new TextEncoder().encode('{"name":"'), 0xff, 0x22, 0x7d]);
  const { status } = await ask(database, "POST /users", { body }, starbasedbContext);
  expect(status).toBe(201);
  expect(database.table("users")?.get([6])).toMatchObject({ name: "\ufffd" });
});

test("says in the log why an exception that nobody catches is answered", async () => {
  const deep = `{"name":${"[".repeat(1_001)}${"]".repeat(1_001)}}`;
  const nested = await ask(observedShop(), "POST /users", { body: deep }, starbasedbContext);
  const left = {
    ...call("POST", "/users"),
    readBody: () => Promise.resolve({ kind: "aborted" } as const),
  };
  const context = starbasedbContext(observedShop());
  const replies = [nested.reply, await answerTables(left, "/users", context)];
  expect(replies.map(({ status }) => status)).toEqual([500, 500]);
  expect(replies.map(answererOf)).toEqual([
    "uncaught: the body cannot be read: it nests more than 1000 levels deep",
    "uncaught: the body did not arrive completely",
  ]);
});

test("has no key after the largest that an update gave, either", async () => {
  const database = observedShop();
  const body = '{"id":"9223372036854775807"}';
  await ask(database, "PUT /counted/4", { body }, starbasedbContext);
  const made = await ask(database, "POST /counted", { body: '{"kind":"b"}' }, starbasedbContext);
  expect(made.body).toEqual({ error: "database or disk is full: SQLITE_FULL" });
});

test("refuses a body that is larger than the emulator takes", async () => {
  const made: Call = {
    ...call("POST", "/users"),
    readBody: () => Promise.resolve({ kind: "too-large", limit: 10 }),
  };
  const reply = await answerTables(made, "/users", starbasedbContext(observedShop()));
  expect([reply.status, jsonOf(reply)]).toEqual([413, { error: "Payload Too Large" }]);
});
