import fc from "fast-check";
import { expect, test } from "vitest";
import type { Row, RowId } from "../../../src/core/store/value.ts";
import { rowsTree, rowWithId } from "../../../src/core/store/table-state.ts";
import { tries } from "../../support/tries.ts";

/** Runs of ids without gaps, with gaps between them, some of which no double is exact for. */
const starts = fc.array(
  fc.oneof(
    fc.integer({ min: -2000, max: 6000 }),
    fc.constantFrom(2n ** 60n + 1n, -(2n ** 60n) - 1n),
  ),
  { minLength: 1, maxLength: 6 },
);
const runs = fc.tuple(starts, fc.integer({ min: 1, max: 400 }), fc.integer({ min: 1, max: 3 }));

function idsOf(from: readonly RowId[], length: number, step: number): RowId[] {
  const ids = from.flatMap((start) =>
    Array.from({ length }, (_, at) =>
      typeof start === "bigint" ? start + BigInt(2 * at * step) : start + at * step,
    ),
  );
  return [...new Set(ids)].toSorted((left, right) => (left < right ? -1 : 1));
}

test("finds each row by its id, and none by another, after any writes", () => {
  const property = fc.property(
    runs,
    fc.array(fc.tuple(fc.boolean(), fc.integer({ min: -2500, max: 7000 })), { maxLength: 300 }),
    ([from, length, step], writes) => {
      const start = idsOf(from, length, step);
      const rows = new Map(
        start.map((id): [RowId, Row] => [id, Object.freeze({ is: String(id) })]),
      );
      const tree = rowsTree({ keys: start, values: [...rows.values()] });
      for (const [isInsert, id] of writes) {
        const row = rows.get(id) ?? { is: String(id) };
        if (isInsert) tree.set(id, row);
        else if (rows.has(id)) tree.delete(id, row);
        if (isInsert) rows.set(id, row);
        else rows.delete(id);
      }
      for (const id of [...start, ...writes.map(([, one]) => one), 0.5, -1e9, 1e9, 2n ** 61n]) {
        expect(rowWithId(tree, id)).toBe(rows.get(id));
      }
    },
  );
  fc.assert(property, { numRuns: tries(150) });
});

test("does not take a first node with a lower id and a gap for one without gaps", () => {
  const start = idsOf([0], 300, 1);
  const tree = rowsTree({ keys: start, values: start.map((id) => ({ id: Number(id) })) });
  tree.set(-1, { id: -1 });
  tree.delete(5, {});
  expect([-1, 0, 4, 5, 6, 299].map((id) => rowWithId(tree, id)?.["id"])).toEqual([
    -1,
    0,
    4,
    undefined,
    6,
    299,
  ]);
});
