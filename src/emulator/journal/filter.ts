import { EmulatorError } from "../../errors/emulator-error.ts";
import { didYouMean } from "../../errors/nearest-name.ts";
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
  /** At most so many, the first of those that fit. */
  readonly limit?: number;
}

const filterNames: readonly string[] = ["interface", "method", "path", "status", "since", "limit"];

/** Throws `ERR_OPTION_INVALID` for a filter that does not exist, which would let everything through. */
export function refuseUnknownFilters(filter: JournalFilter): void {
  const unknown = Object.keys(filter).find((name) => !filterNames.includes(name));
  if (unknown === undefined) return;
  throw new EmulatorError(
    "ERR_OPTION_INVALID",
    `Cannot filter the journal by "${unknown}": there is no such filter.${didYouMean(unknown, filterNames)} ` +
      `Use: ${filterNames.join(", ")}.`,
  );
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
