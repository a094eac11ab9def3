// SQLite returns rows in the order in which it visits them, in the table or in one of its indexes. SQLite's planner
// estimates the cost of each way to read the rows. The rules of thumb here choose the same way, unless filters on
// several columns of one index, or the width of its columns, decide.

import { type Condition, allowedBy } from "../../core/store/operators.ts";
import type { Collation, TableSchema } from "../../core/store/schema.ts";
import type { Sort, SortKey } from "../../core/store/table.ts";
import { rowIdName } from "../../core/store/table-layout.ts";
import { rowIdColumn } from "./columns.ts";
import { type TableIndex, tableIndexes } from "./indexes.ts";

type Index = TableIndex["columns"];

/**
 * The order of the rows that pass the conditions, ties included. Columns have their names in the schema, or the row
 * id's. An empty list of keys means row id order.
 */
export function rowOrder(
  schema: TableSchema,
  where: readonly Condition[],
  sort: SortKey | undefined,
): Sort {
  const isFixed = (column: string): boolean =>
    where.some((condition) => condition.column === column && isOneValue(condition));
  const asked = sort === undefined || isFixed(sort.column) ? undefined : sort;
  const visited = withTableKey(schema, visitedIndex(schema, where, asked));
  const index = visited.filter(({ name }) => !isFixed(name));
  if (asked === undefined) return visitOrder(schema, index, false);
  if (asked.column === rowIdOf(schema)) return { by: [], rowIdDescending: asked.descending };
  const [first] = index;
  if (first !== undefined && isSortedBy(schema, first, asked)) {
    return visitOrder(schema, index, first.descending !== asked.descending);
  }
  const ties = visitOrder(schema, index, false);
  return { ...ties, by: [asked, ...ties.by] };
}

/** The index that the best filter searches, else the one that gives the order, else the table itself. */
function visitedIndex(
  schema: TableSchema,
  where: readonly Condition[],
  sort: SortKey | undefined,
): Index {
  const searched = bestSearch(schema, where);
  if (searched !== undefined) return searched.index;
  const sorted = newestFirst(schema).find(
    ([first]) => first !== undefined && sort !== undefined && isSortedBy(schema, first, sort),
  );
  return sorted ?? tableOrder(schema);
}

/** How SQLite finds rows without reading all of them. */
export interface Search {
  /** The index that is searched. Empty: the row id. */
  readonly index: Index;
  readonly filter: Condition;
}

/**
 * The search by the filter that narrows it most: `=` more than IN, and IN more than a bound. Of equally good ones, the
 * row id wins, then the newest index. Undefined: no filter is on the row id or the first column of an index.
 */
export function bestSearch(schema: TableSchema, where: readonly Condition[]): Search | undefined {
  const onRowId = where.filter(({ column }) => column === rowIdOf(schema));
  const onIndexes = newestFirst(schema).flatMap((index) =>
    where
      .filter((condition) => isOnFirst(schema, condition, index))
      .map((filter) => ({ index, filter })),
  );
  let best: Search | undefined;
  for (const search of [...onRowId.map((filter) => ({ index: [], filter })), ...onIndexes]) {
    if (worth(search.filter) > (best === undefined ? 0 : worth(best.filter))) best = search;
  }
  return best;
}

/** Whether a condition compares the first column of an index, by the index's collation. */
function isOnFirst(schema: TableSchema, { column }: Condition, [first]: Index): boolean {
  return first?.name === column && first.collate === collationOf(schema, column);
}

/** How much a filter narrows a search, as a rank. 0: not at all. */
function worth(condition: Condition): number {
  const allowed = allowedBy(condition);
  if (allowed === undefined) return 0;
  if (allowed.kind === "range") return 1;
  return allowed.texts.length === 1 ? 3 : 2;
}

function isOneValue(condition: Condition): boolean {
  return worth(condition) === 3;
}

function isSortedBy(
  schema: TableSchema,
  { name, collate }: Index[number],
  { column }: SortKey,
): boolean {
  return name === column && collate === collationOf(schema, column);
}

/** The order of the table itself: by row id or, WITHOUT ROWID, by its key. */
function tableOrder(schema: TableSchema): Index {
  return tableIndexes(schema).find(({ isTable }) => isTable)?.columns ?? [];
}

/** An index, with the key of a table WITHOUT ROWID added, with which the index's entries end. */
function withTableKey(schema: TableSchema, index: Index): Index {
  const isMissing = ({ name }: Index[number]): boolean => index.every((one) => one.name !== name);
  return [...index, ...tableOrder(schema).filter(isMissing)];
}

function newestFirst(schema: TableSchema): readonly Index[] {
  return tableIndexes(schema)
    .toReversed()
    .map(({ columns }) => columns);
}

/** The order of an index, forward or backward. Rows with equal keys are in the order of their row ids. */
function visitOrder(schema: TableSchema, index: Index, isBackward: boolean): Sort {
  const by = index.map(({ name: column, collate, descending }) => {
    const key = { column, descending: descending !== isBackward };
    return collate === collationOf(schema, column) ? key : { ...key, collate };
  });
  return { by, rowIdDescending: isBackward };
}

function rowIdOf(schema: TableSchema): string {
  return rowIdColumn(schema) ?? rowIdName;
}

function collationOf(schema: TableSchema, name: string): Collation {
  return schema.columns.find((column) => column.name === name)?.collate ?? "BINARY";
}
