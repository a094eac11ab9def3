import { columnKinds } from "./column-kinds.ts";
import { byColumn, equalOrderValues, rulesOf, soleOperand } from "./filter.ts";
import { type Condition, operators } from "./operators.ts";
import { orderKey, type OrderValue } from "./order-value.ts";
import type { Query, Sort, SortKey } from "./query.ts";
import { type RowSorter, rowSorter } from "./row-sort.ts";
import type { IndexDefinition } from "./sorted-index.ts";
import type { TableLayout } from "./table-layout.ts";

/** An end of a range. */
export interface Bound {
  readonly value: OrderValue;
  /** Whether rows with the value itself are wanted. */
  readonly isInside: boolean;
}

/** What the conditions on a column leave of its values. */
export type ColumnReach = (
  | { readonly kind: "points"; readonly values: readonly OrderValue[] }
  | { readonly kind: "range"; readonly low: Bound | undefined; readonly high: Bound | undefined }
) & {
  /** Conditions that hold for all rows in reach. */
  readonly settled: readonly Condition[];
};

/** A column that a query has conditions on. */
export interface ConditionedColumn {
  readonly name: string;
  readonly isRowId: boolean;
  /** Undefined where the conditions leave no range of values. */
  readonly reach: ColumnReach | undefined;
  /** The index that finds rows by it; undefined where none may be made. */
  readonly index: IndexDefinition | undefined;
}

/** What follows from a query and its table's columns alone, whatever the rows. */
export class PreparedQuery {
  readonly layout: TableLayout;
  readonly columns: readonly ConditionedColumn[];
  readonly #sort: Sort;
  #sorter: RowSorter | undefined;

  constructor(layout: TableLayout, { where, sort = unsorted }: Query) {
    this.layout = layout;
    this.columns = conditionedColumns(layout, where);
    this.#sort = sort;
  }

  get sorter(): RowSorter {
    return (this.#sorter ??= rowSorter(this.#sort, this.layout));
  }

  /** The index whose order is the query's; undefined where there can be none. */
  get sortIndex(): IndexDefinition | undefined {
    return sortIndex(this.layout, this.#sort.by);
  }
}

export const unsorted: Sort = { by: [] };

/** A query that is asked again and again: to prepare it takes a third of the time of a page of ten rows. */
export class RepeatedQuery implements Query {
  readonly where: Query["where"];
  readonly sort: Query["sort"];
  readonly offset: Query["offset"];
  readonly limit: Query["limit"];
  #prepared: PreparedQuery | undefined;

  constructor({ where, sort, offset, limit }: Query) {
    this.where = where;
    this.sort = sort;
    this.offset = offset;
    this.limit = limit;
  }

  preparedFor(layout: TableLayout): PreparedQuery {
    // A table that was empty gets its columns with its first row.
    if (this.#prepared?.layout !== layout) this.#prepared = new PreparedQuery(layout, this);
    return this.#prepared;
  }
}

/** Prepares a query for a table with these columns, which must have those that it names. */
export function prepareQuery(layout: TableLayout, query: Query): PreparedQuery {
  return query instanceof RepeatedQuery
    ? query.preparedFor(layout)
    : new PreparedQuery(layout, query);
}

function conditionedColumns(
  layout: TableLayout,
  where: readonly Condition[],
): readonly ConditionedColumn[] {
  return byColumn(where).map((own) => {
    const name = own[0].column;
    return {
      name,
      isRowId: layout.isRowId(name),
      reach: pointsOf(layout, own) ?? rangeOf(layout, own),
      index: indexOver(layout, name),
    };
  });
}

function indexOver(layout: TableLayout, column: string): IndexDefinition | undefined {
  const rules = rulesOf(layout, column);
  if (columnKinds[rules.kind].isDocument) return undefined;
  return { columns: [column], rules: [rules] };
}

function sortIndex(layout: TableLayout, by: readonly SortKey[]): IndexDefinition | undefined {
  const [key, ...others] = by;
  if (key === undefined || others.length > 0 || layout.isRowId(key.column)) return undefined;
  return hasOtherOrder(layout, key) ? undefined : indexOver(layout, key.column);
}

/** Whether a key sorts by another collation than its column's, which is the one of the column's index. */
export function hasOtherOrder(layout: TableLayout, { column, collate }: SortKey): boolean {
  return collate !== undefined && collate !== rulesOf(layout, column).collation;
}

/** The values that equality or a list leaves to a column, each once. */
function pointsOf(layout: TableLayout, own: readonly Condition[]): ColumnReach | undefined {
  const condition = own.find(({ operator }) => operators[operator].search === "equal");
  if (condition === undefined) return undefined;
  return reachOf(condition, "values" in condition ? condition.values : [condition.value], layout);
}

function reachOf(condition: Condition, texts: readonly string[], layout: TableLayout): ColumnReach {
  const rules = rulesOf(layout, condition.column);
  const values: OrderValue[] = [];
  let isExact = true;
  for (const text of texts) {
    const sole = soleOperand(text, rules);
    if (sole === undefined) {
      isExact = false;
      values.push(...equalOrderValues(text, rules));
    } else values.push(sole);
  }
  return { kind: "points", values: distinct(values), settled: isExact ? [condition] : [] };
}

function distinct(values: readonly OrderValue[]): readonly OrderValue[] {
  if (values.length < 2) return values;
  return [...new Map(values.map((value) => [orderKey(value), value])).values()];
}

/** The first bound on each side; what further conditions on the column say is tested row by row. */
function rangeOf(layout: TableLayout, own: readonly Condition[]): ColumnReach | undefined {
  const settled: Condition[] = [];
  const find = (end: "lower" | "upper"): Bound | undefined => {
    for (const condition of own) {
      const rule = operators[condition.operator];
      if (rule.search !== end || !("value" in condition) || !("holds" in rule)) continue;
      const value = soleOperand(condition.value, rulesOf(layout, condition.column));
      if (value === undefined) continue;
      settled.push(condition);
      return { value, isInside: rule.holds(0) };
    }
    return undefined;
  };
  const low = find("lower");
  const high = find("upper");
  return low === undefined && high === undefined
    ? undefined
    : { kind: "range", low, high, settled };
}
