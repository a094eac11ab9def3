import fc from "fast-check";
import { expect, test } from "vitest";
import type { Condition } from "../../../src/core/store/operators.ts";
import type { Query, Table, WriteResult } from "../../../src/core/store/table.ts";
import { ExactInteger, type GivenRow, type Value } from "../../../src/core/store/value.ts";
import { type OpenTable, tableKinds } from "../../support/table-kinds.ts";
import { column, table } from "../../support/tables.ts";
import { tries } from "../../support/tries.ts";

const columns = [
  "id INTEGER",
  column("n", "INTEGER"),
  column("r", "REAL", { default: 0.5 }),
  column("t", "TEXT", { collate: "NOCASE" }),
  column("u", "TEXT", { unique: true }),
  column("b", "BOOLEAN", { notNull: true, default: true }),
  column("d", "NUMERIC"),
  column("j", "JSON"),
  column("a", "ANY"),
] as const;

/** The same columns with and without a key that is the row id. */
const schemas = [
  table("rows", columns),
  table("rows", columns, { primaryKey: ["t"] }),
  table("rows", columns, { primaryKey: ["n", "t"] }),
  table("rows", columns, { primaryKey: [] }),
];

const numbers = fc.constantFrom(0, 1, 2, 3, -1, 1.5, 1e15, 2 ** 53, 1e300);
const texts = fc.constantFrom(
  "",
  "a",
  "A",
  "b",
  "é",
  "1",
  "1.0",
  "10",
  "true",
  "\u{1f600}",
  "\uffff",
);
const documents = fc.jsonValue({ maxDepth: 2 });
const anything = fc.oneof(numbers, texts, fc.boolean(), fc.constant(null), documents);
const keyPart = fc.constantFrom<Value>(1, 2, 3, "a", "A", "b", "", null);

/** What a column takes, and sometimes what it does not take, or NULL. */
function mostly(fitting: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 20, arbitrary: fitting },
    { weight: 1, arbitrary: anything },
    { weight: 2, arbitrary: fc.constant(null) },
  );
}

const fittingNames: fc.Arbitrary<GivenRow> = fc.record(
  {
    id: mostly(fc.nat(40)),
    n: mostly(fc.constantFrom<unknown>(1, 2, 3, 2 ** 53, new ExactInteger(2n ** 53n + 1n))),
    r: mostly(numbers),
    t: mostly(texts),
    u: mostly(fc.string()),
    b: mostly(fc.constantFrom(true, false, 0, 1)),
    d: mostly(fc.oneof(numbers, texts)),
    j: anything,
    a: anything,
  },
  { requiredKeys: [] },
);
/** Now and then a column that does not exist. */
const given: fc.Arbitrary<GivenRow> = fc.oneof<fc.WeightedArbitrary<GivenRow>[]>(
  { weight: 9, arbitrary: fittingNames },
  { weight: 1, arbitrary: fc.constant({ n: 1, x: 1 }) },
);
const key = fc.array<Value>(keyPart, { minLength: 1, maxLength: 2 });

const names = fc.constantFrom("id", "n", "r", "t", "u", "b", "d", "j", "a");
const operand = fc.oneof(
  fc.constant("9007199254740993"),
  texts,
  numbers.map(String),
  fc.constantFrom("[]", '"a"', "false", "a%", "_", "%"),
);
const condition: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({
    column: names,
    operator: fc.constantFrom("eq", "ne", "gt", "gte", "lt", "lte", "like"),
    value: operand,
  }),
  fc.record({
    column: names,
    operator: fc.constant("in" as const),
    values: fc.array(operand, { maxLength: 4 }),
  }),
);
const query: fc.Arbitrary<Query> = fc.record(
  {
    where: fc.array(condition, { maxLength: 2 }),
    sort: fc.record(
      {
        by: fc.array(fc.record({ column: names, descending: fc.boolean() }), { maxLength: 2 }),
        rowIdDescending: fc.boolean(),
      },
      { requiredKeys: ["by"] },
    ),
    offset: fc.nat(3),
    limit: fc.nat(5),
  },
  { requiredKeys: ["where"] },
);

type Step =
  | { readonly kind: "insert"; readonly given: GivenRow }
  | {
      readonly kind: "update" | "replace";
      readonly key: readonly Value[];
      readonly given: GivenRow;
    }
  | { readonly kind: "delete"; readonly key: readonly Value[] }
  | { readonly kind: "snapshot" }
  | { readonly kind: "restore" };

type Pause = Extract<Step, { readonly kind: "snapshot" | "restore" }>;

const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("insert" as const), given }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constantFrom("update" as const, "replace"), key, given }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("delete" as const), key }) },
  { weight: 1, arbitrary: fc.constantFrom<Pause>({ kind: "snapshot" }, { kind: "restore" }) },
);

/** What a client would learn of a write: the row, or which rules it broke. */
async function outcome(written: WriteResult | Promise<WriteResult>): Promise<unknown> {
  const result = await written;
  if (result.ok) return result.row;
  return result.violations.map(({ kind, columns: at }) => `${kind} ${at.join(",")}`).toSorted();
}

function write(to: Table, made: Exclude<Step, Pause>): unknown {
  switch (made.kind) {
    case "insert":
      return outcome(to.insert(made.given));
    case "delete":
      return outcome(to.delete(made.key));
    default:
      return outcome(to[made.kind](made.key, made.given));
  }
}

async function run(open: OpenTable, steps: readonly Step[]): Promise<readonly unknown[]> {
  let restore = open.snapshot();
  const seen: unknown[] = [];
  for (const made of steps) {
    if (made.kind === "snapshot") restore = open.snapshot();
    else if (made.kind === "restore") await restore();
    else seen.push(await write(open.table, made));
    seen.push(open.table.rows());
  }
  return seen;
}

const compared = tableKinds.filter(
  ({ name }) => name === "memory" || name === "collection with columns",
);

test("a collection with declared columns does what the table of the store does", async () => {
  const property = fc.asyncProperty(
    fc.constantFrom(...schemas),
    fc.array(step, { minLength: 12, maxLength: 40 }),
    fc.array(query, { minLength: 4, maxLength: 8 }),
    async (contents, steps, queries) => {
      const [oracle, tried] = await Promise.all(
        compared.map(async (kind) => {
          const open = await kind.open(contents);
          const written = await run(open, steps);
          return { written, read: queries.map((asked) => open.table.select(asked)) };
        }),
      );
      expect(tried).toEqual(oracle);
    },
  );
  await fc.assert(property, { numRuns: tries(200) });
});
