import { compileConditions } from "../../core/store/filter.ts";
import type { SortKey } from "../../core/store/query.ts";
import type { Condition } from "../../core/store/operators.ts";
import { comparisonRules } from "../../core/store/order-value.ts";
import type { TableSchema } from "../../core/store/schema.ts";
import { affinityFit, sqliteStorage } from "../../core/store/storage-rules.ts";
import type { Table } from "../../core/store/table.ts";
import type { StatementFilter } from "./filters.ts";
import type { Path } from "./row-order/paths.ts";
import { chooseRead } from "./row-order/row-order.ts";
import { lastEquality, plainPrefix } from "./row-order/terms.ts";
import { resolveColumn } from "./row-order/trees.ts";

/** A condition on a column. */
type ColumnFilter = Extract<StatementFilter, { kind: "column" }>;

/**
 * Whether SQLite compares a pattern that is too long with any value, NULL included: only then does it refuse the
 * pattern. It tests conditions on columns that an equality fixes before it reads a row.
 */
export function comparesLongPattern(
  table: Table,
  filters: readonly StatementFilter[],
  sort: SortKey | undefined,
): boolean {
  if (!filters.some(({ kind, isTooLong }) => kind === "column" && isTooLong)) return false;
  const judged = filters.flatMap((filter) => (filter.kind === "column" ? [filter] : []));
  const where = judged.map(({ condition }) => condition);
  const inRows: ColumnFilter[] = [];
  for (const one of judged) {
    const passes = judgeFixed(table.schema, where, one.condition);
    if (passes === undefined) inRows.push(one);
    else if (one.isTooLong) return true;
    else if (!passes) return false;
  }
  return comparesInRows(table, inRows, chooseRead(table.schema, where, sort).path);
}

/**
 * A pattern is compared with the rows that the path finds and that pass the conditions before it. Conditions on columns
 * of an index come first, and a range that implies a whole pattern replaces it.
 */
function comparesInRows(
  table: Table,
  judged: readonly ColumnFilter[],
  { tree, terms }: Path,
): boolean {
  const passed: Condition[] = [];
  const found = new Set<Condition>();
  for (const { condition, derived } of terms) {
    if (derived === undefined || derived.replaces !== undefined) found.add(condition);
    if (derived === undefined) passed.push(condition);
    else passed.push({ column: condition.column, operator: "like", value: rangeOf(condition) });
  }
  const isHeld = ({ condition }: ColumnFilter): boolean =>
    !tree.isTable &&
    tree.columns.some(({ name }) => name === resolveColumn(table.schema, condition.column));
  const rest = judged.filter(({ condition }) => !found.has(condition));
  const inOrder = [...rest.filter(isHeld), ...rest.filter((one) => !isHeld(one))];
  const position = inOrder.findIndex(({ isTooLong }) => isTooLong);
  if (position === -1) return false;
  passed.push(...inOrder.slice(0, position).map(({ condition }) => condition));
  return table.select({ where: passed, limit: 1 }).length > 0;
}

/** The pattern for the texts in the range of a pattern's prefix. */
function rangeOf(condition: Condition): string {
  return condition.operator === "like" ? `${plainPrefix(condition.value)}%` : "%";
}

/**
 * The result of a condition that an equality on its column decides alone; undefined for others. SQLite substitutes the
 * value in all other conditions on that column, and tests these before it reads any row.
 */
function judgeFixed(
  schema: TableSchema,
  where: readonly Condition[],
  condition: Condition,
): boolean | undefined {
  const fixed = lastEquality(where, condition.column);
  const column = schema.columns.find(({ name }) => name === condition.column);
  // Any other name means the row id.
  const rules =
    column === undefined
      ? ({ kind: "INTEGER", collation: "BINARY" } as const)
      : comparisonRules(column, sqliteStorage.kindOf);
  if (fixed === undefined || fixed.by === condition || rules.collation !== "BINARY")
    return undefined;
  const { operator } = condition;
  const isComparison = operator !== "like" && (operator !== "in" || condition.values.length === 1);
  if (rules.kind === "NONE" && !isComparison) return undefined;
  const fitting = affinityFit(fixed.text, rules.kind);
  return fitting.ok && compileConditions([condition], rules)(fitting.value);
}
