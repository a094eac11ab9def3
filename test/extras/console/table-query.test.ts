import { expect, test } from "vitest";
import { operatorEntries } from "../../../src/core/control/routes/about.ts";
import { copyFormats } from "../../../src/extras/console/tables/copy-rows.ts";
import {
  conditionsIn,
  filterOf,
  firstQuery,
  nextSort,
  queryPath,
  rowsWith,
  type TableQuery,
  withFilter,
} from "../../../src/extras/console/tables/query.ts";
import {
  canPutBack,
  exactRows,
  keyPath,
  problemsByColumn,
  referenceOf,
} from "../../../src/extras/console/tables/row.ts";

const columns = [
  ["id", "INTEGER"],
  ["city", "TEXT"],
  ["limit", "INTEGER"],
  ["a.b", "REAL"],
  ["image", "BLOB"],
].map(([name = "", type = ""]) => ({ name, type, notNull: false }));
const table = { name: "odd name", primaryKey: ["id"], columns, rows: 3, version: 1 };

const cases: readonly (readonly [Partial<TableQuery>, string])[] = [
  [{}, ""],
  [{ sort: "price", order: "desc" }, "?sort_by=price&order=desc"],
  [{ filters: "city=S%C3%A3o+Paulo" }, "?city.like=%25S%C3%A3o%20Paulo%25"],
  [{ filters: "city=%3D+a%26b" }, "?city=a%26b"],
  [{ filters: "id=in+1,2" }, "?id.in=1,2"],
  [{ filters: "limit=3" }, "?limit.eq=3"],
  [{ filters: "a.b=%2B" }, "?a.b.eq=%2B"],
  [{ filters: "id=%3E%3D1+%26+%3C+9&city=" }, "?id.gte=1&id.lt=9"],
  [{ filters: "unknown=3" }, ""],
];

test.each(cases)("writes the query %j as %s", (query, text) => {
  expect(queryPath({ table, query: { ...firstQuery, ...query } }, operatorEntries)).toBe(
    `odd%20name${text}`,
  );
});

test("asks for a page of the rows", () => {
  const range = { limit: 100, offset: 200 };
  const path = queryPath({ table, query: firstQuery, range }, operatorEntries);
  expect(path).toBe("odd%20name?limit=100&offset=200");
});

test.each([
  ["", "TEXT", []],
  ["paris", "TEXT", [["like", "%paris%"]]],
  ["5", "INTEGER", [["eq", "5"]]],
  ["true", "BOOLEAN", [["eq", "true"]]],
  ["= paris", "TEXT", [["eq", "paris"]]],
  ["!= paris", "TEXT", [["ne", "paris"]]],
  ["<=5", "INTEGER", [["lte", "5"]]],
  ["< 5", "INTEGER", [["lt", "5"]]],
  ["like a%", "TEXT", [["like", "a%"]]],
  ["likely", "TEXT", [["like", "%likely%"]]],
  ["in a,b", "TEXT", [["in", "a,b"]]],
  [">", "INTEGER", []],
  ["salt & pepper", "TEXT", [["like", "%salt & pepper%"]]],
  [
    "> 1 & ≤ 9",
    "INTEGER",
    [
      ["gt", "1"],
      ["lte", "9"],
    ],
  ],
] as const)("reads the filter %j of a column of %s as %j", (text, type, conditions) => {
  const read = conditionsIn(text, { type }, operatorEntries);
  expect(read.map(({ operator, value }) => [operator, value])).toEqual(conditions);
});

test("keeps the filters of several columns in one text", () => {
  const one = withFilter(firstQuery, "a&b", "x=y");
  const both = withFilter({ ...firstQuery, filters: one }, "city", "Rome");
  const query = { ...firstQuery, filters: both };
  expect([filterOf(query, "a&b"), filterOf(query, "city")]).toEqual(["x=y", "Rome"]);
  expect(withFilter(query, "a&b", "")).toBe("city=Rome");
  expect(filterOf({ ...firstQuery, ...rowsWith("id", 5) }, "id")).toBe("= 5");
});

