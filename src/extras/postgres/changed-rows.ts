import type { RowId } from "../../core/store/value.ts";
import type { Session } from "./connection.ts";
import { type Head, ownTables } from "./own-tables.ts";
import { readRowId } from "./stored-table.ts";

/** Which rows of a table changed; "all": no need to ask which. */
export type ChangedRows = ReadonlySet<RowId> | "all";

/** With more it is quicker to read the whole table. */
const mostRows = 10_000;

/** With more in all tables they are not even looked at. */
const mostChanges = 50_000;

/** From when to when something is read. */
export interface Moments {
  /** Undefined: from the beginning. */
  readonly since: Head | undefined;
  readonly head: Head;
}

/** Whether it is known which rows changed between two moments. */
export function areChangesKept({ since, head }: Moments): boolean {
  if (since?.id !== head.id) return false;
  return since.version <= head.version && since.version >= head.oldest - 1;
}

/** How many rows changed. Infinity: too many to tell. */
export function countOf(changed: ReadonlyMap<string, ChangedRows> | undefined): number {
  if (changed === undefined) return Infinity;
  return [...changed.values()].reduce((sum, ids) => sum + (ids === "all" ? mostRows : ids.size), 0);
}

/** The rows that changed, of all tables or of one. Undefined: too many to tell. */
export async function changedSince(
  session: Session,
  { since, head }: Moments,
  only?: string,
): Promise<ReadonlyMap<string, ChangedRows> | undefined> {
  const rows = await session
    .selectFrom(ownTables.changes)
    .select(["table_name", "row_id"])
    .distinct()
    .where("version", ">", String(since?.version ?? 0))
    .where("version", "<=", String(head.version))
    .$if(only !== undefined, (query) => query.where("table_name", "=", only ?? ""))
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
