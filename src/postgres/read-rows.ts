import { sql } from "kysely";
import type { RowId } from "../store/row-id.ts";
import type { Row } from "../store/row.ts";
import { SortedIndex } from "../store/sorted-index.ts";
import { rowsTree, TableState } from "../store/table-state.ts";
import type { TableLayout } from "../store/table-layout.ts";
import type { Session } from "./connection.ts";
import { type Head, ownTables } from "./own-tables.ts";
import { hiddenColumns, readRowId, rowOf, type StoredTable } from "./stored-table.ts";

/** Which rows of a table changed; "all": no need to ask which. */
type ChangedRows = ReadonlySet<RowId> | "all";

/** With more it is quicker to read the whole table. */
const mostRows = 10_000;

/** With more in all tables they are not even looked at. */
const mostChanges = 50_000;

/** What was read. */
export interface ReadRows {
  readonly states: ReadonlyMap<string, TableState>;
  /** Whether so much had changed that it was not worth while to know what. */
  readonly isMuch: boolean;
}

/** The tables as they are now, given as they were at another version. A head of undefined: nothing is known of them. */
export async function readTables(
  session: Session,
  known: ReadonlyMap<StoredTable, TableState>,
  { since, head }: { readonly since: Head | undefined; readonly head: Head },
): Promise<ReadRows> {
  const isKept =
    since?.id === head.id && since.version <= head.version && since.version >= head.oldest - 1;
  let changed = isKept ? await changedSince(session, since, head) : undefined;
  const states = new Map<string, TableState>();
  const names = new Set([...known.keys()].map(({ name }) => name));
  // A table that has another name now is one that is gone, which only reading it tells.
  if ([...(changed?.keys() ?? [])].some((name) => !names.has(name))) changed = undefined;
  for (const [table, before] of known) {
    const ids = changed === undefined ? "all" : changed.get(table.name);
    if (ids === undefined) continue;
    states.set(table.name, await readTable(session, table, { before, ids }));
  }
  const sizes = [...(changed?.values() ?? [])].map((ids) => (ids === "all" ? mostRows : ids.size));
  return { states, isMuch: isKept && (changed === undefined || sizes.some(isLarge)) };
}

function isLarge(size: number): boolean {
  return size >= mostRows;
}

/** Undefined: too many to tell. */
async function changedSince(
  session: Session,
  since: Head,
  head: Head,
): Promise<ReadonlyMap<string, ChangedRows> | undefined> {
  const rows = await session
    .selectFrom(ownTables.changes)
    .select(["table_name", "row_id"])
    .distinct()
    .where("version", ">", String(since.version))
    .where("version", "<=", String(head.version))
    .limit(mostChanges + 1)
    .execute();
  if (rows.length > mostChanges) return undefined;
  const changed = new Map<string, Set<RowId> | "all">();
  for (const { table_name: name, row_id: id } of rows) {
    const ids = changed.get(name ?? "") ?? new Set<RowId>();
    if (ids === "all") continue;
    if (id === null || id === undefined || ids.size >= mostRows) changed.set(name ?? "", "all");
    else changed.set(name ?? "", ids.add(readRowId(id)));
  }
  return changed;
}

async function readTable(
  session: Session,
  table: StoredTable,
  { before, ids }: { readonly before: TableState; readonly ids: ChangedRows },
): Promise<TableState> {
  const rows = await readRows(session, table, ids);
  const state = ids === "all" ? emptyAgain(before.layout) : before.fork();
  const changed = ids === "all" ? rows.keys() : ids;
  let isRepeated = false;
  for (const id of changed) {
    const old = state.row(id);
    const row = rows.get(id);
    if (old === undefined && row === undefined) continue;
    state.commit({
      before: old === undefined ? undefined : { id, row: old },
      after: row === undefined ? undefined : { id, row },
    });
    if (row !== undefined) isRepeated ||= repeatsKey(state, id, row);
  }
  const read = isRepeated ? withRepeatedKeys(state) : state;
  return table.keepsLargestId ? withLargestId(read, await largestIdOf(session, table)) : read;
}

/** Whether another row has a key that may occur once only: no other program is bound to Backlot's rules. */
function repeatsKey({ uniques }: TableState, id: RowId, row: Row): boolean {
  return uniques.some((index) => {
    const key = index.keyOf(row);
    return key !== null && index.otherThan(key, id) !== undefined;
  });
}

/** The same, with indexes that look for several rows under each key. */
function withRepeatedKeys({ layout, rows, uniques, largestId }: TableState): TableState {
  const all = uniques.map(
    ({ definition, entries }) => new SortedIndex({ ...definition, isUnique: false }, entries),
  );
  return new TableState({ layout, rows, uniques: all, others: [], largestId });
}

/** Without rows, and with the very layout, which knows of the indexes that queries want. */
function emptyAgain(layout: TableLayout): TableState {
  return new TableState({
    layout,
    rows: rowsTree({ keys: [], values: [] }),
    uniques: layout.uniqueKeys.map((key) => new SortedIndex(key)),
    others: [],
    largestId: undefined,
  });
}

function withLargestId(state: TableState, largestId: RowId | undefined): TableState {
  const { layout, rows, uniques } = state;
  return new TableState({ layout, rows, uniques, others: [], largestId });
}

async function largestIdOf(session: Session, { name }: StoredTable): Promise<RowId | undefined> {
  const row = await session
    .selectFrom(ownTables.tables)
    .select("largest_id")
    .where("name", "=", name)
    .executeTakeFirst();
  const id = row?.largest_id ?? null;
  return id === null ? undefined : readRowId(id);
}

async function readRows(
  session: Session,
  table: StoredTable,
  ids: ChangedRows,
): Promise<ReadonlyMap<RowId, Row>> {
  const columns = [table.idColumn, ...table.columns.map(({ name }) => name), hiddenColumns.exact];
  // By their places: a column may be named `__proto__`.
  const places = columns.map((_, at) => `c${at}`);
  const query = session
    .selectFrom(table.name)
    .select(columns.map((name, at) => sql<string | null>`${sql.id(name)}`.as(`c${at}`)))
    .$castTo<Readonly<Record<string, string | null>>>();
  const found = await (ids === "all"
    ? query.orderBy(sql.id(table.idColumn)).execute()
    : query.where(sql.id(table.idColumn), "in", [...ids].map(String)).execute());
  const rows = new Map<RowId, Row>();
  for (const cells of found) {
    const { id, row } = rowOf(
      table,
      places.map((place) => cells[place] ?? null),
    );
    rows.set(id, row);
  }
  return rows;
}
