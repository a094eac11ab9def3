import { expect, test } from "vitest";
import { Database } from "../../../src/core/store/database.ts";
import { operatorNames } from "../../../src/core/store/operators.ts";
import { column, table } from "../../support/tables.ts";
import { ask } from "./ask.ts";
import { shop } from "./shop.ts";

// The words of refusals, which are all that a client has to find its mistake by.

const userColumns = "Columns: id, name, email, active, score.";
const oneRow = 'Send the columns and values of one row, such as {"name": "Ada"}.';
const useJson = "Send Content-Type: application/json.";
const keepKey = "A key cannot change: remove it from the body, or send the path's.";
const encode = "Encode names and keys as encodeURIComponent does; a percent sign is %25.";

test.each([
  ["/", "The path names no table.", "Use /rest/{table}."],
  [
    "/users/1/orders/2",
    'The path goes on after the primary key, with "/orders/2".',
    "Use /rest/orders/2.",
  ],
  [
    "/users/1/x/2",
    'The path goes on after the primary key, with "/x/2".',
    "Use /rest/{table} or /rest/{table}/{pk}; write a slash within a key as %2F.",
  ],
  ["/users/%FF", 'The path "/users/%FF" has a percent escape that is not UTF-8 text.', encode],
  ["/%FF/1", 'The path "/%FF/1" has a percent escape that is not UTF-8 text.', encode],
  ["/%FF", 'The path "/%FF" has a percent escape that is not UTF-8 text.', encode],
  [
    "/user",
    'There is no table "user". Did you mean "users"?',
    "Tables: users, pairs, logs, products, orders.",
  ],
  [
    "/logs/1",
    'The table "logs" has no primary key, so its rows have no paths.',
    "Find rows by filters.",
  ],
  [
    "/pairs/x",
    'The primary key of "pairs" is a, b: 2 values, not 1.',
    "Use /rest/pairs/{a},{b}; write a comma within a value as %2C.",
  ],
  [
    "/users?limit=1&limit=2&limit=3",
    "The parameter limit is given more than once.",
    "Filter a column of that name by limit.eq.",
  ],
  ["/users?order=my-desc", 'The order "my-desc" is neither ASC nor DESC.', undefined],
  ["/users?order=ascending", 'The order "ascending" is neither ASC nor DESC.', "Write order=asc."],
  [
    "/users?limit=-1&x=2&offset=z",
    'There is no column "x". The limit "-1" is not a whole number of 0 or more. ' +
      'The offset "z" is not a whole number of 0 or more.',
    `${userColumns} For all rows leave out limit.`,
  ],
  ["/users?x=1&y=2", 'There is no column "x". There is no column "y".', userColumns],
  ["/users?sort_by=limt", 'There is no column "limt".', userColumns],
  ["/users?.eq=1", 'There is no column "".', userColumns],
  [
    "/users?name.foo=1&x=1",
    `There is no operator "foo", as in "name.foo". The operators are ${operatorNames.join(", ")}. ` +
      'There is no column "x".',
    `Write a filter as <column>.<operator>=<value>, or <column>=<value> for equality. ${userColumns}`,
  ],
])("says of GET %s what is wrong with it", async (target, error, hint) => {
  const { body } = await ask(shop(), `GET ${target}`);
  expect(body).toEqual({ error, code: expect.any(String), ...(hint !== undefined && { hint }) });
});

test.each([
  [
    "PATCH /pairs",
    "{}",
    "PATCH writes one row, and the path lacks the primary key a, b.",
    "Use PATCH /rest/pairs/{a},{b}.",
  ],
  [
    "DELETE /users/2?name=Bob&x=1",
    "",
    'A write takes no query parameters, but has "name".',
    "Only GET can be filtered; a write addresses one row by its key in the path.",
  ],
  [
    "TRACE /users",
    "",
    'The method "TRACE" is not allowed on a table.',
    "Allowed: GET, HEAD, POST, OPTIONS.",
  ],
  [
    "POST /users/1",
    "{}",
    'The method "POST" is not allowed on a row. Did you mean "PUT"?',
    "Allowed: GET, HEAD, PUT, PATCH, DELETE, OPTIONS.",
  ],
  [
    "PATCH /users/1",
    '{"id":1}',
    "The body has the primary key and no column to change.",
    undefined,
  ],
  [
    "PATCH /pairs/x,1",
    '{"b":2,"v":"y"}',
    'The body has 2 as its "b", but the path has "1".',
    keepKey,
  ],
  ["POST /users", "null", "The body must be a JSON object, not null.", oneRow],
  ["POST /users", "[1]", "The body must be a JSON object, not an array.", oneRow],
  ["POST /users", "5", "The body must be a JSON object, not a number.", oneRow],
  ["POST /users", "{}", "The body names no column.", undefined],
  [
    "POST /users",
    '{"nmae":"x","id":1.5}',
    'Cannot insert a row into "users": There is no column "nmae". Did you mean "name"? ' +
      'Column "id" of type INTEGER takes a whole number, not 1.5. ' +
      'Column "name" is NOT NULL and needs a value.',
    userColumns,
  ],
  [
    "PUT /users/9",
    '{"name":"A"}',
    'Cannot replace a row of "users": There is no row with "id" = "9".',
    undefined,
  ],
  [
    "POST /users",
    '{"name":"x","score":9007199254740993,"id":9007199254740993}',
    'Column "id" has the number 9007199254740993, which JSON cannot hold exactly: it would become ' +
      "9007199254740992.",
    'Send its digits as a text, "9007199254740993", or 9007199254740992.',
  ],
])("says of %s with %s what is wrong with it", async (request, sent, error, hint) => {
  const { body } = await ask(shop(), request, { body: sent });
  expect(body).toEqual({ error, code: expect.any(String), ...(hint !== undefined && { hint }) });
});

