import type { Result } from "../../../core/errors/result.ts";
import type { Client, Failure, ConsoleSetup, TableEntry } from "../api/client.ts";
import { useConsole, useLoad } from "../parts/use-console.ts";
import type { VisibleRange } from "../parts/visible-range.ts";
import { type AskedRows, queryPath, type RowRange, type TableQuery } from "./query.ts";
import { exactRows, isRounded, type TableRow } from "./row.ts";

/** The rows of a query that have been read. */
export interface KnownRows {
  /** The rows from `offset` on. */
  readonly rows: readonly TableRow[];
  readonly offset: number;
  readonly count: number;
  /** Whether there may be more rows than `count`. */
  readonly isOpen: boolean;
  readonly isLoading: boolean;
  readonly failure: Failure | undefined;
  readonly reload: () => void;
}

/** Rows are read in blocks of this size, one block more than is visible on either side. */
const stepRows = 100;

/** The delay while the user scrolls or types, in milliseconds. */
const waitMs = 60;

/** The visible rows of a query, and some around them. They are read again after any write to the table. */
export function useRows(table: TableEntry, query: TableQuery, visible: VisibleRange): KnownRows {
  const { client, setup, change } = useConsole();
  const offset = Math.max(0, Math.floor(visible.first / stepRows) - 1) * stepRows;
  const limit = (Math.ceil((visible.last + 1) / stepRows) + 1) * stepRows - offset;
  const load = async () => {
    const found = await foundRows({ client, setup, table, query, range: { limit, offset } });
    return found.ok ? { ok: true as const, value: { rows: found.value, offset, limit } } : found;
  };
  const key = `${queryPath({ table, query, range: { limit, offset } }, setup.operators)} ${table.version ?? change}`;
  const { value, ...more } = useLoad(load, key, waitMs);
  const known = value ?? { rows: [], offset: 0, limit: 0 };
  const all = query.filters === "" ? table.rows : undefined;
  return { ...more, ...countOf(known, all), ...known };
}

/** The number of rows that match. `all` is the table's own count, if all rows match. */
function countOf(
  { rows, offset, limit }: RowRange & Pick<KnownRows, "rows">,
  all: number | undefined,
): Pick<KnownRows, "count" | "isOpen"> {
  const end = offset + rows.length;
  const isEnd = rows.length < limit && (rows.length > 0 || offset === 0);
  if (isEnd || all !== undefined)
    return { count: isEnd ? end : Math.max(all ?? 0, end), isOpen: false };
  // One row more than is known, so that scrolling to the end reads the next rows.
  return { count: end + 1, isOpen: true };
}

/** The rows to read, and the client. */
interface RowsAsked extends AskedRows {
  readonly client: Client;
  readonly setup: ConsoleSetup;
  readonly table: TableEntry;
}

/** The most rows of a table that are all read to get exact numbers. */
const mostRows = 20_000;

/** The rows that match a query, read through the tables interface. */
export async function foundRows(asked: RowsAsked): Promise<Result<readonly TableRow[], Failure>> {
  const { client, setup, table } = asked;
  const path = queryPath(asked, setup.operators);
  const answer = await client.rows<readonly TableRow[]>(setup, path);
  if (!answer.ok) return answer;
  const isExact = !answer.value.some((row) => Object.values(row).some(isRounded));
  if (isExact || table.rows > mostRows) return answer;
  const all = `/tables/${encodeURIComponent(table.name)}`;
  const stored = await client.control<readonly TableRow[]>(all);
  return stored.ok ? { ok: true, value: exactRows(answer.value, stored.value) } : answer;
}
