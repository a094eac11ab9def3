import { expect, test } from "vitest";
import {
  firstQuery,
  nextSort,
  queryPath,
  type TableQuery,
} from "../../../src/extras/console/tables/query.ts";
import { exactRows, keyPath } from "../../../src/extras/console/tables/row.ts";

const cases: readonly (readonly [Partial<TableQuery>, string])[] = [
  [{}, "limit=25"],
  [{ limit: 10, offset: 20 }, "limit=10&offset=20"],
  [{ sort: { column: "price", direction: "desc" } }, "sort_by=price&order=desc&limit=25"],
  [
    { conditions: [{ column: "city", operator: "eq", value: "São Paulo" }] },
    "city=S%C3%A3o%20Paulo&limit=25",
  ],
  [
    { conditions: [{ column: "title", operator: "like", value: "%a&b%" }] },
    "title.like=%25a%26b%25&limit=25",
  ],
  [{ conditions: [{ column: "id", operator: "in", value: "1,2" }] }, "id.in=1,2&limit=25"],
  [{ conditions: [{ column: "limit", operator: "eq", value: "3" }] }, "limit.eq=3&limit=25"],
  [{ conditions: [{ column: "a.b", operator: "eq", value: "+" }] }, "a.b.eq=%2B&limit=25"],
  [{ conditions: [{ column: "id", operator: "gt", value: "" }] }, "limit=25"],
];

test.each(cases)("writes the query %j as %s", (query, text) => {
  expect(queryPath("odd name", { ...firstQuery, ...query })).toBe(`odd%20name?${text}`);
});

test("sorts up, down, and then not at all", () => {
  const up = nextSort(undefined, "id");
  const down = nextSort(up, "id");
  expect([up, down]).toEqual([
    { column: "id", direction: "asc" },
    { column: "id", direction: "desc" },
  ]);
  expect(nextSort(down, "id")).toBeUndefined();
  expect(nextSort(down, "name")).toEqual({ column: "name", direction: "asc" });
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
