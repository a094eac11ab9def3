import { compileConditions } from "../../core/store/filter.ts";
import { type Condition, operators } from "../../core/store/operators.ts";
import { type ComparisonRules, comparisonRules } from "../../core/store/order-value.ts";
import type { TableSchema } from "../../core/store/schema.ts";
import { affinityFit, sqliteStorage } from "../../core/store/storage-rules.ts";
import type { Table } from "../../core/store/table.ts";
import { integerKey, rowIdColumn } from "./columns.ts";
import type { StatementFilter } from "./filters.ts";
import { uniqueConstraints } from "./indexes.ts";

/** A condition on a column. */
interface Judged {
  readonly condition: Condition;
  readonly isTooLong: boolean;
}

/**
 * Whether a pattern that is too long is compared with anything: SQLite refuses it only then. Before any row come the
 * conditions on columns of which another one says what they have.
 */
export function comparesLongPattern(table: Table, filters: readonly StatementFilter[]): boolean {
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
  return comparesInRows(table, inRows);
}

/**
 * Rows come to the pattern that pass the conditions before it and those that an index answers, and NULL is not
 * compared.
 */
function comparesInRows(table: Table, judged: readonly Judged[]): boolean {
  const position = judged.findIndex(({ isTooLong }) => isTooLong);
  const long = judged[position];
  if (long === undefined) return false;
  const indexed = indexedColumns(table);
  const before = judged
    .map(({ condition }) => condition)
    .filter((one, index) => index < position || (indexed.has(one.column) && isSearch(one)));
  const { column } = long.condition;
  const present: Condition = { column, operator: "like", value: "%" };
  return table.select({ where: [...before, present], limit: 1 }).length > 0;
}

/** Columns by whose order rows can be found. */
function indexedColumns({ schema }: Table): ReadonlySet<string> {
  const first = uniqueConstraints(schema).flatMap((columns) => columns[0] ?? []);
  const rowIds = [integerKey(schema), rowIdColumn(schema)].flatMap((name) => name ?? []);
  const declared = (schema.indexes ?? []).flatMap(({ columns }) => columns[0]?.name ?? []);
  return new Set([...first, ...rowIds, ...declared]);
}

function isSearch({ operator }: Condition): boolean {
  return operators[operator].search !== "none";
}

/** The value that one condition says a column has. */
interface FixedValue {
  readonly by: Condition;
  readonly text: string;
}

/**
 * What the conditions of a statement say that columns have. SQLite puts it in the place of those columns in all
 * other conditions, and judges these before it looks at any row.
 */
class FixedValues {
  readonly #schema: TableSchema;
  readonly #values = new Map<string, FixedValue>();

  /** Of several equalities on a column the last one counts. */
  constructor(schema: TableSchema, where: readonly Condition[]) {
    this.#schema = schema;
    for (const by of where) {
      const text = equalText(by);
      if (text !== undefined && this.#rules(by.column).collation === "BINARY") {
        this.#values.set(by.column, { by, text });
      }
    }
  }

  /** Whether a condition is judged by the value alone, and how that turns out; else undefined. */
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
    // Any other name is that of the row id.
    if (column === undefined) return { kind: "INTEGER", collation: "BINARY" };
    return comparisonRules(column, sqliteStorage.kindOf);
  }
}

/** The text that an equality asks for. A list of one is an equality, too. */
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
