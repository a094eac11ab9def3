import { useEffect, useRef, useState } from "preact/hooks";
import type { Result } from "../../../core/errors/result.ts";
import type { JournalEntry } from "../../../core/emulator/journal/entry.ts";
import { decodedOrSent } from "../../../core/http/url-parts.ts";
import type { Client } from "../api/client.ts";
import type { Failure } from "../api/failure.ts";
import type { ConsoleSetup, TableEntry } from "../api/setup.ts";
import { useConsole } from "../parts/console-context.ts";
import type { VisibleRows } from "../parts/visible-rows.ts";
import { queryPath, type RowRange, type TableQuery } from "./query.ts";
import { exactRows, isRounded, type TableRow } from "./row.ts";

/** Rows are read in pages of this many. */
const pageRows = 100;

/** Pages that are kept in memory, whatever was scrolled through. */
const keptPages = 50;

/** The wait before a read after the query changed, since typing changes it with each letter. */
const typingMs = 200;

/** A page, and for which state of the table it was read. */
interface Page {
  readonly rows: readonly TableRow[];
  readonly version: number;
}

interface KnownPages {
  readonly path: string;
  /** By number, from 0. */
  readonly pages: ReadonlyMap<number, Page>;
}

/** The rows of a query, as far as they were read. */
export interface KnownRows {
  /** Undefined: not read yet. */
  readonly rowAt: (index: number) => TableRow | undefined;
  /** All that are in memory. */
  readonly rows: () => readonly TableRow[];
  readonly count: number;
  /** Whether there may be more than `count`. */
  readonly isOpen: boolean;
  readonly isLoading: boolean;
  readonly failure: Failure | undefined;
}

/**
 * The rows of a query that can be seen, read page by page. When `version` rises, those in sight are read again; the
 * others when they come into sight.
 */
export function useRows(
  table: TableEntry,
  query: TableQuery,
  { first, last }: VisibleRows,
  version: number,
): KnownRows {
  const { client, setup } = useConsole();
  const path = queryPath(table, query);
  const [known, setKnown] = useState<KnownPages>({ path, pages: new Map() });
  const [failure, setFailure] = useState<Failure>();
  const wanted = useRef(path);
  wanted.current = path;
  const underWay = useRef(new Set<string>());
  const isCurrent = known.path === path;
  const { count, isOpen } = countOf(known.pages, isCurrent && query.filters !== "", table, version);
  const missing: number[] = [];
  const lastPage = Math.floor(Math.min(last, Math.max(0, count - 1)) / pageRows);
  for (let page = Math.floor(first / pageRows); page <= lastPage; page++) {
    if (!isCurrent || known.pages.get(page)?.version !== version) missing.push(page);
  }
  const read = async (page: number): Promise<void> => {
    const mark = `${page} ${version} ${path}`;
    if (underWay.current.has(mark)) return;
    underWay.current.add(mark);
    const range = { limit: pageRows, offset: page * pageRows };
    const answer = await foundRows({ client, setup, table, query, range });
    underWay.current.delete(mark);
    if (wanted.current !== path) return;
    setFailure(answer.ok ? undefined : answer.error);
    if (answer.ok) {
      setKnown((before) => withPage(before, { path, page, version, rows: answer.value }));
    }
  };
  const key = missing.join(" ");
  const readPath = useRef(path);
  useEffect(() => {
    const isTyping = readPath.current !== path;
    const timer = setTimeout(
      () => {
        readPath.current = path;
        for (const page of missing) void read(page);
      },
      isTyping ? typingMs : 0,
    );
    return () => clearTimeout(timer);
  }, [path, key, version]);
  return {
    rowAt: (index) => known.pages.get(Math.floor(index / pageRows))?.rows[index % pageRows],
    rows: () => [...known.pages.values()].flatMap(({ rows }) => rows),
    count,
    isOpen,
    isLoading: missing.length > 0 && failure === undefined,
    failure,
  };
}

/** How many rows there are: the table tells it where all are asked for, else the page that is not full. */
function countOf(
  pages: KnownPages["pages"],
  isFiltered: boolean,
  table: TableEntry,
  version: number,
): Pick<KnownRows, "count" | "isOpen"> {
  let end = 0;
  for (const [number, page] of pages) {
    const isLast = page.rows.length < pageRows && page.version === version;
    if (isLast && (page.rows.length > 0 || number === 0)) {
      return { count: number * pageRows + page.rows.length, isOpen: false };
    }
    end = Math.max(end, number * pageRows + page.rows.length);
  }
  // One more than is known, so that scrolling to it reads on.
  if (isFiltered) return { count: end + 1, isOpen: true };
  return { count: Math.max(table.rows, end), isOpen: false };
}

function withPage(
  before: KnownPages,
  { path, page, ...read }: Page & { readonly path: string; readonly page: number },
): KnownPages {
  const pages = new Map(before.path === path ? before.pages : []);
  // The one read last comes last, so the first is the one to give up.
  pages.delete(page);
  pages.set(page, read);
  for (const number of pages.keys()) {
    if (pages.size <= keptPages) break;
    pages.delete(number);
  }
  return { path, pages };
}

/** What rows are asked for, and of whom. */
export interface RowsAsked {
  readonly client: Client;
  readonly setup: ConsoleSetup;
  readonly table: TableEntry;
  readonly query: TableQuery;
  /** Default: all rows. */
  readonly range?: RowRange;
}

/** The most rows of a table that are all read to get exact numbers. */
const mostRows = 20_000;

/** The rows that a query asks for, by the tables interface. */
export async function foundRows(asked: RowsAsked): Promise<Result<readonly TableRow[], Failure>> {
  const { client, setup, table, query, range } = asked;
  const answer = await client.rows<readonly TableRow[]>(setup, queryPath(table, query, range));
  if (!answer.ok) return answer;
  const isExact = !answer.value.some((row) => Object.values(row).some(isRounded));
  if (isExact || table.rows > mostRows) return answer;
  const stored = await client.control<readonly TableRow[]>(
    `/tables/${encodeURIComponent(table.name)}`,
  );
  return stored.ok ? { ok: true, value: exactRows(answer.value, stored.value) } : answer;
}

/** The time between two reads while others write, in milliseconds. */
const liveMs = 300;

/** Calls `onWrite` after anybody's writes to a table, at most every 300 ms. */
export function useWritesTo(
  table: string,
  entries: readonly JournalEntry[],
  onWrite: () => void,
): void {
  const last = entries.findLast((entry) => isWriteTo(table, entry));
  const lastWrite = last === undefined ? "" : `${last.id} ${last.at}`;
  const seen = useRef(lastWrite);
  const timer = useRef<number | undefined>(undefined);
  const latest = useRef(onWrite);
  latest.current = onWrite;
  useEffect(() => {
    if (seen.current === lastWrite) return;
    seen.current = lastWrite;
    // A timer that runs is left alone: under steady writes one that starts anew would never end.
    timer.current ??= window.setTimeout(() => {
      timer.current = undefined;
      latest.current();
    }, liveMs);
  }, [lastWrite]);
  useEffect(() => () => clearTimeout(timer.current), []);
}

function isWriteTo(
  table: string,
  { interface: asked, method, path, status }: JournalEntry,
): boolean {
  const isWrite = asked === "rest" && method !== "GET" && method !== "HEAD";
  if (!isWrite || status < 200 || status >= 300) return false;
  return decodedOrSent(/\/rest\/([^/]+)/.exec(path)?.[1] ?? "") === table;
}
