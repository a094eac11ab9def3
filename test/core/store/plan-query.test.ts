import { expect, test } from "vitest";
import { Database } from "../../../src/core/store/database.ts";
import type { Condition } from "../../../src/core/store/operators.ts";
import type { Query, QueryPlan } from "../../../src/core/store/table.ts";
import { column, memoryTable, table } from "../../support/tables.ts";

/** A thousand rows: `kind` has ten values, `code` a thousand. */
function explain(query: Query): QueryPlan {
  const rows = Array.from({ length: 1_000 }, (_, at) => ({
    id: at + 1,
    code: `c${at}`,
    kind: `k${at % 10}`,
    size: at / 2,
    most: at % 5 < 3 ? "yes" : "no",
    tags: [at],
  }));
  const columns = [
    "id INTEGER",
    column("code", "TEXT", { unique: true }),
    "kind TEXT",
    "size REAL",
    "most TEXT",
    "tags JSON",
  ];
  const database = Database.load([table("things", columns, { rows })]);
  return memoryTable(database, "things").explain(query);
}

const where = (
  name: string,
  operator: "eq" | "ne" | "gt" | "lt" | "like",
  value: string,
): Condition => ({
  column: name,
  operator,
  value,
});
const by = (name: string, descending = false): Query["sort"] => ({
  by: [{ column: name, descending }],
});

