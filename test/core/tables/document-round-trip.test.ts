import { createEmulator } from "../../../src/index.ts";
import { expect, test } from "vitest";
import { Database } from "../../../src/core/store/database.ts";
import { Base64Blob, ExactInteger, type Row, WholeReal } from "../../../src/core/store/value.ts";
import { table } from "../../support/tables.ts";
import { ask } from "./ask.ts";

// What JSON has no word for, as rows of SQL dumps have it.

const beyond = new ExactInteger(2n ** 53n + 1n);
const bytes = new Base64Blob(new Uint8Array([1, 2]));
const columns = ["id INTEGER", "n INTEGER", "b BLOB", "x ", "r REAL", "t TEXT", "j JSON"];
const stored: Row = {
  id: 1,
  n: beyond,
  b: bytes,
  x: new WholeReal(5),
  r: 0.5,
  t: "a",
  j: { k: 1 },
};

function things(rows: readonly Row[] = [stored]): Database {
  return Database.load([table("things", columns, { rows })]);
}

function firstRow(database: Database): Row | undefined {
  return database.table("things")?.rows()[0];
}

/** The row as a client has it after a GET. */
async function shown(database: Database, path: string): Promise<unknown> {
  const { body } = await ask(database, `GET ${path}`);
  return (body as { result: unknown[] }).result[0];
}

test.each(["PUT", "PATCH"])("%s of a row as GET shows it loses nothing", async (method) => {
  const database = things();
  const body = await shown(database, "/things/1");
  expect(body).toEqual({ id: 1, n: 2 ** 53, b: "AQI=", x: 5, r: 0.5, t: "a", j: { k: 1 } });
  expect(await ask(database, `${method} /things/1`, { body })).toMatchObject({ status: 200 });
  expect(firstRow(database)).toEqual(stored);
});

test("keeps what is shown and writes the rest", async () => {
  const database = things();
  const body = { n: 2 ** 53, b: "AQI=", t: "new" };
  expect(await ask(database, "PUT /things/1", { body })).toMatchObject({ status: 200 });
  const rest = { x: null, r: null, j: null };
  expect(firstRow(database)).toEqual({ id: 1, n: beyond, b: bytes, t: "new", ...rest });
});

test("changes no more than what is not as it is shown", async () => {
  const database = things();
  const body = { n: 2 ** 53, b: "AQI=", t: "new" };
  expect(await ask(database, "PATCH /things/1", { body })).toMatchObject({ status: 200 });
  expect(firstRow(database)).toEqual({ ...stored, t: "new" });
});

test.each([["AQI="], ["AQI"], [{}], [{ k: 1 }], [["AQI="]], [null], [0]])(
  "keeps bytes where their base64 is sent, and writes %j over them otherwise",
  async (sent) => {
    const database = things([{ id: 1, x: bytes }]);
    await ask(database, "PATCH /things/1", { body: { x: sent } });
    const isShown = sent === "AQI=";
    expect(firstRow(database)?.["x"]).toEqual(isShown ? bytes : sent);
  },
);

test("writes what is not as it is shown", async () => {
  const database = things();
  await ask(database, "PATCH /things/1", { body: { n: 7, b: { k: 1 }, x: 6 } });
  expect(firstRow(database)).toEqual({ ...stored, n: 7, b: { k: 1 }, x: 6 });
});

test("takes an empty object where nothing is shown as one", async () => {
  const database = things([{ id: 1, b: null, j: [] }]);
  await ask(database, "PATCH /things/1", { body: { b: "AQI=", j: {} } });
  expect(firstRow(database)).toMatchObject({ b: "AQI=", j: {} });
});

test("addresses a row by a key beyond doubles, and takes that key as it is shown", async () => {
  const database = things([{ ...stored, id: beyond }]);
  const path = "/things/9007199254740993";
  const body = await shown(database, path);
  expect(body).toMatchObject({ id: 2 ** 53 });
  expect(await ask(database, `PUT ${path}`, { body })).toMatchObject({ status: 200 });
  expect(await ask(database, `PATCH ${path}`, { body })).toMatchObject({ status: 200 });
  expect(database.table("things")?.rows()).toEqual([{ ...stored, id: beyond }]);
});

