import { type TableState, rowsTree } from "../../core/store/table-state.ts";
import { differences } from "../../core/store/tree/differences.ts";
import type { Row, RowId } from "../../core/store/value.ts";
import type { Connection, PgSession } from "./connection.ts";
import { type Head, ownTables } from "./head.ts";
import { type StoredCells, type StoredTable, storedCells } from "./stored-table.ts";
import { sql } from "kysely";

/** PostgreSQL takes 65,535 values in a statement. */
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

/** What a write did to a table. */
export interface TableChange {
  readonly table: StoredTable;
  /** Undefined: nobody could read it, and all of its rows are replaced. */
  readonly before: TableState | undefined;
  readonly after: TableState;
  /** Rows by id; undefined: it is gone. */
  readonly rows: ReadonlyMap<RowId, Row | undefined>;
}

/** All rows of a table by id. */
export function rowsOf(state: TableState): Iterable<readonly [RowId, Row]> {
  const { root } = rowsTree({ keys: [], values: [] });
  return [...differences(root, state.rows.root)].flatMap(([id, row]) =>
    row === undefined ? [] : [[id, row] as const],
  );
}

/** What became of a table; undefined where nothing did. */
export function changeOf(
  table: StoredTable,
  before: TableState,
  after: TableState,
): TableChange | undefined {
  const rows = differences(before.rows.root, after.rows.root);
  const isOtherKey = table.keepsLargestId && before.largestId !== after.largestId;
  return rows.size > 0 || isOtherKey ? { table, before, after, rows } : undefined;
}

/** How many rows changes are about. */
export function countedRows(changes: readonly TableChange[]): number {
  return changes.reduce((sum, { rows }) => sum + rows.size, 0);
}

/** What replaces all rows of a table that nobody could read. */
export function replacementOf(table: StoredTable, after: TableState): TableChange {
  return { table, before: undefined, after, rows: new Map(rowsOf(after)) };
}

/** Makes in PostgreSQL what a write did. */
export async function writeChanges(
  session: PgSession,
  changes: readonly TableChange[],
): Promise<void> {
  for (const change of changes) {
    if (!(await writeUpdate(session, change))) await writeSeveral(session, change);
    await writeLargestId(session, change);
  }
}

/** A row that stays where it is gets new values in the columns that changed alone. Others may have theirs in finer form. */
async function writeUpdate(session: PgSession, change: TableChange): Promise<boolean> {
  const [only, ...others] = change.rows;
  if (only === undefined || others.length > 0) return false;
  const [id, row] = only;
  const { table, before } = change;
  const old = before?.row(id);
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

/** First away with all, so that no two rows have the same key at any moment. */
async function writeSeveral(
  session: PgSession,
  { table, before, rows }: TableChange,
): Promise<void> {
  if (before === undefined) await session.deleteFrom(table.name).execute();
  const gone = [...rows.keys()].filter((id) => before?.row(id) !== undefined);
  for (let start = 0; start < gone.length; start += mostValues) {
    const ids = gone.slice(start, start + mostValues).map(String);
    await session.deleteFrom(table.name).where(sql.id(table.idColumn), "in", ids).execute();
  }
  const added = [...rows].flatMap(([id, row]) => (row === undefined ? [] : [[id, row] as const]));
  await insertStoredRows(session, table, added);
}

async function writeLargestId(
  session: PgSession,
  { table, before, after }: TableChange,
): Promise<void> {
  if (!table.keepsLargestId) return;
  if (before !== undefined && before.largestId === after.largestId) return;
  await setLargestId(session, table, after.largestId);
}

/** Notes the largest key that a table ever had. */
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

/** So many versions of changes are kept, and so many rows; who is further behind reads whole tables. */
const kept = { versions: 10_000, rows: 100_000 };

/** How much more there is before it is worth while to look. */
const slack = { versions: 1_000, rows: 10_000 };

/** Counts changes, and knows when there may be more of them than anybody needs. */
export class ChangeCount {
  /** Nobody knows how many there are at first. */
  #rows: number = slack.rows;

  /** Notes that so many rows changed, whoever did it. */
  add(rows: number): void {
    this.#rows += rows;
  }

  /** Whether it is time to look. It costs nothing to ask. */
  isDue({ version, oldest }: Head): boolean {
    return this.#rows >= slack.rows || version - oldest >= kept.versions + slack.versions;
  }

  /** Old changes are forgotten, or soon will be. */
  reset(): void {
    this.#rows = 0;
  }
}

/** Forgets old changes, where nobody else is doing so, or writes. Gives whether that was so. */
export function pruneBeside(connection: Connection): Promise<boolean> {
  return connection.transaction().execute(async (session) => {
    const free = await session
      .selectFrom(ownTables.state)
      .select("version")
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (free !== undefined) await prune(session, Number(free["version"]));
    return free !== undefined;
  });
}

/** Forgets old changes, in a transaction that keeps all others from writing. */
export async function prune(session: PgSession, version: number): Promise<void> {
  const tooMany = await session
    .selectFrom(ownTables.changes)
    .select("version")
    .orderBy("version", "desc")
    .offset(kept.rows)
    .limit(1)
    .executeTakeFirst();
  const byRows = tooMany === undefined ? 0 : Number(tooMany["version"]) + 1;
  const oldest = String(Math.max(version - kept.versions, byRows));
  await session
    .deleteFrom(ownTables.changes)
    .where("version", "<", sql<string>`${oldest}::bigint`)
    .execute();
  await session
    .updateTable(ownTables.state)
    .set({ oldest: sql<string>`greatest(oldest, ${oldest}::bigint)` })
    .execute();
}
