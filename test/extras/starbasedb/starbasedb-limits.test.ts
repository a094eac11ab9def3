import { expect, test } from "vitest";
import { longestValue } from "../../../src/extras/starbasedb/filters.ts";
import { wordKind } from "../../../src/extras/starbasedb/words.ts";
import { Database } from "../../../src/core/store/database.ts";
import { sqliteStorage } from "../../../src/core/store/storage-rules.ts";
import { answererOf } from "../../support/answerer.ts";
import { column, table } from "../../support/tables.ts";
import { ask, starbasedbContext } from "../../core/tables/ask.ts";

/** A table `t` with one row and one key column, and 101 others. */
function wide(key = "id"): Database {
  const others = Array.from({ length: 101 }, (_, at) => `c${at} TEXT`);
  const contents = table("t", [column(key, "TEXT"), ...others], {
    primaryKey: [key],
    rows: [{ [key]: "1", c0: "a" }],
  });
  return Database.load([contents], { storage: sqliteStorage });
}

async function status(database: Database, request: string, body?: unknown): Promise<number> {
  return (await ask(database, request, { body }, starbasedbContext)).status;
}

function columns(count: number): Readonly<Record<string, string>> {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`c${at}`, "x"]));
}

test.each([
  ["PATCH", 99, 200],
  ["PATCH", 100, 500],
  ["PUT", 99, 200],
  ["PUT", 100, 500],
  ["POST", 100, 201],
  ["POST", 101, 500],
])(
  "binds a hundred values to a statement: %s of %i columns gives %i",
  async (method, count, expected) => {
    const path = method === "POST" ? "/t" : "/t/1";
    expect(await status(wide(), `${method} ${path}`, columns(count))).toBe(expected);
  },
);

test.each(["PATCH", "PUT"])("refuses a %s of more bytes than a row can have", async (method) => {
  const body = { c0: "x".repeat(longestValue + 1) };
  const database = wide();
  expect(await status(database, `${method} /t/1`, body)).toBe(500);
  expect(database.table("t")?.get(["1"])).toMatchObject({ c0: "a" });
});

test.each([
  ["id", 200],
  ["é", 200],
  ["a$1", 200],
  ["a b", 500],
  ["a-b", 500],
  ["1a", 500],
  ["select", 500],
])("writes the name of a key column %s as it is, which gives %i", async (key, expected) => {
  expect(await status(wide(key), "GET /t/1")).toBe(expected);
  expect(await status(wide(key), "PATCH /t/1", { c0: "b" })).toBe(expected);
  expect(await status(wide(key), "DELETE /t/1")).toBe(expected);
});

test("refuses a key of which one name breaks the statement", async () => {
  const contents = table("t", [column("a", "TEXT"), column("b c", "TEXT"), column("v", "TEXT")], {
    primaryKey: ["a", "b c"],
    rows: [{ a: "1", "b c": "2", v: "x" }],
  });
  const database = Database.load([contents], { storage: sqliteStorage });
  expect(await status(database, "PATCH /t", { a: "1", "b c": "2", v: "y" })).toBe(500);
  expect(database.table("t")?.rows()).toMatchObject([{ v: "x" }]);
});

test.each([
  ["2147483647", 500],
  ["2147483648", 200],
  ["1", 200],
  ["102", 200],
  ["103", 500],
])("takes a whole number to sort by for the number of a column: %s", async (word, expected) => {
  expect(await status(wide(), `GET /t?sort_by=${word}`)).toBe(expected);
});

test.each([
  ["", "empty"],
  ["a1", "name"],
  ["select", "keyword"],
  ["12", "integer"],
  ["0x1F", "integer"],
  ["0x1g", "illegal"],
  ["10x1", "illegal"],
  ["12e34", "real"],
  ["1e", "illegal"],
  ["1e5x", "illegal"],
  ["1x1e5", "illegal"],
])("reads the word %j as SQLite does: %s", (word, kind) => {
  expect(wordKind(word)).toBe(kind);
});

test("says in the log that there are no rows where a constant is wrong for all of them", async () => {
  const { reply } = await ask(wide(), "GET /t?true=2", {}, starbasedbContext);
  expect(answererOf(reply)).toBe("GET t: 0 rows");
});

test("counts what is asked of tables that are not there among what the fixtures do not have", async () => {
  const requests = ["GET /nope", "DELETE /nope/1", "GET /", "GET /t?nope=1", "GET /t"];
  const misses: (true | undefined)[] = [];
  for (const request of requests) {
    misses.push((await ask(wide(), request, {}, starbasedbContext)).reply.isMiss);
  }
  expect(misses).toEqual([true, true, true, undefined, undefined]);
});
