import { expect, test } from "vitest";
import { type Row, type RowId, compareRowIds } from "../../../src/core/store/value.ts";
import { rowsTree, rowWithId } from "../../../src/core/store/table-state.ts";

function range(from: number, to: number, step = 1): number[] {
  return Array.from({ length: Math.ceil((to - from) / step) }, (_, at) => from + at * step);
}

const far = range(0, 300).map((at) => 2n ** 60n + 1n + BigInt(2 * at));

/** Ids as tables have them: side by side, apart, in runs, with some that no double is exact for. */
const lists: readonly (readonly [string, readonly RowId[]])[] = [
  ["none", []],
  ["one", [7]],
  ["without gaps", range(0, 1_000)],
  ["without gaps from a negative one", range(-500, 500)],
  ["with gaps of the same size", range(3, 3_000, 3)],
  ["with a gap in the middle", [...range(0, 400), ...range(500, 900)]],
  ["in runs of many sizes", range(0, 12).flatMap((at) => range(at * 300, at * 300 + at * 20 + 1))],
  ["growing apart", range(1, 600).map((at) => at * at)],
  ["growing together", range(1, 600).map((at) => 400_000 - (600 - at) ** 2)],
  ["of many digits", far],
  ["of few and of many digits", [...range(0, 300), ...far]],
];

function asked(ids: readonly RowId[]): readonly RowId[] {
  const near = ids.flatMap((id): readonly RowId[] =>
    typeof id === "bigint" ? [id, id + 1n, id - 1n] : [id, id + 1, id - 1, id + 0.5],
  );
  return [...near, -1e9, 1e9, -(2n ** 61n), 2n ** 61n];
}

test.each(lists)("finds each row by its id, and none by another: ids %s", (_, ids) => {
  const rows = ids.map((id): Row => ({ is: String(id) }));
  const tree = rowsTree({ keys: ids, values: rows });
  const there = new Set(ids.map(String));
  const wrong = asked(ids).filter((id) => {
    const found = rowWithId(tree, id)?.["is"];
    return found !== (there.has(String(id)) ? String(id) : undefined);
  });
  expect(wrong).toEqual([]);
});

test.each(lists)("ranks ids as a sorted list does: ids %s", (_, ids) => {
  const tree = rowsTree({ keys: ids, values: ids.map((id): Row => ({ is: String(id) })) });
  const wrong = asked(ids.slice(0, 300)).filter((id) => {
    const before = ids.filter((one) => compareRowIds(one, id) < 0).length;
    return tree.rank(id, {}) !== before;
  });
  expect(wrong).toEqual([]);
});

test("takes a number and a bigint of the same value for the same id", () => {
  const tree = rowsTree({ keys: [1, 2n ** 53n], values: [{ is: "one" }, { is: "many" }] });
  expect([rowWithId(tree, 1n)?.["is"], rowWithId(tree, 2 ** 53)?.["is"]]).toEqual(["one", "many"]);
});
