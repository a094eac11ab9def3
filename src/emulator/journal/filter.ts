import type { RecordedExchange } from "./entry.ts";

/** Which entries are wanted. All that are given must fit. */
export interface JournalFilter {
  readonly interface?: "rest" | "chat";
  /** In any case. */
  readonly method?: string;
  /** What the path begins with. */
  readonly path?: string;
  readonly status?: number;
  /** Only those that came at this time or later: Unix time in milliseconds. */
  readonly since?: number;
  /** At most so many, the newest. */
  readonly limit?: number;
}

export function matchesFilter(exchange: RecordedExchange, filter: JournalFilter): boolean {
  const { method, path, status, since } = filter;
  return (
    (filter.interface === undefined || exchange.interface === filter.interface) &&
    (method === undefined || exchange.method === method.toUpperCase()) &&
    (path === undefined || exchange.path.startsWith(path)) &&
    (status === undefined || exchange.status === status) &&
    (since === undefined || exchange.at >= since)
  );
}
