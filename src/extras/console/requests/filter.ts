import type { JournalEntry } from "../../../core/emulator/journal/entry.ts";
import { consoleHeader } from "../api/client.ts";

/** Which requests are shown. Empty texts match everything. */
export interface RequestFilter {
  readonly interface: "" | "rest" | "chat";
  readonly method: string;
  /** A part of path and query, in any case. */
  readonly path: string;
  /** A status such as `404`, or the first digit of some, such as `4`. `0`: those without an answer. */
  readonly status: string;
  /** Whether the console's own requests are shown too. */
  readonly own: boolean;
}

export const noFilter: RequestFilter = {
  interface: "",
  method: "",
  path: "",
  status: "",
  own: false,
};

/** The entries that match a filter, newest first. */
export function filterRequests(
  entries: readonly JournalEntry[],
  filter: RequestFilter,
): readonly JournalEntry[] {
  const part = filter.path.trim().toLowerCase();
  return entries
    .filter(
      (entry) =>
        (filter.interface === "" || entry.interface === filter.interface) &&
        (filter.method === "" || entry.method === filter.method) &&
        (part === "" || requestTarget(entry).toLowerCase().includes(part)) &&
        hasStatus(entry, filter.status) &&
        (filter.own || !isOwn(entry)),
    )
    .toReversed();
}

/** Path and query as sent. */
export function requestTarget({ path, query }: Pick<JournalEntry, "path" | "query">): string {
  return query === "" ? path : `${path}?${query}`;
}

function hasStatus({ status }: JournalEntry, wanted: string): boolean {
  return wanted === "" || (wanted === "0" ? status === 0 : String(status).startsWith(wanted));
}

/** Whether a request was made by a console. */
export function isOwn({ headers }: JournalEntry): boolean {
  return Object.hasOwn(headers, consoleHeader);
}
