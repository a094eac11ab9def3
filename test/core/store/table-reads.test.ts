import { expect } from "vitest";
import type { Condition } from "../../../src/core/store/operators.ts";
import type { SortKey, Table } from "../../../src/core/store/table.ts";
import { conformance } from "../../support/table-conformance.ts";
import { column, table } from "../../support/tables.ts";

/** Reads are checked on this table: numbers, texts in several cases and scripts, NULLs, ties. */
const items = table(
  "items",
  [
    "id INTEGER",
    column("name", "TEXT", { notNull: true }),
    "price REAL",
    "stock INTEGER",
    "tag TEXT",
    "active BOOLEAN",
  ],
  {
    rows: [
      { id: 3, name: "pear", price: 1.5, stock: 10, tag: "b", active: true },
      { id: 1, name: "Apple", price: 2, stock: 5, tag: "a", active: false },
      { id: 5, name: "ÄPFEL", price: null, stock: 10, tag: null, active: null },
      { id: 2, name: "fig", price: 10.25, stock: null, tag: "b", active: true },
      { id: 4, name: "😀", price: -3, stock: 0, tag: "", active: false },
      { id: 6, name: "\u{ffff}", price: 0.1, stock: 7, tag: "B", active: true },
    ],
  },
);

/** The row ids that a query gives, in its order. */
function ids(from: Table, query: Partial<Parameters<Table["select"]>[0]>): readonly unknown[] {
  return from.select({ where: [], ...query }).map(({ id }) => id);
}

function eq(name: string, value: string): Condition {
  return { column: name, operator: "eq", value };
}

function by(...names: readonly string[]): readonly SortKey[] {
  return names.map((name) => ({
    column: name.replace("-", ""),
    descending: name.startsWith("-"),
  }));
}

conformance("gives all rows in row id order, with every column", items, ({ table: from }) => {
  expect(from.size).toBe(6);
  expect(ids(from, {})).toEqual([1, 2, 3, 4, 5, 6]);
  expect(from.rows()[1]).toEqual({
    id: 2,
    name: "fig",
    price: 10.25,
    stock: null,
    tag: "b",
    active: true,
  });
});

const words = table("words", ["word TEXT", "n INTEGER"], {
  primaryKey: ["word"],
  rows: [
    { word: "b", n: 1 },
    { word: "a", n: 2 },
    { word: "B", n: 3 },
  ],
});

conformance(
  "gives rows in the order of their making where no integer is the key",
  words,
  async ({ table: from }) => {
    await from.delete(["b"]);
    await from.insert({ word: "b", n: 4 });
    expect(from.rows().map(({ n }) => n)).toEqual([2, 3, 4]);
  },
);

conformance("gets a row by its key, and nothing by anything else", items, ({ table: from }) => {
  expect(from.get([4])).toMatchObject({ id: 4, name: "😀" });
  const others = [[9], ["4"], [null], [4.5], []];
  expect(others.map((key) => from.get(key))).toEqual(others.map(() => undefined));
});

const pairs = table("pairs", ["b TEXT", "a INTEGER", "v TEXT"], {
  primaryKey: ["a", "b"],
  rows: [
    { a: 1, b: "x", v: "1x" },
    { a: 1, b: "y", v: "1y" },
  ],
});

conformance("gets a row by the values of a composite key, in key order", pairs, (open) => {
  expect(open.table.get([1, "y"])).toEqual({ b: "y", a: 1, v: "1y" });
  expect(open.table.get(["y", 1])).toBeUndefined();
});

const lines = table("lines", ["line TEXT"], { rows: [{ line: "a" }] });

conformance("finds no row by key in a table without one", lines, ({ table: from }) => {
  expect(from.get(["a"])).toBeUndefined();
  expect(from.get([])).toBeUndefined();
});

const conditions: readonly (readonly [Condition, readonly number[]])[] = [
  [eq("stock", "10"), [3, 5]],
  [eq("stock", "1e1"), [3, 5]],
  [eq("stock", "ten"), []],
  [{ column: "stock", operator: "ne", value: "10" }, [1, 4, 6]],
  [{ column: "price", operator: "gt", value: "1.5" }, [1, 2]],
  [{ column: "price", operator: "gte", value: "1.50" }, [1, 2, 3]],
  [{ column: "price", operator: "lt", value: "0" }, [4]],
  [{ column: "price", operator: "lte", value: "0.1" }, [4, 6]],
  [{ column: "stock", operator: "lt", value: "text" }, [1, 3, 4, 5, 6]],
  [{ column: "name", operator: "gt", value: "z" }, [4, 5, 6]],
  [{ column: "tag", operator: "eq", value: "" }, [4]],
  [{ column: "name", operator: "like", value: "%p%L%" }, [1, 5]],
  [{ column: "name", operator: "like", value: "äpfel" }, []],
  [{ column: "name", operator: "like", value: "_" }, [4, 6]],
  [{ column: "price", operator: "like", value: "2.0" }, [1]],
  [{ column: "stock", operator: "in", values: ["5", "0", "x"] }, [1, 4]],
  [{ column: "tag", operator: "in", values: ["a", "B"] }, [1, 6]],
  [{ column: "active", operator: "eq", value: "true" }, [2, 3, 6]],
  [{ column: "active", operator: "eq", value: "0" }, [1, 4]],
];