test.each([
  ["/things/9007199254740993", { id: 5, t: "b" }],
  ["/things/9007199254740993", { id: 2 ** 53 + 2, t: "b" }],
  ["/things/9007199254740993", { id: "x", t: "b" }],
  ["/names/5", { name: 5, t: "b" }],
])("takes no other key for that of %s: %j", async (path, body) => {
  const names = table("names", ["name TEXT", "t TEXT"], { primaryKey: ["name"] });
  const database = Database.load([table("things", columns), names]);
  const answer = await ask(database, `PATCH ${path}`, { body });
  expect(answer).toMatchObject({ status: 400, body: { code: "key_mismatch" } });
});

test("takes an integer beyond doubles as the text of its digits", async () => {
  const database = things([]);
  const body = { id: "9007199254740993", n: "-9223372036854775808" };
  expect(await ask(database, "POST /things", { body })).toMatchObject({ status: 201 });
  const smallest = new ExactInteger(-(2n ** 63n));
  expect(firstRow(database)).toMatchObject({ id: beyond, n: smallest });
  const path = "/things/9007199254740993";
  expect(await ask(database, `PATCH ${path}`, { body })).toMatchObject({ status: 200 });
});

test.each(['"5"', '"9007199254740993.0"', '" 9007199254740993"', '"9223372036854775808"'])(
  "takes no other text for an INTEGER, such as %s",
  async (text) => {
    const answer = await ask(things([]), "POST /things", { body: `{"n":${text}}` });
    expect(answer).toMatchObject({ status: 400, body: { code: "invalid_body" } });
  },
);

test.each([
  ['{"n":9007199254740993}', "n", "9007199254740993"],
  ['{"t":"n\\"","\\u006e" : -9007199254740993}', "n", "-9007199254740993"],
  ['{"n":1,"j":{"r":[1,9007199254740993]}}', "j", "9007199254740993"],
  ['{"j":{"r":[{"k":1}]},"n":9007199254740993}', "n", "9007199254740993"],
  ['{"t":"j","n":9007199254740993}', "n", "9007199254740993"],
  ['{"t":"{[\\\\","n":9007199254740993}', "n", "9007199254740993"],
])("refuses a number that is another one as a double: %s", async (body, column, digits) => {
  const database = things([]);
  const answer = await ask(database, "POST /things", { body });
  expect(answer).toMatchObject({
    status: 400,
    body: {
      code: "invalid_body",
      error: expect.stringContaining(`Column "${column}" has the number ${digits}`),
      hint: expect.stringContaining(`"${digits}"`),
    },
  });
  expect(database.table("things")?.size).toBe(0);
});

test("advises no text where none would be taken", async () => {
  const digits = `1${"0".repeat(29)}1`;
  const answer = await ask(things([]), "POST /things", { body: `{"n":${digits}}` });
  expect(answer).toMatchObject({ status: 400, body: { hint: "Send 1e+30." } });
});

test("takes large numbers that are exact, that it shows itself, and any of a REAL column", async () => {
  const body =
    '{"n":1152921504606846976,"j":[9223372036854776000,1e300],"r":9007199254740993,"t":"9007199254740993"}';
  expect(await ask(things([]), "POST /things", { body })).toMatchObject({ status: 201 });
});

test("finds a number beyond doubles after a text of many millions of characters", async () => {
  const body = `{"t":"${'\\"a'.repeat(2_000_000)}","n":9007199254740993}`;
  const answer = await ask(things([]), "POST /things", { body });
  expect(answer).toMatchObject({ body: { error: expect.stringContaining('Column "n"') } });
});

test.each([
  [1, "1", 'the text "1" as its "id", but the key of the path\'s row is a number.'],
  ["1", 1, 'the number 1 as its "id", but the key of the path\'s row is a text.'],
])("a row with the key %j refuses %j, and says which is a text", async (id, other, says) => {
  const { fetch } = await createEmulator({
    fixtures: { tables: { notes: [{ id, n: 1 }] } },
    auth: false,
  });
  const answer = await fetch("/rest/notes/1", {
    method: "PATCH",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ id: other, n: 2 }),
  });
  expect(await answer.json()).toMatchObject({
    code: "key_mismatch",
    error: `The body has ${says}`,
  });
});
