import { compileConditions } from "../../core/store/filter.ts";
import type { SortKey } from "../../core/store/query.ts";
import type { Condition } from "../../core/store/operators.ts";
import { type ComparisonRules, comparisonRules } from "../../core/store/order-value.ts";
import type { TableSchema } from "../../core/store/schema.ts";
import { affinityFit, sqliteStorage } from "../../core/store/storage-rules.ts";
import type { Table } from "../../core/store/table.ts";
import type { StatementFilter } from "./filters.ts";
import type { Path } from "./row-order/paths.ts";
import { chooseRead } from "./row-order/row-order.ts";
import { plainPrefix } from "./row-order/terms.ts";
import { resolveColumn } from "./row-order/trees.ts";

/** A condition on a column. */
interface Judged {
  readonly condition: Condition;
  readonly isTooLong: boolean;
}

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
  const fixed = new FixedValues(table.schema, where);
  const inRows: Judged[] = [];
  for (const one of judged) {
    const passes = fixed.judge(one.condition);
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
function comparesInRows(table: Table, judged: readonly Judged[], { tree, terms }: Path): boolean {
  const passed: Condition[] = [];
  const found = new Set<Condition>();
  for (const { condition, derived } of terms) {
    if (derived === undefined || derived.replaces !== undefined) found.add(condition);
    if (derived === undefined) passed.push(condition);
    else passed.push({ column: condition.column, operator: "like", value: rangeOf(condition) });
  }
  const isHeld = ({ condition }: Judged): boolean =>
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

/** The value that an equality gives a column. */
interface FixedValue {
  readonly by: Condition;
  readonly text: string;
}

/**
 * The values that a statement's equalities give columns. SQLite substitutes them in all other conditions on those
 * columns, and tests these before it reads any row.
 */
class FixedValues {
  readonly #schema: TableSchema;
  readonly #values = new Map<string, FixedValue>();

  /** The last of several equalities on a column wins. */
  constructor(schema: TableSchema, where: readonly Condition[]) {
    this.#schema = schema;
    for (const by of where) {
      const text = equalText(by);
      if (text !== undefined && this.#rules(by.column).collation === "BINARY") {
        this.#values.set(by.column, { by, text });
      }
    }
  }

  /** The result of a condition that the value alone decides; undefined for others. */
  judge(condition: Condition): boolean | undefined {
    const fixed = this.#values.get(condition.column);
    if (fixed === undefined || fixed.by === condition) return undefined;
    const rules = this.#rules(condition.column);
    const { operator } = condition;
    const isComparison =
      operator !== "like" && (operator !== "in" || equalText(condition) !== undefined);
    if (rules.kind === "NONE" && !isComparison) return undefined;
    const fitting = affinityFit(fixed.text, rules.kind);
    return fitting.ok && compileConditions([condition], rules)(fitting.value);
  }

  #rules(name: string): ComparisonRules {
    const column = this.#schema.columns.find((each) => each.name === name);
    // Any other name means the row id.
    if (column === undefined) return { kind: "INTEGER", collation: "BINARY" };
    return comparisonRules(column, sqliteStorage.kindOf);
  }
}

/** The text of an equality. A list of one value is an equality, too. */
function equalText(condition: Condition): string | undefined {
  switch (condition.operator) {
    case "eq":
      return condition.value;
    case "in":
      return condition.values.length === 1 ? condition.values[0] : undefined;
    default:
      return undefined;
  }
}