const cases: readonly (readonly [title: string, query: Query, plan: Partial<QueryPlan>])[] = [
  [
    "looks up a row id",
    { where: [where("id", "eq", "5")] },
    { access: { by: "row id", search: "equal" }, candidates: 1, tests: [], order: "as found" },
  ],
  [
    "reads a range of row ids",
    { where: [where("id", "gt", "990")] },
    { access: { by: "row id", search: "range" }, candidates: 10, tests: [], order: "as found" },
  ],
  [
    "looks up a unique column, and tests the rest on what it finds",
    { where: [where("kind", "eq", "k1"), where("code", "eq", "c11")] },
    {
      access: { by: "index", columns: ["code"], search: "equal" },
      candidates: 1,
      tests: [where("kind", "eq", "k1")],
    },
  ],
  [
    "makes an index for a column that is compared",
    { where: [where("kind", "eq", "k3")], limit: 10 },
    {
      access: { by: "index", columns: ["kind"], search: "equal" },
      candidates: 100,
      tests: [],
      order: "as found",
    },
  ],
  [
    "reads a range in the order that is asked for",
    { where: [where("size", "gt", "100"), where("size", "lt", "200")], sort: by("size"), limit: 5 },
    {
      access: { by: "index", columns: ["size"], search: "range" },
      candidates: 199,
      tests: [],
      order: "as found",
    },
  ],
  [
    "walks the index of the sorted column for the first rows",
    { where: [], sort: by("size", true), limit: 10 },
    { access: { by: "index", columns: ["size"], search: "all" }, order: "as found" },
  ],
  [
    "keeps the first rows where nothing gives the order",
    {
      where: [where("kind", "eq", "k3")],
      sort: { by: [...(by("size")?.by ?? []), ...(by("code")?.by ?? [])] },
      limit: 3,
    },
    { access: { by: "index", columns: ["kind"], search: "equal" }, order: { first: 3 } },
  ],
  [
    "scans for LIKE and for ne",
    { where: [where("code", "like", "%9%"), where("kind", "ne", "k1")] },
    {
      access: { by: "scan" },
      candidates: 1_000,
      tests: [where("code", "like", "%9%"), where("kind", "ne", "k1")],
      order: "as found",
    },
  ],
  [
    "has no index over documents",
    { where: [where("tags", "eq", "[5]")] },
    { access: { by: "scan" } },
  ],
  [
    "looks up several row ids, and counts those that are there",
    { where: [{ column: "id", operator: "in", values: ["5", "3", "2000", "x", "5"] }] },
    { access: { by: "row id", search: "equal" }, candidates: 2, tests: [], order: "as found" },
  ],
  [
    "looks up several values, each once, which are in no order then",
    { where: [{ column: "kind", operator: "in", values: ["k1", "k2", "k1"] }], sort: by("kind") },
    {
      access: { by: "index", columns: ["kind"], search: "equal" },
      candidates: 200,
      order: "sorted",
    },
  ],
  [
    "finds the rows of one value in any order of its column",
    { where: [where("kind", "eq", "k3")], sort: by("kind", true) },
    { access: { by: "index", columns: ["kind"], search: "equal" }, order: "as found" },
  ],
  [
    "finds nothing between bounds that leave nothing",
    { where: [where("size", "gt", "200"), where("size", "lt", "100")] },
    {
      access: { by: "index", columns: ["size"], search: "range" },
      candidates: 0,
      order: "as found",
    },
  ],
  [
    "finds nothing between row ids that leave nothing",
    { where: [where("id", "gt", "200"), where("id", "lt", "100")] },
    { access: { by: "row id", search: "range" }, candidates: 0 },
  ],
  [
    "finds nothing where no row has the value",
    { where: [where("kind", "eq", "none")] },
    {
      access: { by: "index", columns: ["kind"], search: "equal" },
      candidates: 0,
      order: "as found",
    },
  ],
  [
    "reads a range that is open on one side",
    { where: [where("size", "lt", "5")], sort: by("size") },
    {
      access: { by: "index", columns: ["size"], search: "range" },
      candidates: 10,
      order: "as found",
    },
  ],
  [
    "scans where an index would find most of the rows",
    { where: [where("most", "eq", "yes")] },
    { access: { by: "scan" }, candidates: 1_000, tests: [where("most", "eq", "yes")] },
  ],
  [
    "takes an index that finds less than half of the rows",
    { where: [where("most", "eq", "no")] },
    { access: { by: "index", columns: ["most"], search: "equal" }, candidates: 400, tests: [] },
  ],
  [
    "takes the index for a page far behind, where it need not look at the rows before",
    { where: [where("most", "eq", "yes")], offset: 500, limit: 10 },
    { access: { by: "index", columns: ["most"], search: "equal" }, candidates: 600, tests: [] },
  ],
  [
    "scans where the rows of an index would have to be sorted by row id",
    { where: [where("kind", "gt", "k3")] },
    { access: { by: "scan" }, tests: [where("kind", "gt", "k3")], order: "as found" },
  ],
  [
    "walks the index of the sorted column where the first rows soon match",
    { where: [where("most", "eq", "no")], sort: by("size"), limit: 5 },
    {
      access: { by: "index", columns: ["size"], search: "all" },
      tests: [where("most", "eq", "no")],
      order: "as found",
    },
  ],
  [
    "sorts the rows that match where the page is far behind",
    { where: [where("most", "eq", "no")], sort: by("size"), offset: 350, limit: 5 },
    {
      access: { by: "index", columns: ["most"], search: "equal" },
      tests: [],
      order: { first: 355 },
    },
  ],
  [
    "sorts all rows where the page ends behind the last one",
    { where: [where("kind", "eq", "k3")], sort: by("size"), offset: 60, limit: 500 },
    { access: { by: "index", columns: ["kind"], search: "equal" }, order: "sorted" },
  ],
  [
    "takes the row id that is not there before an index that finds rows",
    { where: [where("id", "eq", "2000"), where("code", "like", "c%"), where("kind", "eq", "k1")] },
    { access: { by: "row id", search: "equal" }, candidates: 0 },
  ],
  [
    "finds nothing where a row id is to be greater than a text",
    { where: [where("id", "gt", "abc")] },
    { candidates: 0 },
  ],
];

test.each(cases)("%s", (_, query, plan) => {
  expect(explain(query)).toMatchObject(plan);
});

