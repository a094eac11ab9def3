import { expect, test } from "vitest";
import { ask, starbasedbContext } from "../../core/tables/ask.ts";
import { observedShop } from "../../core/tables/observed-shop.ts";

const read = (target: string): ReturnType<typeof ask> =>
  ask(observedShop(), `GET ${target}`, {}, starbasedbContext);

/** The first values of the rows of a reply. */
function firsts(body: unknown): unknown {
  const { result } = body as { result: readonly object[] };
  return result.map((row) => Object.values(row)[0] as unknown);
}

test.each([
  // Paths and keys.
  ["/users", [1, 2, 5]],
  ["//users///5//", [5]],
  ["/us-ers/5/further", [5]],
  ["/USERS/05", [5]],
  ["/users/+5.0", [5]],
  ["/users/%35", []],
  ["/users/5?name=Ada", []],
  ["/users/5?id=1", [5]],
  ["/users?id=1&id=5", [1]],
  ["/users?id=", [1, 2, 5]],
  ["/users?id.eq=", []],
  ["/users?ID=5", [5]],
  ["/items/a%20b", ["a%20b"]],
  ["/items?sku=a+b", []],
  ["/logs/1", ["z", "y"]],
  ["/pairs/x", ["one", "two"]],
  ["/pairs?a=x&b=2", ["two"]],
  ["/pairs?a=x", ["one", "two"]],
  ["/pairs?a=&b=2", ["one", "two"]],
  ["/pairs?b.eq=2", ["two"]],
  // Filters.
  ["/users?name=ada", []],
  ["/users?na-me.like=A%25", [1]],
  ["/users?name..ne=Ada", [1]],
  ["/users?name.=Ada", [1]],
  ["/users?name.EQ=Ada", [1]],
  ["/users?name.is.ne=Ada", [1]],
  ["/users?age.ne=30", [5]],
  ["/users?age.lt=abc", [1, 5]],
  ["/users?age.gt=abc", []],
  ["/users?name.gte=B&name.lt=c", [2]],
  ["/users?rowid=5", [5]],
  ["/items?OID.lte=2", ["b", "a"]],
  ["/items?raw=5", ["a%20b"]],
  ["/items?raw.like=5", ["b", "a%20b"]],
  ["/items?raw.like=5.0", ["a"]],
  ["/items?raw.lt=", ["b", "a"]],
  ["/users?id.in=5,1,1", [1, 5]],
  ["/users?name.in=+Ada+,%20cleo", [1, 5]],
  // Constants.
  ["/users?1=1", []],
  ["/users?1.ne=1", [1, 2, 5]],
  ["/users?1.lt=", [1, 2, 5]],
  ["/users?1.like=1", [1, 2, 5]],
  ["/users?true.like=1&name=Ada", [1]],
  ["/users?1.in=1,2", []],
  ["/users?null.ne=x", []],
  ["/users?0x10.like=16", [1, 2, 5]],
  ["/users?1e2.like=100.0", [1, 2, 5]],
  ["/users?CURRENT_DATE=1970-01-01", [1, 2, 5]],
  ["/users?current_timestamp.gt=1970-01-01+00:00:00", []],
  // Order and window.
  ["/users?sort_by=name&order=DESC", [5, 2, 1]],
  ["/users?sort_by=name&order=descending", [1, 2, 5]],
  ["/users?sort_by=4", [2, 5, 1]],
  ["/users?sort_by=-4&order=dEsC", [1, 5, 2]],
  ["/users?sort_by=null&order=desc", [1, 2, 5]],
  ["/users?sort_by=99999999999", [1, 2, 5]],
  ["/users?sort_by=&order=desc", [1, 2, 5]],
  ["/items?sort_by=_rowid_&order=desc", ["a%20b", "a", "b"]],
  ["/items?sku.in=b,a", ["a", "b"]],
  ["/users?limit=1x", [1]],
  ["/users?limit=0", [1, 2, 5]],
  ["/users?limit=-1&offset=1", [1, 2, 5]],
  ["/users?offset=1", [1, 2, 5]],
  ["/users?limit=+2&offset=1.9", [2, 5]],
  ["/users?limit=1&limit=2", [1]],
  // Tables of SQLite's own.
  ["/sqlite_sequence", ["counted"]],
  ["/sqlite_sequence?seq=4", []],
  ["/sqlite_sequence?seq.like=4", ["counted"]],
  ["/sqlite_master?type=index", ["index", "index", "index"]],
  ["/SQLITE_SCHEMA?name=users", ["table"]],
])("reads %s as %j", async (target, expected) => {
  const { status, body } = await read(target);
  expect(status).toBe(200);
  expect(firsts(body)).toEqual(expected);
});

test("answers with all columns in the order of the table", async () => {
  const { reply } = await read("/users/2");
  const row = '{"id":2,"name":"Bob","email":null,"age":null,"role":null}';
  expect(reply.body).toMatchObject({ kind: "text", text: `{"result":[${row}]}` });
  expect(reply.headers).toEqual({ "content-type": "application/json" });
});

