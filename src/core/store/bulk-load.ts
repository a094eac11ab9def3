import { TableState, rowsTree } from "./table-state.ts";
import { brokenChecks, defaultValue, draftRow, givenRowId } from "./row-draft.ts";
import { rowIdOf, leastGenerated, type TableLayout } from "./table-layout.ts";
import { type GivenRow, type Row, type RowId, compareRowIds } from "./value.ts";
import { compareOrderValues, type OrderValue } from "./order-value.ts";
import { indexOf, type SortedIndex } from "./sorted-index.ts";
import { elementAt } from "./sorted-tree.ts";

/**
 * Fills an empty table with rows that break no rule, in a quarter of the time that single inserts take. Returns the
 * rows in the given order, or undefined when some must be inserted one by one. Rows that are already in stored form are
 * frozen and become the table's own.
 */
export function bulkLoad(
  layout: TableLayout,
  given: readonly GivenRow[],
  now: () => number,
): { readonly state: TableState; readonly rows: readonly Row[] } | undefined {
  const ids: RowId[] = [];
  const rows: Row[] = [];
  const least = leastGenerated(layout);
  let next = 1;
  for (const one of given) {
    const row = adopted(layout, one) ?? drafted(layout, one, { id: next, now });
    const id = row && rowIdIn(layout, row, givenRowId(layout, one) ?? next);
    if (row === undefined || id === undefined) return undefined;
    if (brokenChecks(layout, row).length > 0) return undefined;
    if (ids.length === 0 || next <= id) next = Math.max(id + 1, least);
    ids.push(id);
    rows.push(row);
  }
  const state = filledState(layout, ids, rows);
  return state && { state, rows };
}

/** The given row itself, if it is already in the form in which the table stores rows. */
function adopted(layout: TableLayout, given: GivenRow): Row | undefined {
  const { cells } = layout;
  let at = 0;
  // Every cell of a large file passes here. `Object.keys` or an iterator would double the time.
  for (const name in given) {
    const cell = cells[at++];
    if (name !== cell?.name) return undefined;
    const value = given[name];
    if (value === null ? cell.needsValue : !cell.isStoredAsItIs(value)) return undefined;
  }
  return at === cells.length && isRow(given) ? Object.freeze(given) : undefined;
}

/** Narrows the type only: `adopted` has checked every value. */
function isRow(given: GivenRow): given is Row {
  return Object.getPrototypeOf(given) === Object.prototype;
}

function drafted(
  layout: TableLayout,
  given: GivenRow,
  { id, now }: { readonly id: number; readonly now: () => number },
): Row | undefined {
  const context = { storage: layout.storage, now };
  const { row, violations } = draftRow(layout, given, {
    fallback: (column) => (column.name === layout.rowIdColumn ? id : defaultValue(column, context)),
    generatesRowId: true,
    previous: undefined,
  });
  return violations.length === 0 ? row : undefined;
}

/**
 * The row's id: its integer primary key, or `hidden`. Undefined where a `number` would not hold the next id exactly.
 */
function rowIdIn({ rowIdColumn }: TableLayout, row: Row, hidden: RowId): number | undefined {
  const id = rowIdColumn === undefined ? hidden : rowIdOf(row[rowIdColumn] ?? null);
  return typeof id === "number" && Math.abs(id) < Number.MAX_SAFE_INTEGER ? id : undefined;
}

function isAscending(ids: readonly RowId[]): boolean {
  return ids.every((id, at) => at === 0 || compareRowIds(ids[at - 1] ?? id, id) < 0);
}

/** The state of a table with these rows; undefined when an id or a unique value occurs twice. */
function filledState(
  layout: TableLayout,
  ids: readonly RowId[],
  rows: readonly Row[],
): TableState | undefined {
  if (!isAscending(ids)) {
    const entries = ids.map((id, at) => [id, elementAt(rows, at)] as const);
    entries.sort(([left], [right]) => compareRowIds(left, right));
    const sorted = entries.map(([id]) => id);
    if (!isAscending(sorted)) return undefined;
    return filledState(
      layout,
      sorted,
      entries.map(([, row]) => row),
    );
  }
  const tree = rowsTree({ keys: ids, values: rows });
  const uniques = layout.uniqueKeys.map((key) => indexOf(key, tree));
  if (uniques.some(hasRepeatedKey)) return undefined;
  return new TableState({ layout, rows: tree, uniques, others: [], largestId: ids.at(-1) });
}

function hasRepeatedKey({ entries }: SortedIndex): boolean {
  let previous: OrderValue = null;
  return !entries.visit({ from: 0, to: entries.size }, (key) => {
    if (previous !== null && compareOrderValues(previous, key) === 0) return false;
    previous = key;
    return true;
  });
}
