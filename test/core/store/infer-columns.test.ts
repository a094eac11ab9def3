import { expect, test } from "vitest";
import { inferColumns, plainColumn, schemaFromRow } from "../../../src/core/store/schema.ts";

test.each([
  [[1, 2], "INTEGER"],
  [[1, 2.5], "REAL"],
  [[2.5, 1], "REAL"],
  [[2 ** 60], "REAL"],
  [["a", "b"], "TEXT"],
  [[true, false], "BOOLEAN"],
  [[[1], { a: 1 }], "JSON"],
  [[1, "a"], "ANY"],
  [["a", 1], "ANY"],
  [[1.5, true], "ANY"],
  [[1, 2.5, "a"], "ANY"],
  [[[1], "a"], "ANY"],
  [["a", { a: 1 }], "ANY"],
  [["a", 1, "a"], "ANY"],
  [[null, 1], "INTEGER"],
  [[1, null, 2], "INTEGER"],
  [["a", undefined], "TEXT"],
  [[undefined, 1.5, null], "REAL"],
  [[null, undefined], "ANY"],
])("takes a column with the values %j for %s", (values, type) => {
  expect(inferColumns(values.map((v) => ({ v })))).toEqual([plainColumn("v", type)]);
});

test("has columns in the order in which rows name them first, with nothing asked of them", () => {
  const columns = inferColumns([{ b: 1 }, { c: "x", a: null }, { a: 1, b: 2 }]);
  expect(columns.map(({ name, type }) => [name, type])).toEqual([
    ["b", "INTEGER"],
    ["c", "TEXT"],
    ["a", "INTEGER"],
  ]);
  expect(columns[0]).toEqual({
    name: "b",
    type: "INTEGER",
    notNull: false,
    unique: false,
    default: undefined,
    references: undefined,
    collate: "BINARY",
  });
});

test("takes id for the primary key of a table that is known by a row", () => {
  const none = { name: "t", columns: [], primaryKey: [] };
  const withId = schemaFromRow(none, { name: "a", id: "x" });
  expect(withId).toEqual({
    name: "t",
    columns: [plainColumn("name", "TEXT"), plainColumn("id", "TEXT")],
    primaryKey: ["id"],
  });
  expect(schemaFromRow(none, { name: "a" })).toEqual({
    name: "t",
    columns: [plainColumn("id", "INTEGER"), plainColumn("name", "TEXT")],
    primaryKey: ["id"],
  });
});