test("sorts up, down, and then not at all", () => {
  const up = { ...firstQuery, ...nextSort(firstQuery, "id") };
  const down = { ...up, ...nextSort(up, "id") };
  expect([up, down]).toMatchObject([
    { sort: "id", order: "asc" },
    { sort: "id", order: "desc" },
  ]);
  expect(nextSort(down, "id")).toEqual({ sort: "", order: "asc" });
  expect(nextSort(down, "name")).toEqual({ sort: "name", order: "asc" });
});

test("follows foreign keys, whatever dots the names have", () => {
  const named = ["ders", "id.x"].map((name) => ({ name, type: "INTEGER", notNull: false }));
  const tables = ["or", "or.ders"].map((name) => ({ name, columns: named }));
  const to = { table: "or.ders", column: "id.x" };
  expect(referenceOf({ references: "or.ders.id.x" }, tables)).toEqual(to);
  expect(referenceOf({ references: "or.id" }, tables)).toBeUndefined();
});

test.each([
  [
    'Cannot insert a row into "odd name": Column "city" is NOT NULL and needs a value. The primary key "id" must be unique, and 1 is taken.',
    [
      ["id", 'The primary key "id" must be unique, and 1 is taken.'],
      ["city", 'Column "city" is NOT NULL and needs a value.'],
    ],
  ],
  ["UNIQUE constraint failed: odd name.id: SQLITE_CONSTRAINT", [["id", expect.any(String)]]],
  ["The body names no column.", []],
])("finds the columns that %j is about", (message, found) => {
  expect([...problemsByColumn(message, table)]).toEqual(found);
});

test("knows which rows cannot be written again as they were", () => {
  expect(canPutBack(table, { id: 1, city: null, image: null })).toBe(true);
  expect(canPutBack(table, { id: 1, image: "AP8=" })).toBe(false);
  expect(canPutBack(table, { id: 2 ** 60 })).toBe(false);
});

const copied = [
  { id: 1, city: 'A "b", c', limit: true, "a.b": null, image: "AP8=" },
  { id: 2, city: "it's", limit: { a: 1 }, "a.b": 1.5, image: {} },
];

test("copies rows as JSON, CSV and SQL", () => {
  expect(JSON.parse(copyFormats["JSON"]?.(table, copied) ?? "")).toEqual(copied);
  expect(copyFormats["CSV"]?.(table, [...copied, { city: "" }])).toBe(
    'id,city,limit,a.b,image\r\n1,"A ""b"", c",true,,AP8=\r\n2,it\'s,"{""a"":1}",1.5,{}\r\n,"",,,\r\n',
  );
  expect(copyFormats["SQL"]?.(table, copied)).toBe(
    `INSERT INTO "odd name" ("id", "city", "limit", "a.b", "image") VALUES
  (1, 'A "b", c', true, NULL, X'00ff'),
  (2, 'it''s', '{"a":1}', 1.5, NULL /* bytes that this profile does not show */);
`,
  );
});

test.each([
  [["id"], { id: 7 }, "7"],
  [["id"], { id: "a/b, c" }, "a%2Fb%2C%20c"],
  [["a", "b"], { a: 1, b: "x,y" }, "1,x%2Cy"],
  [["flag"], { flag: false }, "false"],
  [["__proto__"], JSON.parse('{"__proto__": 1}'), "1"],
])("names the row of the key %j in %j as %s", (primaryKey, row, path) => {
  expect(keyPath({ primaryKey }, row)).toBe(path);
});

test.each([
  [[], { id: 1 }],
  [["id"], { id: null }],
  [["id"], { id: "" }],
  [["id"], {}],
  [["id"], { id: {} }],
  [["id"], { id: 2 ** 60 }],
  [["a", "b"], { a: 1, b: null }],
  [["constructor"], {}],
])("does not name a row by the key %j in %j", (primaryKey, row) => {
  expect(keyPath({ primaryKey }, row)).toBeUndefined();
});

test("finds the digits of numbers that are shown rounded, each row once", () => {
  const rounded = { id: 9007199254740992, name: "a" };
  const stored = [
    { id: "9007199254740993", name: "b" },
    { id: "9007199254740991", name: "a" },
    { id: "9007199254740992", name: "a" },
    { id: "9007199254740993", name: "a" },
  ];
  expect(exactRows([rounded, rounded, { id: 1, name: "a" }, rounded], stored)).toEqual([
    stored[2],
    stored[3],
    { id: 1, name: "a" },
    rounded,
  ]);
});