test.each(["text/plain", "x application/merge+json", "application/x+jsonl", "a,b/c+json"])(
  "does not take %s for JSON",
  async (type) => {
    const options = { body: "{}", headers: { "content-type": type } };
    const { status, body } = await ask(shop(), "POST /users", options);
    const error = `The content type "${type}" is not JSON.`;
    expect([status, body]).toEqual([415, { error, code: "unsupported_media_type", hint: useJson }]);
  },
);

test.each([" application/json ", " ; charset=utf-8", "application/json ;charset=utf-8"])(
  "takes the content type %j for JSON",
  async (type) => {
    const options = { body: '{"text":"x"}', headers: { "content-type": type } };
    expect(await ask(shop(), "POST /logs", options)).toMatchObject({ status: 201 });
  },
);

test("says that there are no tables where there are none", async () => {
  const { body } = await ask(Database.load([]), "GET /users");
  expect(body).toMatchObject({ error: 'There is no table "users".', hint: "Tables: none." });
});

test.each([
  [40, "c39."],
  [41, "c39 and 1 more."],
  [50, "c39 and 10 more."],
])("names the first forty of %i columns", async (count, end) => {
  const columns = Array.from({ length: count }, (_, at) => column(`c${at}`, "TEXT"));
  const { body } = await ask(Database.load([table("wide", columns)]), "GET /wide?d=1");
  const first = Array.from({ length: 39 }, (_, at) => `c${at}`).join(", ");
  expect(body).toMatchObject({ hint: `Columns: ${first}, ${end}` });
});

test("says of no more than twenty-one numbers that they would become others", async () => {
  const numbers = Array.from({ length: 30 }, () => "9007199254740993").join(",");
  const { body } = await ask(shop(), "POST /logs", { body: `{"level":[${numbers}]}` });
  expect(JSON.stringify(body).match(/would become/g)).toHaveLength(21);
});

const measures = table("measures", [
  "id INTEGER",
  "ok BOOLEAN",
  "part REAL",
  "note TEXT",
  "more JSON",
]);

test.each([
  [
    "ok",
    "12345678901234567890",
    "of type BOOLEAN takes true, false, 0 or 1, not 123456",
    undefined,
  ],
  ["ok", "1e400", "of type BOOLEAN takes true, false, 0 or 1, not 1e400.", undefined],
  [
    "ok",
    "[9007199254740993]",
    "of type BOOLEAN takes true, false, 0 or 1, not an array.",
    undefined,
  ],
  [
    "note",
    "9007199254740993",
    "of type TEXT takes a string, not 9007199254740993.",
    'Send it as a text, "9007199254740993".',
  ],
  [
    "part",
    "-1e400",
    "has the number -1e400, which is out of range.",
    "Numbers go from -1.7976931348623157e+308 to 1.7976931348623157e+308.",
  ],
  ["more", '{"a":[1e999]}', "has the number 1e999, which is out of range", "Numbers go from -1.79"],
  ["part", "9".repeat(400), `has the number ${"9".repeat(60)}…, which`, "Numbers go from -1.79"],
  [
    "id",
    "12345678901234567890",
    "is the row id and takes a whole number of 64 bits, not 12345678901234567890.",
    undefined,
  ],
  [
    "more",
    "12345678901234567890",
    "has the number 12345678901234567890, which JSON",
    "Send 12345678901234567000.",
  ],
])("says what the column %s takes instead of %s", async (name, value, error, hint) => {
  const { status, body } = await ask(Database.load([measures]), "POST /measures", {
    body: `{"${name}":${value}}`,
  });
  expect([status, body]).toEqual([
    400,
    {
      error: expect.stringContaining(`"${name}" ${error}`),
      code: "invalid_body",
      ...(hint !== undefined && { hint: expect.stringContaining(hint) }),
    },
  ]);
});

test("names the nearest column where a number that JSON cannot hold has none", async () => {
  const { body } = await ask(Database.load([measures]), "POST /measures", {
    body: '{"prat":9007199254740993}',
  });
  expect(body).toMatchObject({
    code: "unknown_column",
    error: expect.stringContaining('There is no column "prat". Did you mean "part"?'),
  });
});