test("tells in sqlite_master how the tables are made", async () => {
  const { body } = await read("/sqlite_master?tbl_name.in=users,pairs");
  const sql =
    "CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT UNIQUE, age INTEGER, " +
    "role TEXT DEFAULT 'guest')";
  const pairs = "CREATE TABLE pairs (v TEXT, b INTEGER, a TEXT, PRIMARY KEY (a, b))";
  expect(body).toEqual({
    result: [
      { type: "table", name: "users", tbl_name: "users", rootpage: 2, sql },
      {
        type: "index",
        name: "sqlite_autoindex_users_1",
        tbl_name: "users",
        rootpage: 3,
        sql: null,
      },
      { type: "table", name: "pairs", tbl_name: "pairs", rootpage: 6, sql: pairs },
      {
        type: "index",
        name: "sqlite_autoindex_pairs_1",
        tbl_name: "pairs",
        rootpage: 7,
        sql: null,
      },
    ],
  });
});

const failed = "Failed to retrieve data";

test.each([
  ["/nope", failed],
  ["/123", failed],
  ["/1e2", failed],
  ["/on", failed],
  ["/users?nope=1", failed],
  ["/users?page=1", failed],
  ["/users?=x", failed],
  ["/users?.eq=x", failed],
  ["/users?select=1", failed],
  ["/users?cast=1", failed],
  ["/users?9x=1", failed],
  ["/users?name.constructor=Ada", failed],
  ["/users?name.__proto__=Ada", failed],
  ["/users?sort_by=nope", failed],
  ["/users?sort_by=0", failed],
  ["/users?sort_by=6", failed],
  ["/users?sort_by=!!!", failed],
  ["/users?sort_by=name.eq", failed],
  ["/users?limit=9223372036854775808", failed],
  ["/users?limit=1&offset=99999999999999999999999", failed],
  ["/pairs?rowid.x=1&nope=1", failed],
  ["/!!!", 'near ")": syntax error at offset 18: SQLITE_ERROR'],
  ["/select", 'near "select": syntax error at offset 18: SQLITE_ERROR'],
  ["/%75sers", 'unrecognized token: "75sers" at offset 18: SQLITE_ERROR'],
  ["/_cf_KV", "not authorized: SQLITE_AUTH"],
])("fails for %s with %j", async (target, error) => {
  const { status, body } = await read(target);
  expect(status).toBe(500);
  expect(body).toEqual({ error });
});

const values = (count: number): string => Array.from({ length: count }, (_, n) => n).join(",");
const filters = (count: number): string =>
  Array.from({ length: count }, () => "age.ne=1").join("&");

test.each([
  [`/users?id.in=${values(100)}`, 200],
  [`/users?id.in=${values(101)}`, 500],
  [`/users?id.in=${values(100)}&limit=0&offset=5`, 200],
  [`/users?id.in=${values(100)}&limit=1`, 500],
  [`/users?id.in=${values(98)}&limit=1&offset=1`, 200],
  [`/users?id.in=${values(99)}&limit=1&offset=1`, 500],
  [`/users/1?id.in=${values(100)}`, 500],
  [`/users?${filters(99)}`, 200],
  [`/users?${filters(100)}`, 500],
  [`/users?id.in=1&${filters(98)}`, 500],
])("binds at most 100 values and joins at most 99 conditions: %#", async (target, expected) => {
  const { status } = await read(target);
  expect(status).toBe(expected);
});

const long = "x".repeat(51);

test.each([
  [`/users?name.like=${"x".repeat(50)}`, 200],
  [`/users?name.like=${long}`, 500],
  [`/users?name.like=${"é".repeat(25)}`, 200],
  [`/users?name.like=${"é".repeat(26)}`, 500],
  [`/users?age=99&name.like=${long}`, 200],
  [`/users?name.like=${long}&age=99`, 500],
  [`/users?name.like=${long}&id=99`, 200],
  [`/users?name.like=${long}&email=nope`, 200],
  [`/users?id=2&email.like=${long}`, 500],
  [`/users?name.like=${long}&name.in=nope,none`, 500],
  [`/users?name=a&name.gt=b&name.like=${long}`, 200],
  [`/users?1.like=${long}`, 500],
  [`/users?null.like=${long}`, 500],
])("refuses a pattern of more than 50 bytes once it is compared: %#", async (target, expected) => {
  const { status } = await read(target);
  expect(status).toBe(expected);
});

// SELECT CAST(x'78EDA080' AS TEXT) and the others, ordered, in SQLite; the service reads each of the three bytes as U+FFFD.
test("half of a surrogate pair sorts by its three bytes, and is read as three U+FFFD", async () => {
  const database = observedShop();
  const names = ["x\\ue000", "x\\ud800", "x\\ud7ff", "x\\\\ud800", "x\\ufffd\\ufffd\\ufffd"];
  for (const name of names) {
    await ask(database, "POST /users", { body: `{"name":"${name}"}` }, starbasedbContext);
  }
  const target = "GET /users?name.gte=x&sort_by=name";
  const { body } = await ask(database, target, {}, starbasedbContext);
  const { result } = body as { result: readonly { readonly name: string }[] };
  expect(result.map(({ name }) => name)).toEqual([
    "x\\ud800",
    "x\ud7ff",
    "x\ufffd\ufffd\ufffd",
    "x\ue000",
    "x\ufffd\ufffd\ufffd",
  ]);
});