for (const [condition, expected] of conditions) {
  const text = "value" in condition ? condition.value : condition.values.join(",");
  conformance(
    `filters ${condition.column} ${condition.operator} "${text}"`,
    items,
    ({ table: from }) => {
      expect(ids(from, { where: [condition] })).toEqual(expected);
    },
  );
}

conformance("takes rows that meet all conditions, several on a column", items, (open) => {
  const where: readonly Condition[] = [
    { column: "stock", operator: "gte", value: "5" },
    { column: "stock", operator: "lt", value: "10" },
    eq("active", "true"),
  ];
  expect(ids(open.table, { where })).toEqual([6]);
});

conformance("sorts NULL first, and texts by their code points", items, ({ table: from }) => {
  expect(ids(from, { sort: { by: by("price") } })).toEqual([5, 4, 6, 3, 1, 2]);
  expect(ids(from, { sort: { by: by("name") } })).toEqual([1, 2, 3, 5, 6, 4]);
  expect(ids(from, { sort: { by: by("-tag") } })).toEqual([2, 3, 1, 6, 4, 5]);
});

conformance("sorts by several columns, each in its direction", items, ({ table: from }) => {
  expect(ids(from, { sort: { by: by("-stock", "name") } })).toEqual([3, 5, 6, 1, 4, 2]);
  expect(ids(from, { sort: { by: by("active", "-price") } })).toEqual([5, 1, 4, 2, 3, 6]);
});

conformance("puts ties in row id order, whatever the direction of the sort", items, (open) => {
  expect(ids(open.table, { sort: { by: by("-active") } })).toEqual([2, 3, 6, 1, 4, 5]);
  const backwards = { by: by("active"), rowIdDescending: true };
  expect(ids(open.table, { sort: backwards })).toEqual([5, 4, 1, 6, 3, 2]);
  expect(ids(open.table, { sort: { by: [], rowIdDescending: true } })).toEqual([6, 5, 4, 3, 2, 1]);
});

conformance("takes the window out of what is filtered and sorted", items, ({ table: from }) => {
  const where: readonly Condition[] = [{ column: "price", operator: "gt", value: "0" }];
  const sort = { by: by("-price") };
  expect(ids(from, { where, sort, offset: 1, limit: 2 })).toEqual([1, 3]);
  expect(ids(from, { where, sort, offset: 3 })).toEqual([6]);
  expect(ids(from, { where, limit: 2 })).toEqual([1, 2]);
  expect(ids(from, { offset: 4, limit: 10 })).toEqual([5, 6]);
  expect([ids(from, { limit: 0 }), ids(from, { offset: 9 })]).toEqual([[], []]);
});

conformance("throws where a query names a column that does not exist", items, ({ table: from }) => {
  expect(() => from.select({ where: [eq("nope", "1")] })).toThrow(RangeError);
  expect(() => from.select({ where: [], sort: { by: by("nope") } })).toThrow(RangeError);
});

const folded = table("folded", ["id INTEGER", column("mail", "TEXT", { collate: "NOCASE" })], {
  rows: [
    { id: 1, mail: "b@x" },
    { id: 2, mail: "A@X" },
    { id: 3, mail: "É" },
  ],
});

conformance("compares and sorts by a column's collation", folded, ({ table: from }) => {
  expect(ids(from, { where: [eq("mail", "a@x")] })).toEqual([2]);
  expect(ids(from, { where: [eq("mail", "é")] })).toEqual([]);
  expect(ids(from, { sort: { by: by("mail") } })).toEqual([2, 1, 3]);
});

const anything = table("anything", ["id INTEGER", "v ANY", "doc JSON"], {
  rows: [
    { id: 1, v: "10", doc: { b: 1, a: [true, null] } },
    { id: 2, v: 10, doc: "text" },
    { id: 3, v: true, doc: [] },
    { id: 4, v: null, doc: null },
    { id: 5, v: "x", doc: 5 },
    { id: 6, v: { a: 1 }, doc: {} },
  ],
});

conformance("sorts numbers before texts, and documents by their text", anything, (open) => {
  expect(ids(open.table, { sort: { by: by("v") } })).toEqual([4, 3, 2, 1, 5, 6]);
  expect(ids(open.table, { sort: { by: by("doc") } })).toEqual([4, 2, 5, 3, 1, 6]);
});

conformance("finds numbers and texts by a filter that looks like a number", anything, (open) => {
  expect(ids(open.table, { where: [eq("v", "10")] })).toEqual([1, 2]);
  expect(ids(open.table, { where: [eq("v", "true")] })).toEqual([3]);
  expect(ids(open.table, { where: [eq("doc", '"text"')] })).toEqual([2]);
  expect(ids(open.table, { where: [eq("doc", '{"b":1,"a":[true,null]}')] })).toEqual([1]);
});

conformance("hands out rows that nobody can change", anything, async ({ table: from }) => {
  const row = from.get([1]) ?? {};
  expect(() => Object.assign(row, { v: "changed" })).toThrow(TypeError);
  expect(() => Object.assign(row["doc"] ?? {}, { b: "changed" })).toThrow(TypeError);
  await from.update([1], { v: "new" });
  expect(row["v"]).toBe("10");
  expect(from.get([1])?.["v"]).toBe("new");
});

conformance("explains a query that nothing speeds up as a scan", items, ({ table: from }) => {
  const where: readonly Condition[] = [{ column: "name", operator: "like", value: "%p%" }];
  expect(from.explain({ where, sort: { by: by("price") } })).toEqual({
    access: { by: "scan" },
    candidates: 6,
    tests: where,
    order: "sorted",
  });
});
