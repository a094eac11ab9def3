import { expect, test } from "vitest";
import { Database } from "../../../src/core/store/database.ts";
import type { Condition } from "../../../src/core/store/operators.ts";
import type { Query } from "../../../src/core/store/query.ts";
import { memoryTable, table } from "../../support/tables.ts";
import { type QueryPlan, planOf } from "./query-plan.ts";

function where(name: string, operator: "eq" | "gt" | "like", value: string): Condition {
  return { column: name, operator, value };
}

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
  return planOf(memoryTable(database, "pairs").state, query);
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
