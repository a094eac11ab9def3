import { invalidOption, refuseUnknown } from "../../errors/emulator-error.ts";
import type { InterfaceName } from "../../interface.ts";
import { type RecordedExchange, statusOf } from "./entry.ts";

/** Conditions on entries, which must all hold. */
export interface JournalFilter {
  readonly interface?: InterfaceName;
  /** In upper or lower case. */
  readonly method?: string;
  /** The beginning of the path. */
  readonly path?: string;
  readonly status?: number;
  /** Only requests that arrived at this time or later: Unix time in milliseconds. */
  readonly since?: number;
  /** The most entries to return, counted from the first match. */
  readonly limit?: number;
}

const filterNames: readonly string[] = ["interface", "method", "path", "status", "since", "limit"];

/** Throws `ERR_OPTION_INVALID` for an unknown filter, which would match everything, and for an invalid limit. */
export function refuseWrongFilters(filter: JournalFilter): void {
  refuseUnknown(filter, filterNames, { cannot: "Cannot filter the journal", noun: "filter" });
  const limit: unknown = filter.limit;
  if (limit === undefined || limit === Infinity) return;
  if (typeof limit === "number" && Number.isSafeInteger(limit) && limit >= 0) return;
  throw invalidOption(
    `Cannot filter the journal by limit: ${JSON.stringify(limit) ?? "it"} is not a whole number of 0 or more.`,
  );
}

/** The filters of `JournalFilter`, and those that only the control API has. */
export interface ExchangeFilter extends JournalFilter {
  /** Only requests that had not ended when this many others had. */
  readonly after?: number;
  /** `all`: the requests of every session. */
  readonly sessions?: "all";
  /** Only the last matches, up to this number. */
  readonly last?: number;
  /** With `last`: the number of matches to leave out at the end. Default: 0. */
  readonly skip?: number;
}

/** Whether an exchange meets a filter at the time `now`, on the timers' clock. */
export function matchesFilter(
  exchange: RecordedExchange,
  filter: ExchangeFilter,
  now: number,
): boolean {
  const { method, path, status, since, after = 0 } = filter;
  return (
    (exchange.place > after || exchange.place === 0) &&
    (filter.interface === undefined || exchange.interface === filter.interface) &&
    (method === undefined || exchange.method === method.toUpperCase()) &&
    (path === undefined || exchange.path.startsWith(path)) &&
    (status === undefined || statusOf(exchange, now) === status) &&
    (since === undefined || exchange.at >= since)
  );
}
