import { expect, test } from "vitest";
import type { ComparisonRules } from "../../../src/core/store/order-value.ts";
import type { IndexDefinition } from "../../../src/core/store/sorted-index.ts";
import { strictStorage } from "../../../src/core/store/storage-rules.ts";
import { emptyState, type TableState } from "../../../src/core/store/table-state.ts";
import { column, table } from "../../support/tables.ts";

const text: ComparisonRules = { kind: "TEXT", collation: "BINARY" };

function empty(): TableState {
  const { schema } = table("t", [
    "id INTEGER",
    "a TEXT",
    "b TEXT",
    column("u", "TEXT", { unique: true }),
  ]);
  return emptyState(schema, strictStorage);
}

test("has one index over columns that compare alike, and remembers that it is wanted", () => {
  const state = empty();
  const made = state.index({ columns: ["a"], rules: [text] });
  expect(state.index({ columns: ["a"], rules: [{ ...text }] })).toBe(made);
  expect(state.existingIndex({ columns: ["u"], rules: [text] })).toBe(state.uniques[0]);
  state.index({ columns: ["a", "b"], rules: [text, text] });
  expect(state.layout.wantedIndexes.map(({ columns }) => columns)).toEqual([["a"], ["a", "b"]]);
});

test("has the indexes of its table's other states after a fork", () => {
  const first = empty();
  const second = first.fork();
  first.index({ columns: ["a"], rules: [text] });
  expect(second.existingIndex({ columns: ["a"], rules: [text] })).toBeUndefined();
  expect(second.fork().existingIndex({ columns: ["a"], rules: [text] })).toBeDefined();
  expect(first.layout.wantedIndexes).toHaveLength(1);
});

test.each<readonly [string, IndexDefinition]>([
  ["fewer columns", { columns: ["a"], rules: [text] }],
  ["more columns", { columns: ["a", "b", "u"], rules: [text, text, text] }],
  ["other columns", { columns: ["a", "u"], rules: [text, text] }],
  ["another order of columns", { columns: ["b", "a"], rules: [text, text] }],
  ["another kind", { columns: ["a", "b"], rules: [text, { ...text, kind: "NUMERIC" }] }],
  ["another collation", { columns: ["a", "b"], rules: [text, { ...text, collation: "NOCASE" }] }],
  ["values that count as others", { columns: ["a", "b"], rules: [text, text], stored: [] }],
])("does not take an index for one with %s", (_, wanted) => {
  const state = empty();
  state.index({ columns: ["a", "b"], rules: [text, text] });
  expect(state.existingIndex(wanted)).toBeUndefined();
});
