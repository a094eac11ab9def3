import { useMemo } from "preact/hooks";
import type { JournalSummary } from "../../../core/emulator/journal/entry.ts";
import { useSettled } from "../parts/use-settled.ts";
import { useConsole, useLoad } from "../parts/use-console.ts";
import { ok } from "../../../core/errors/result.ts";
import { entryKey } from "./summary.ts";

/** The server's answer to a search. */
interface Found {
  readonly requests: readonly Pick<JournalSummary, "id" | "session">[];
}

/** After a request has come, the search runs again at most this often, in milliseconds. */
const againMs = 2000;

const nothing: Found = { requests: [] };

/**
 * The keys of the requests in which the server finds words. The server searches bodies and headers too, which the
 * page does not have. Undefined until the server has answered.
 */
export function useSearch(
  words: string,
  ofAll: boolean,
  entries: readonly JournalSummary[],
): ReadonlySet<string> | undefined {
  const { client } = useConsole();
  const sought = words.trim();
  const last = entries.at(-1);
  const latest = useSettled(
    sought === "" || last === undefined ? "" : `${entryKey(last)} ${last.ended}`,
    againMs,
  );
  const query = new URLSearchParams({ words: sought, ...(ofAll ? { sessions: "all" } : {}) });
  const { value } = useLoad(
    async () => (sought === "" ? ok(nothing) : client.control<Found>(`/requests/search?${query}`)),
    `${query} ${latest}`,
  );
  return useMemo(() => value && new Set(value.requests.map(entryKey)), [value]);
}
