import { soleOperand } from "./filter.ts";
import { type Direction, withoutFirst } from "./access.ts";
import { type ChosenPlan, planQuery } from "./plan-query.ts";
import type { QueryPlan } from "./query-plan.ts";
import type { Query } from "./query.ts";
import { prepareQuery } from "./prepared-query.ts";
import { FirstRows, type RowSorter, type SortedRow } from "./row-sort.ts";
import { compileTest, rulesOf, type RowTest } from "./row-test.ts";
import type { Row, RowId } from "./value.ts";
import type { TableState } from "./table-state.ts";
import { walk } from "./walk.ts";

/** The rows that a query asks for. The query's columns must exist. */
export function selectRows(state: TableState, query: Query): readonly Row[] {
  const sole = rowsByKey(state, query);
  if (sole !== undefined) return sole;
  const { limit = Infinity } = query;
  const prepared = prepareQuery(state.layout, query);
  const plan = planQuery(state, query, prepared);
  const test = plan.tests.length === 0 ? undefined : compileTest(plan.tests, state.layout);
  if (limit <= 0) return [];
  return plan.direction === undefined
    ? sortedRows(state, { plan, query, test }, prepared.sorter)
    : walkedRows(state, { plan, query, test, direction: plan.direction });
}

/** The row that a query names by its row id and by nothing else, as every GET by key does: that needs no plan. */
function rowsByKey(state: TableState, query: Query): readonly Row[] | undefined {
  const id = soleRowId(state, query);
  if (id === undefined) return undefined;
  const row = state.row(id);
  return row === undefined ? [] : [row];
}

function soleRowId(
  { layout }: TableState,
  { where, offset = 0, limit = 1 }: Query,
): RowId | undefined {
  const [condition, ...others] = where;
  if (condition?.operator !== "eq" || others.length > 0) return undefined;
  const { column, value } = condition;
  if (offset > 0 || limit < 1 || !layout.isRowId(column)) return undefined;
  const id = soleOperand(value, rulesOf(layout, column));
  return typeof id === "number" || typeof id === "bigint" ? id : undefined;
}

/** How {@link selectRows} would find the rows. */
export function explainQuery(state: TableState, query: Query): QueryPlan {
  const id = soleRowId(state, query);
  if (id !== undefined) {
    const candidates = state.row(id) === undefined ? 0 : 1;
    return { access: { by: "row id", search: "equal" }, candidates, tests: [], order: "as found" };
  }
  const { access, tests, direction } = planQuery(state, query, prepareQuery(state.layout, query));
  const end = windowEnd(query);
  const sorts = direction === undefined;
  return {
    access: describeAccess(access),
    candidates: access.count,
    tests,
    order: sorts ? (keepsFirst(access, end) ? { first: end } : "sorted") : "as found",
  };
}

function describeAccess({ by }: ChosenPlan["access"]): QueryPlan["access"] {
  switch (by.kind) {
    case "rows":
      return by.isAll ? { by: "scan" } : { by: "row id", search: "range" };
    case "ids":
      return { by: "row id", search: "equal" };
    case "index":
      return { by: "index", columns: by.index.definition.columns, search: by.search };
  }
}

interface Run {
  readonly plan: ChosenPlan;
  readonly query: Query;
  /** What is still to be tested; undefined when all rows found match. */
  readonly test: RowTest | undefined;
}

function windowEnd({ offset = 0, limit = Infinity }: Query): number {
  return offset + limit;
}

/** Takes the window out of rows that are found in order. */
function walkedRows(
  state: TableState,
  { plan, query, test, direction }: Run & { readonly direction: Direction },
): readonly Row[] {
  const { limit = Infinity } = query;
  const rows: Row[] = [];
  const offset = query.offset ?? 0;
  // Where every row found matches, those before the window need no look.
  const shortened = test === undefined ? withoutFirst(plan.access, offset, direction) : undefined;
  let toSkip = test === undefined ? 0 : offset;
  const take = (row: Row, id: RowId): boolean => {
    if (test !== undefined && !test(row, id)) return true;
    if (toSkip > 0) {
      toSkip--;
      return true;
    }
    rows.push(row);
    return rows.length < limit;
  };
  const passed = test === undefined && shortened === undefined ? offset : 0;
  walk(state, shortened ?? plan.access, { direction, visitor: { offset: passed, take } });
  return rows;
}

/** To keep the first rows in order takes longer than to sort all where there are many of them. */
const mostFirst = 1000;

function keepsFirst({ count }: ChosenPlan["access"], end: number): boolean {
  return end < count && end <= mostFirst;
}

/** Puts the rows that are found in order, or only as many as the window ends with. */
function sortedRows(
  state: TableState,
  { plan, query, test }: Run,
  sorter: RowSorter,
): readonly Row[] {
  const end = windowEnd(query);
  const entries = keepsFirst(plan.access, end)
    ? firstEntries(state, { plan, query, test }, sorter)
    : allEntries(state, { plan, query, test }, sorter);
  return entries.slice(query.offset ?? 0, end).map(({ row }) => row);
}

const asFound: Direction = { descending: false, tiesDescending: false };

function firstEntries(
  state: TableState,
  { plan, query, test }: Run,
  { entry, compare }: RowSorter,
): readonly SortedRow[] {
  const first = new FirstRows(windowEnd(query), compare);
  walk(state, plan.access, {
    direction: asFound,
    visitor: {
      offset: 0,
      take: (row, id) => {
        if (test === undefined || test(row, id)) first.offer(entry(row, id));
        return true;
      },
    },
  });
  return first.rows;
}

function allEntries(
  state: TableState,
  { plan, test }: Run,
  { entry, compare }: RowSorter,
): readonly SortedRow[] {
  const entries: SortedRow[] = [];
  walk(state, plan.access, {
    direction: asFound,
    visitor: {
      offset: 0,
      take: (row, id) => {
        if (test === undefined || test(row, id)) entries.push(entry(row, id));
        return true;
      },
    },
  });
  return entries.toSorted(compare);
}
