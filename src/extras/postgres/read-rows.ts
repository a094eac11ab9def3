import { SortedIndex, indexOf } from "../../core/store/sorted-index.ts";
import type { TableLayout } from "../../core/store/table-layout.ts";
import { TableState, rowsTree } from "../../core/store/table-state.ts";
import type { Row, RowId } from "../../core/store/value.ts";
import { type PgSession, type Head, ownTables } from "./connection.ts";
import { type StoredTable, hiddenColumns, readRowId, storedRowOf } from "./stored-table.ts";
import { sql } from "kysely";

/** The tables that have changed, and how many rows. */
export interface ChangedTables {
  /** The current states of the tables that have changed. */
  readonly states: ReadonlyMap<string, TableState>;
  /** The number of changed rows. Infinity if whole tables were read, since that does not count them. */
  readonly changes: number;
}

/** Reads the current tables, given those of an earlier version. */
export async function readTables(
  session: PgSession,
  known: ReadonlyMap<StoredTable, TableState>,
  moments: Moments,
): Promise<ChangedTables> {
  const names = new Set(Array.from(known.keys(), ({ name }) => name));
  const changed = await changedSince(session, names, moments);
  const states = new Map<string, TableState>();
  for (const [table, before] of known) {
    const ids = changed === undefined ? "all" : changed.get(table.name);
    if (ids !== undefined) states.set(table.name, await readTable(session, table, { before, ids }));
  }
  const counts = [...(changed?.values() ?? ["all"])].map((ids) =>
    ids === "all" ? Infinity : ids.size,
  );
  return { states, changes: counts.reduce((sum, count) => sum + count, 0) };
}

async function readTable(
  session: PgSession,
  table: StoredTable,
  { before, ids }: { readonly before: TableState; readonly ids: ChangedRows },
): Promise<TableState> {
  const rows = await readRows(session, table, ids);
  const state = ids === "all" ? stateOf(before.layout, rows) : before.fork();
  for (const id of ids === "all" ? [] : ids) {
    const old = state.row(id);
    const row = rows.get(id);
    if (old === undefined && row === undefined) continue;
    state.commit({
      before: old === undefined ? undefined : { id, row: old },
      after: row === undefined ? undefined : { id, row },
    });
  }
  if (!table.keepsLargestId) return state;
  const declared = await session
    .selectFrom(ownTables.tables)
    .select("largest_id")
    .where("name", "=", table.name)
    .executeTakeFirst();
  const largest = declared?.largest_id ?? null;
  const largestId = largest === null ? undefined : readRowId(largest);
  return new TableState({ ...partsOf(state), largestId });
}

/** Rows in the order of their ids, with the same layout object, which knows the indexes that queries need. */
function stateOf(layout: TableLayout, found: ReadonlyMap<RowId, Row>): TableState {
  const keys = [...found.keys()];
  const rows = rowsTree({ keys, values: [...found.values()] });
  const uniques = layout.uniqueKeys.map((key) => indexOf({ ...key, isUnique: false }, rows));
  return new TableState({ layout, rows, uniques, others: [], largestId: keys.at(-1) });
}

/**
 * A copy of the state whose indexes expect several rows even under a unique key, since other programs may break
 * Backlot's rules.
 */
export function withRepeatedKeys(state: TableState): TableState {
  if (state.uniques.every(({ definition }) => definition.isUnique !== true)) return state;
  const uniques = state.uniques.map(
    ({ definition, entries }) => new SortedIndex({ ...definition, isUnique: false }, entries),
  );
  return new TableState({ ...partsOf(state), uniques });
}

function partsOf({
  layout,
  rows,
  uniques,
  largestId,
}: TableState): ConstructorParameters<typeof TableState>[0] {
  return { layout, rows, uniques, others: [], largestId };
}

async function readRows(
  session: PgSession,
  table: StoredTable,
  ids: ChangedRows,
): Promise<ReadonlyMap<RowId, Row>> {
  const columns = [table.idColumn, ...table.columns.map(({ name }) => name), hiddenColumns.exact];
  // Columns are named by position, since one may be named `__proto__`.
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
    const { id, row } = storedRowOf(
      table,
      places.map((place) => cells[place] ?? null),
    );
    rows.set(id, row);
  }
  return rows;
}

/** The ids of a table's changed rows, or "all" if the whole table must be read. */
type ChangedRows = ReadonlySet<RowId> | "all";

/** The most changed rows that are read one by one. With more, it is faster to read whole tables. */
const mostRows = 10_000;

/** The versions between which changes are read. */
interface Moments {
  /** The version from which changes are read. Undefined: from the beginning. */
  readonly since: Head | undefined;
  readonly head: Head;
}

/** The changed rows by table. Undefined: any rows may have changed. */
async function changedSince(
  session: PgSession,
  names: ReadonlySet<string>,
  { since, head }: Moments,
): Promise<ReadonlyMap<string, ChangedRows> | undefined> {
  if (since?.id !== head.id) return undefined;
  if (since.version > head.version || since.version < head.oldest - 1) return undefined;
  const rows = await session
    .selectFrom(ownTables.changes)
    .select(["table_name", "row_id"])
    .distinct()
    .where("version", ">", String(since.version))
    .where("version", "<=", String(head.version))
    .limit(mostRows + 1)
    .execute();
  // A renamed table counts as deleted, which only reading it shows.
  if (rows.length > mostRows || rows.some((row) => !names.has(row["table_name"] ?? "")))
    return undefined;
  const changed = new Map<string, Set<RowId> | "all">();
  for (const { table_name: name, row_id: id } of rows) {
    const ids = changed.get(name ?? "") ?? new Set<RowId>();
    if (ids === "all") continue;
    changed.set(name ?? "", id === null || id === undefined ? "all" : ids.add(readRowId(id)));
  }
  return changed;
}
