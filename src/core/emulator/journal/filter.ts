import { EmulatorError } from "../../errors/emulator-error.ts";
import { didYouMean } from "../../errors/nearest-name.ts";
import { type GivenInterface, interfaceOf } from "../exchange.ts";
import type { RecordedExchange } from "./entry.ts";

/** Which entries are wanted. All that are given must fit. */
export interface JournalFilter {
  /** `rest` is another name of `tables`. */
  readonly interface?: GivenInterface;
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

/** Throws `ERR_OPTION_INVALID` for a filter that does not exist, which would let everything through, and for a wrong limit. */
export function refuseWrongFilters(filter: JournalFilter): void {
  const unknown = Object.keys(filter).find((name) => !filterNames.includes(name));
  if (unknown === undefined) return refuseLimit(filter.limit);
  throw new EmulatorError(
    "ERR_OPTION_INVALID",
    `Cannot filter the journal by "${unknown}": there is no such filter.${didYouMean(unknown, filterNames)} ` +
      `Use: ${filterNames.join(", ")}.`,
  );
}

/** Throws `ERR_OPTION_INVALID` for what can be no number of entries. */
function refuseLimit(limit: unknown): void {
  if (limit === undefined || limit === Infinity) return;
  if (typeof limit === "number" && Number.isSafeInteger(limit) && limit >= 0) return;
  throw new EmulatorError(
    "ERR_OPTION_INVALID",
    `Cannot filter the journal by limit: ${JSON.stringify(limit) ?? "it"} is not a whole number of 0 or more.`,
  );
}

/** The same, and what only the control API filters by. */
export interface ExchangeFilter extends JournalFilter {
  /** Only those that ended after the request of this number. */
  readonly after?: number;
}

export function matchesFilter(exchange: RecordedExchange, filter: ExchangeFilter): boolean {
  const { method, path, status, since, after = 0 } = filter;
  return (
    exchange.number > after &&
    (filter.interface === undefined || exchange.interface === interfaceOf(filter.interface)) &&
    (method === undefined || exchange.method === method.toUpperCase()) &&
    (path === undefined || exchange.path.startsWith(path)) &&
    (status === undefined || exchange.status === status) &&
    (since === undefined || exchange.at >= since)
  );
}
