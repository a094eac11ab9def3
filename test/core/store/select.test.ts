import { expect, test } from "vitest";
import { Database } from "../../../src/core/store/database.ts";
import type { Condition } from "../../../src/core/store/operators.ts";
import type { MemoryTable } from "../../../src/core/store/memory-table.ts";
import type { Query, Sort } from "../../../src/core/store/table.ts";
import type { JsonRow } from "../../../src/core/store/value.ts";
import { column, memoryTable, table } from "../../support/tables.ts";
import { NaiveTable } from "./naive-table.ts";

/** `kind` has seven values, one of them in most rows; `size` ties in pairs, and is NULL in some rows. */
const rows: readonly JsonRow[] = Array.from({ length: 300 }, (_, at) => ({
  id: at * 2 + (at > 150 ? 1 : 0),
  code: `c${(at * 7) % 300}`,
  kind: at % 10 < 6 ? "most" : `${at % 10 < 9 ? "k" : "z"}${at % 10}`,
  size: at % 50 === 0 ? null : Math.floor(at / 2) / 4,
  mixed: [at, `${at}`, at % 3 === 0, null, "x", 1][at % 6] ?? null,
  doc: { at: at % 9 },
}));

const { schema } = table("things", [
  "id INTEGER",
  column("code", "TEXT", { unique: true, collate: "NOCASE" }),
  "kind TEXT",
  "size REAL",
  "mixed ANY",
  "doc JSON",
]);

function open(): MemoryTable {
  return memoryTable(Database.load([{ schema, rows }]), "things");
}

function by(...names: readonly string[]): Sort {
  const keys = names.map((name) => ({
    column: name.replace("-", ""),
    descending: name.startsWith("-"),
  }));
  return { by: keys };
}

function where(...texts: readonly string[]): readonly Condition[] {
  return texts.map((text): Condition => {
    const [name = "", operator, value = ""] = text.split(" ");
    switch (operator) {
      case "in":
        return { column: name, operator, values: value.split(",") };
      case "eq":
      case "ne":
      case "gt":
      case "gte":
      case "lt":
      case "lte":
      case "like":
        return { column: name, operator, value };
      default:
        throw new Error(`There is no operator in ${text}.`);
    }
  });
}

const conditions: readonly (readonly Condition[])[] = [
  [],
  where("id eq 20"),
  where("id eq 303"),
  where("id eq 301"),
  where("id eq 20", "kind eq most"),
  where("id eq 20", "kind eq k7"),
  where("id in 40,20,301,20,x,303"),
  where("id in 40,20", "id gt 30"),
  where("id gt 100", "id lte 140"),
  where("id gte 101", "id lt 303"),
  where("id gt 301"),
  where("id lt -1"),
  where("id gt text"),
  where("id lt text"),
  where("id gt 140", "id lt 100"),
  where("code eq C14"),
  where("code eq c14x"),
  where("code in C14,c7,nothing"),
  where("code gt c50", "code lt C60"),
  where("code gte c50", "code lte c59"),
  where("kind eq most"),
  where("kind eq k7"),
  where("kind in k7,most,z9"),
  where("kind in k7,k7"),
  where("kind gt k7"),
  where("kind lte k7", "size gt 5"),
  where("kind ne most", "size lt 25"),
  where("kind ne most", "kind ne k6", "kind ne k7", "kind ne k8"),
  where("size eq 10"),
  where("size gt 5", "size gt 10", "size lt 15"),
  where("size lt 5"),
  where("size gte 5"),
  where("mixed eq 25"),
  where("mixed in 25,x,true"),
  where("mixed eq true"),
  where("kind ne most", "size lt 25", "code like c1%"),
  where("mixed gt 30"),
  where('doc eq {"at":5}'),
  where("code like c1%"),
];

const sorts: readonly (readonly [title: string, sort: Sort | undefined])[] = [
  ["nothing", undefined],
  ["descending row ids", { by: [], rowIdDescending: true }],
  ["id", by("id")],
  ["-id", by("-id")],
  ["kind", by("kind")],
  ["-kind", by("-kind")],
  ["kind, ties by descending row ids", { ...by("kind"), rowIdDescending: true }],
  ["-kind, ties by descending row ids", { ...by("-kind"), rowIdDescending: true }],
  ["-size", by("-size")],
  ["size and -code", by("size", "-code")],
  ["-kind, size and code", by("-kind", "size", "code")],
  ["code", by("code")],
  ["mixed", by("mixed")],
  ["-id and kind", by("-id", "kind")],
];

