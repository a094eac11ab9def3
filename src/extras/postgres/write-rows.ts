import type { DatabaseSnapshot } from "../../core/store/database.ts";
import type { TableState } from "../../core/store/table-state.ts";
import type { Row, RowId } from "../../core/store/value.ts";
import { type Connection, type PgSession, ownTables } from "./connection.ts";
import { type StoredCells, type StoredTable, storedCells } from "./stored-table.ts";
import { sql } from "kysely";

/** The most values in a statement. PostgreSQL takes 65,535. */
const mostValues = 60_000;

/** Adds rows to a table. */
export async function insertStoredRows(
  session: PgSession,
  table: StoredTable,
  rows: Iterable<readonly [RowId, Row]>,
): Promise<void> {
  const size = Math.max(1, Math.floor(mostValues / (table.columns.length + 2)));
  const cells = Array.from(rows, ([id, row]) => storedCells(table, id, row));
  for (let start = 0; start < cells.length; start += size) {
    const some = cells.slice(start, start + size);
    await session.insertInto(table.name).values(some).execute();
  }
}

/** A write's changes to a table. */
export interface TableChange {
  readonly table: StoredTable;
  readonly before: TableState;
  readonly after: TableState;
  /** The changed rows by id. Undefined: the row was deleted. */
  readonly rows: ReadonlyMap<RowId, Row | undefined>;
}

/** All rows of a table by id. */
export function rowsOf(state: TableState): Iterable<readonly [RowId, Row]> {
  const rows: (readonly [RowId, Row])[] = [];
  state.rows.visit({ from: 0, to: state.rows.size }, (id, row) => rows.push([id, row]) > 0);
  return rows;
}

/** The changes between two states of a database. */
export function changesBetween(
  tables: readonly StoredTable[],
  { tables: earlier }: DatabaseSnapshot,
  { tables: later }: DatabaseSnapshot,
): readonly TableChange[] {
  return tables.flatMap((table) => {
    const [before, after] = [earlier.get(table.name), later.get(table.name)];
    if (before === undefined || after === undefined || before === after) return [];
    const rows = after.rows.differencesFrom(before.rows);
    const isOtherKey = table.keepsLargestId && before.largestId !== after.largestId;
    return rows.size > 0 || isOtherKey ? [{ table, before, after, rows }] : [];
  });
}

/** The number of changed rows. */
export function countedRows(changes: readonly TableChange[]): number {
  return changes.reduce((sum, { rows }) => sum + rows.size, 0);
}

/** Writes changes to PostgreSQL. */
export async function writeChanges(
  session: PgSession,
  changes: readonly TableChange[],
): Promise<void> {
  for (const change of changes) {
    if (!(await writeUpdate(session, change))) await writeSeveral(session, change);
    const { table, before, after } = change;
    if (table.keepsLargestId && before.largestId !== after.largestId) {
      await setLargestId(session, table, after.largestId);
    }
  }
}

/** Updates only the changed columns of a row, since other programs may keep more exact values in the rest. */
async function writeUpdate(session: PgSession, change: TableChange): Promise<boolean> {
  const [only, ...others] = change.rows;
  if (only === undefined || others.length > 0) return false;
  const [id, row] = only;
  const { table, before } = change;
  const old = before.row(id);
  if (row === undefined || old === undefined) return false;
  const set = differing(storedCells(table, id, old), storedCells(table, id, row));
  if (Object.keys(set).length === 0) return true;
  await session
    .updateTable(table.name)
    .set(set)
    .where(sql.id(table.idColumn), "=", String(id))
    .execute();
  return true;
}

function differing(old: StoredCells, now: StoredCells): StoredCells {
  const was = new Map(Object.entries(old));
  return Object.fromEntries(Object.entries(now).filter(([name, text]) => was.get(name) !== text));
}

/** Deletes all changed rows before it adds them again, so that no two rows ever have the same key. */
async function writeSeveral(
  session: PgSession,
  { table, before, rows }: TableChange,
): Promise<void> {
  const gone = [...rows.keys()].filter((id) => before.row(id) !== undefined);
  for (let start = 0; start < gone.length; start += mostValues) {
    const ids = gone.slice(start, start + mostValues).map(String);
    await session.deleteFrom(table.name).where(sql.id(table.idColumn), "in", ids).execute();
  }
  const added = [...rows].flatMap(([id, row]) => (row === undefined ? [] : [[id, row] as const]));
  await insertStoredRows(session, table, added);
}

/** Stores the largest key that a table ever had. */
export async function setLargestId(
  session: PgSession,
  { name }: StoredTable,
  id: RowId | undefined,
): Promise<void> {
  await session
    .updateTable(ownTables.tables)
    .set({ largest_id: id === undefined ? null : String(id) })
    .where("name", "=", name)
    .execute();
}

/** The number of changed rows that are kept. A process that has missed more reads whole tables. */
const keptRows = 100_000;

/** Deletes old changes while no other process writes. */
export function deleteOldChanges(connection: Connection): Promise<void> {
  return connection.transaction().execute(async (session) => {
    const last = await session
      .selectFrom(ownTables.changes)
      .select("version")
      .orderBy("version", "desc")
      .offset(keptRows)
      .limit(1)
      .executeTakeFirst();
    if (last === undefined) return;
    const oldest = sql<string>`${String(Number(last["version"]) + 1)}::bigint`;
    await session
      .updateTable(ownTables.state)
      .set({ oldest: sql<string>`greatest(oldest, ${oldest})` })
      .execute();
    await session.deleteFrom(ownTables.changes).where("version", "<", oldest).execute();
  });
}
