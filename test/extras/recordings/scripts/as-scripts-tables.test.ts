import { expect, test } from "vitest";
import type { RecordedAnswer } from "../../../../src/core/recordings/cassette.ts";
import { ask, exchange, jsonAnswer, serving, tableCassette, cameTo } from "./as-scripts-support.ts";

function rowsAnswer(...result: readonly object[]): RecordedAnswer {
  return jsonAnswer({ result });
}

function tablesOf(...pairs: readonly (readonly [string, RecordedAnswer])[]) {
  const recordings = pairs.map(([line, answer]) => {
    const [method = "", path = ""] = line.split(" ");
    return exchange({ method, path }, answer);
  });
  return cameTo([tableCassette("tables-users", recordings)]);
}

test("a table has the rows that were seen, the later ones, and not those that were deleted", async () => {
  const fixtures = tablesOf(
    [
      "GET /users",
      rowsAnswer({ id: 1, name: "Ada" }, { id: 2, name: "Bo" }, { id: 3, name: "Cy" }),
    ],
    ["PATCH /users/1", jsonAnswer({ result: {} })],
    ["GET /users/1", rowsAnswer({ id: 1, name: "Ada L." })],
    ["DELETE /users/2", jsonAnswer({ result: {} })],
  );
  expect(fixtures).toEqual({
    chats: [],
    remarks: [],
    tables: [
      {
        name: "users",
        document: {
          primaryKey: "id",
          columns: { id: "INTEGER", name: "TEXT" },
          rows: [
            { id: 1, name: "Ada L." },
            { id: 3, name: "Cy" },
          ],
        },
      },
    ],
  });
  const response = await ask(await serving(fixtures), { method: "GET", path: "/users" });
  expect(await response.json()).toEqual({
    result: [
      { id: 1, name: "Ada L." },
      { id: 3, name: "Cy" },
    ],
  });
});

test("the key of a table is the column by which its rows were asked for", () => {
  const { tables } = tablesOf(
    ["GET /users", rowsAnswer({ nick: "ada", age: 36 }, { nick: "bo", age: 7 })],
    ["GET /users/ada", rowsAnswer({ nick: "ada", age: 36 })],
  );
  expect(tables[0]?.document).toMatchObject({ primaryKey: "nick" });
});

test.each([
  ["GET /users", jsonAnswer({ error: "no" }, 500), "GET /users was answered 500"],
  ["GET /users", jsonAnswer({ rows: [] }), 'has no list of rows in "result"'],
  ["GET /users", rowsAnswer({ name: "Ada" }), "its key is unknown"],
])("says what is odd about %s", (line, answer, told) => {
  expect(tablesOf([line, answer]).remarks.join()).toContain(told);
});

test("a number that no double holds is a text, with all its digits", () => {
  const answer = {
    ...rowsAnswer(),
    body: { text: '{"result":[{"id":9007199254740993,"n":"9007199254740993"}]}' },
  };
  const { tables } = tablesOf(["GET /users", answer]);
  expect(tables[0]?.document).toMatchObject({
    rows: [{ id: "9007199254740993", n: "9007199254740993" }],
  });
});

test("says which rows no table can have", () => {
  const { tables, remarks } = tablesOf(["GET /users", rowsAnswer({ id: null }, { id: 1, "": 2 })]);
  expect(tables[0]?.document).toMatchObject({ rows: [{ id: 1 }] });
  expect(remarks).toEqual([
    'table users[1][""]: left out: a column needs a name',
    "table users[0]: left out: its id, the key of the other rows, is neither a text nor a number here",
  ]);
});

test.each(["/..%2F..%2Fusers", "/.hidden", "/", "/a%00b"])(
  "leaves out a table at %s, which no file can be of",
  (path) => {
    const { tables, remarks } = tablesOf([`GET ${path}`, rowsAnswer({ id: 1 })]);
    expect(tables).toEqual([]);
    expect(remarks.join()).toContain("cannot be the name of a file");
  },
);