const windows: readonly Partial<Query>[] = [
  {},
  { limit: 5 },
  { offset: 3, limit: 4 },
  { offset: 190, limit: 40 },
  { offset: 2 },
  { limit: 0 },
];

test.each(sorts)("gives the rows of a scan for any conditions, sorted by %s", (title, sort) => {
  const things = open();
  const naive = new NaiveTable(schema, rows);
  const place = sorts.findIndex(([name]) => name === title);
  for (const [at, conditioned] of conditions.entries()) {
    // Each sort has each window with other conditions.
    const window = windows[(at + place) % windows.length];
    const query = { where: conditioned, sort, ...window };
    const ids = things.select(query).map(({ id }) => id);
    expect([query, ids]).toEqual([query, naive.select(query).map(({ id }) => id)]);
  }
});

test("gives the same rows before any index is there", () => {
  const naive = new NaiveTable(schema, rows);
  for (const conditioned of conditions) {
    const query = { where: conditioned, sort: by("-kind"), limit: 7 };
    expect(open().select(query)).toEqual(naive.select(query));
  }
});

test("finds what was written after an index was made", () => {
  const things = open();
  const queries = [
    { where: where("kind eq k7") },
    { where: where("size gte 37"), sort: by("-size") },
    { where: [], sort: by("kind"), limit: 3 },
  ];
  for (const query of queries) things.select(query);
  const changed: JsonRow[] = rows.filter(({ id }) => id !== 14).map((row) => ({ ...row }));
  things.delete([14]);
  things.update([20], { kind: "k7", size: 37 });
  things.insert({ id: 9, kind: "a", size: 37.5 });
  for (const row of changed) if (row["id"] === 20) Object.assign(row, { kind: "k7", size: 37 });
  const added = { id: 9, code: null, kind: "a", size: 37.5, mixed: null, doc: null };
  const naive = new NaiveTable(
    schema,
    [...changed, added].toSorted((left, right) => Number(left["id"]) - Number(right["id"])),
  );
  for (const query of queries) expect(things.select(query)).toEqual(naive.select(query));
});

test("sorts by another collation than the column's where that is asked for", () => {
  const letters = Array.from({ length: 200 }, (_, at) => ({ id: at, word: "bAaB"[at % 4] ?? "" }));
  const words = table("words", ["id INTEGER", column("word", "TEXT", { collate: "NOCASE" })], {
    rows: letters,
  });
  const from = memoryTable(Database.load([words]), "words");
  const sorted = (collate?: "BINARY" | "NOCASE"): readonly unknown[] => {
    const key = { column: "word", descending: false, ...(collate && { collate }) };
    const query = { where: [], sort: { by: [key] }, offset: 98, limit: 4 };
    return from.select(query).map(({ word }) => word);
  };
  const folded = ["A", "a", "b", "B"];
  expect([sorted(), sorted("NOCASE")]).toEqual([folded, folded]);
  expect(sorted("BINARY")).toEqual(["B", "B", "a", "a"]);
});

test("keeps the first rows of many, and puts them in order", () => {
  const many = Array.from({ length: 3_000 }, (_, at) => ({ id: at, n: (at * 7_919) % 3_001 }));
  const contents = table("many", ["id INTEGER", "n INTEGER", "m INTEGER"], { rows: many });
  const from = memoryTable(Database.load([contents]), "many");
  const sorted = many.map(({ n }) => n).toSorted((left, right) => left - right);
  for (const end of [1, 10, 1_000, 1_001, 3_000]) {
    const query = { where: [], sort: by("m", "n"), offset: end - 1, limit: 1 };
    expect(from.select(query).map(({ n }) => n)).toEqual(sorted.slice(end - 1, end));
    expect(from.explain(query).order).toEqual(end < many.length ? { first: end } : "sorted");
  }
});
