import {
  type Condition,
  type Operator,
  isListOperator,
  isOperator,
  operators,
} from "../../src/core/store/operators.ts";
import type { SortKey } from "../../src/core/store/table.ts";
import type { FuzzQuery } from "./fuzz-case.ts";
import type { FuzzTable } from "./random-schema.ts";
import { dependsOnPlan } from "./known-differences.ts";
import { anyText, patternFor, spellingOf } from "./random-values.ts";
import type { Random } from "./random.ts";
import type { SqlCell } from "./sql-cell.ts";
import { hiddenRowId } from "./sql-text.ts";

interface Context {
  readonly random: Random;
  readonly table: FuzzTable;
  readonly domains: ReadonlyMap<string, readonly SqlCell[]>;
}

export function anyQuery(context: Context): FuzzQuery {
  const { random } = context;
  const conditions = random.weighted([
    [1, 0],
    [7, 1],
    [3, 2],
    [1, 3],
  ]);
  const sort = sortKeys(context);
  const isWindow = random.chance(0.6);
  return {
    where: random.list(conditions, () => anyCondition(context)),
    sort,
    ties: tiesOf(context, sort),
    limit: isWindow ? random.pick([1, 1, 2, 5, 10, 10, 30, 100]) : undefined,
    offset: isWindow && random.chance(0.4) ? random.pick([1, 2, 7, 20, 100, 1000]) : undefined,
  };
}

/** SQLite's plans are known only for tables without indexes. */
function tiesOf({ random, table }: Context, sort: readonly SortKey[]): FuzzQuery["ties"] {
  const isUnplanned = hasIndexes(table);
  if (!isUnplanned && random.chance(0.8)) return "as planned";
  if (isUnplanned && sort.length > 0 && random.chance(0.5)) return "any";
  const canDescend = table.schema.withoutRowId !== true;
  return canDescend && random.chance(0.5) ? "descending" : "ascending";
}

/** Whether SQLite can come to the rows in another order than that of the table. */
export function hasIndexes({ schema }: Pick<FuzzTable, "schema">): boolean {
  const { columns, indexes = [], primaryKey, withoutRowId = false } = schema;
  const [key, ...others] = columns.filter(({ name }) => primaryKey.includes(name));
  const keyIsRowId = key?.type === "INTEGER" && others.length === 0;
  return (
    withoutRowId ||
    indexes.length > 0 ||
    columns.some(({ unique }) => unique) ||
    (key !== undefined && !keyIsRowId)
  );
}

function sortKeys({ random, table }: Context): readonly SortKey[] {
  const count = random.weighted([
    [4, 0],
    [5, 1],
    [2, 2],
  ]);
  const names = random.shuffled(namesOf(random, table)).slice(0, count);
  return names.map((column) => ({ column, descending: random.chance(0.5) }));
}

/** The columns, and sometimes the row id that is none. */
function namesOf(random: Random, { schema }: FuzzTable): readonly string[] {
  const names = schema.columns.map(({ name }) => name);
  const hidden = hiddenRowId(schema);
  return hidden !== undefined && random.chance(0.2) ? [...names, hidden] : names;
}

function anyCondition(context: Context): Condition {
  const { random, table } = context;
  const name = random.pick(namesOf(random, table));
  const column = table.columns.find((one) => one.column.name === name);
  const scope = {
    collate: column?.column.collate,
    isRowId: column === undefined || column.isRowId,
    hasIndexes: hasIndexes(table),
  };
  for (let tries = 0; tries < 20; tries++) {
    const condition = conditionOn(context, name);
    if (!dependsOnPlan(condition, scope)) return condition;
  }
  return { column: name, operator: "eq", value: "1" };
}

/** How often each operator is tried. */
const weights: Readonly<Record<Operator, number>> = {
  eq: 5,
  ne: 1,
  gt: 2,
  gte: 2,
  lt: 2,
  lte: 2,
  in: 3,
  like: 3,
};

function conditionOn(context: Context, column: string): Condition {
  const { random } = context;
  const operator = random.weighted(
    Object.keys(weights)
      .filter(isOperator)
      .map((name) => [weights[name], name] as const),
  );
  if (isListOperator(operator)) {
    const values = random.list(random.int(1, 5), () => operand(context, column));
    return { column, operator, values };
  }
  if (operators[operator].takes === "value") {
    return { column, operator, value: operand(context, column) };
  }
  return { column, operator, value: patternFor(random, cellOfColumn(context, column)) };
}

function operand(context: Context, column: string): string {
  const { random } = context;
  return random.chance(0.9) ? spellingOf(random, cellOfColumn(context, column)) : anyText(random);
}

/** A value of the column; what is no column is the row id. */
function cellOfColumn({ random, domains }: Context, column: string): SqlCell {
  const domain = domains.get(column);
  return domain === undefined || domain.length === 0
    ? BigInt(random.int(0, 300))
    : random.pick(domain);
}