test("makes an index only for a query that would look at many rows without it", () => {
  const rows = Array.from({ length: 300 }, (_, at) => ({ id: at, kind: `k${at % 3}`, n: at % 2 }));
  const contents = table("things", ["id INTEGER", "kind TEXT", "n INTEGER"], { rows });
  const things = memoryTable(Database.load([contents]), "things");
  const { wantedIndexes } = things.state.layout;
  const kind = where("kind", "eq", "k1");
  things.select({ where: [where("id", "lt", "100"), kind], sort: by("n") });
  expect(wantedIndexes).toEqual([]);
  things.select({ where: [kind, where("n", "eq", "1")] });
  things.select({ where: [kind] });
  expect(wantedIndexes.map(({ columns }) => columns)).toEqual([["kind"]]);
});

test("scans a small table and makes no index for it", () => {
  const rows = Array.from({ length: 20 }, (_, at) => ({ id: at, kind: `k${at}` }));
  const database = Database.load([table("things", ["id INTEGER", "kind TEXT"], { rows })]);
  const query = { where: [where("kind", "eq", "k3")] };
  const plan = memoryTable(database, "things").explain(query);
  expect(plan).toMatchObject({ access: { by: "scan" }, candidates: 20 });
});

test("finds a row by its row id in a small table, too, whatever else is said of the order", () => {
  const few = memoryTable(
    Database.load([table("few", ["id INTEGER"], { rows: [{ id: 1 }] })]),
    "few",
  );
  const access = { by: "row id", search: "equal" };
  const found = [
    ["1", 1],
    ["2", 0],
    ["x", 0],
  ] as const;
  for (const [key, candidates] of found) {
    const plan = few.explain({ where: [where("id", "eq", key)], sort: by("id", true) });
    expect(plan).toEqual({ access, candidates, tests: [], order: "as found" });
  }
});

const { schema: pairSchema } = table("pairs", ["a INTEGER", "b TEXT", "c ANY", "d TEXT"], {
  primaryKey: ["b", "a"],
});

/** Five hundred pairs, of which each is there once, and each `a` fifty times. */
function explainPairs(query: Query): QueryPlan {
  const indexes = [
    { columns: ["a", "c"], collate: "BINARY" as const },
    { columns: ["a", "d"], collate: "NOCASE" as const },
  ].map(({ columns, collate }) => ({
    columns: columns.map((name) => ({ name, collate, descending: false })),
    unique: true,
  }));
  const rows = Array.from({ length: 500 }, (_, at) => {
    const text = `b${Math.floor(at / 10)}`;
    return { a: at % 10, b: text, c: text, d: text };
  });
  const database = Database.load([{ schema: { ...pairSchema, indexes }, rows }]);
  return memoryTable(database, "pairs").explain(query);
}

const a5 = where("a", "eq", "5");

test.each<readonly [string, readonly Condition[], Partial<QueryPlan>]>([
  [
    "finds a row by all columns of a key, in whichever order they are named",
    [a5, where("b", "eq", "b7"), where("d", "like", "b%")],
    {
      access: { by: "index", columns: ["b", "a"], search: "equal" },
      candidates: 1,
      tests: [where("d", "like", "b%")],
    },
  ],
  [
    "counts no row that is not there under a key",
    [a5, where("b", "eq", "x")],
    { access: { by: "index", columns: ["b", "a"], search: "equal" }, candidates: 0, tests: [] },
  ],
  [
    "does not take the index of a key for one of its columns, or a range",
    [a5, where("b", "gt", "b7")],
    { access: { by: "index", columns: ["a"], search: "equal" }, candidates: 50 },
  ],
  [
    "does not take the index of a key for what may mean a number or a text",
    [a5, where("c", "eq", "5")],
    { access: { by: "index", columns: ["a"], search: "equal" }, candidates: 50 },
  ],
  [
    "does not take the index of a key that compares otherwise than the column",
    [a5, where("d", "eq", "b7")],
    { access: { by: "index", columns: ["a"], search: "equal" }, candidates: 50 },
  ],
])("%s", (_, conditions, plan) => {
  expect(explainPairs({ where: conditions })).toMatchObject(plan);
});
