import type { ExchangeFilter } from "../emulator/journal/filter.ts";
import type { RecordedExchange } from "../emulator/journal/entry.ts";
import type { Journal } from "../emulator/journal/journal.ts";
import { failed, ok, type Result } from "../errors/result.ts";
import { showText } from "../errors/show.ts";
import type { Reply } from "../http/reply.ts";
import { refuse } from "./errors.ts";
import type { Parameter } from "./route.ts";

interface FilterParameter extends Parameter {
  /** The filter for a value; a text explains an invalid one. */
  readonly read: (value: string, journal: Journal) => ExchangeFilter | string;
}

const filters: readonly FilterParameter[] = [
  {
    name: "interface",
    description: "The interface; `rest` means `tables`.",
    schema: { type: "string", enum: ["tables", "rest", "chat"] },
    read: (value) => ({ interface: value === "chat" ? "chat" : "rest" }),
  },
  {
    name: "method",
    description: "The request's method.",
    schema: {
      type: "string",
      enum: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
    },
    read: (method) => ({ method }),
  },
  {
    name: "path",
    description: "The beginning of the request's path, as sent.",
    schema: { type: "string", pattern: "^/" },
    read: (path) =>
      path.startsWith("/") ? { path } : `${showText(path)} does not begin with a slash.`,
  },
  {
    name: "status",
    description: "The reply's status; 0 if a fault prevented a reply.",
    schema: { type: "integer" },
    read: (value) =>
      /^(?:0|[1-5]\d\d)$/.test(value)
        ? { status: Number(value) }
        : `${showText(value)} is not a status code.`,
  },
  {
    name: "since",
    description:
      "The id of a request, for requests that ended after it; or a time, for requests that arrived from then on: such as `2024-01-01T00:00:00Z`, or Unix time in milliseconds (12 digits or more).",
    schema: { type: "string" },
    read: readSince,
  },
  {
    name: "sessions",
    description: "`all` selects the requests of every session. `since` is then a time.",
    schema: { type: "string", enum: ["all"] },
    read: () => ({ sessions: "all" }),
  },
];

const counts: readonly FilterParameter[] = [
  countParameter(
    "limit",
    "The largest number of requests to list; the first matches are listed.",
    (limit) => ({ limit }),
  ),
  countParameter("last", "The same, but the last matches are listed.", (last) => ({ last })),
  countParameter("skip", "With `last`: how many are left out at the end.", (skip) => ({ skip })),
];

// oxlint-disable-next-line max-params
function countParameter(
  name: string,
  description: string,
  filterOf: (count: number) => ExchangeFilter,
): FilterParameter {
  return {
    name,
    description,
    schema: { type: "integer", minimum: 0 },
    read: (value) =>
      /^\d+$/.test(value)
        ? filterOf(Number(value))
        : `${showText(value)} is not a whole number of 0 or more.`,
  };
}

/** The parameters that select requests, for listing and watching. */
export const watchParameters: readonly Parameter[] = filters;

/** The parameters for listing the journal. */
export const listParameters: readonly Parameter[] = [...filters, ...counts];

/** Reads the filters of a query, or refuses an invalid value. */
export function readJournalFilter(
  query: ReadonlyMap<string, string>,
  journal: Journal,
): Result<ExchangeFilter, Reply> {
  const filter: ExchangeFilter = {};
  for (const { name, read } of [...filters, ...counts]) {
    const value = query.get(name);
    const part = value === undefined ? {} : read(value, journal);
    if (typeof part === "string") {
      const message = `Cannot filter the journal by ${name}: ${part}`;
      return failed(refuse("invalid_parameter", { message }));
    }
    Object.assign(filter, part);
  }
  if (filter.sessions === "all" && filter.after !== undefined) {
    const message = "Cannot filter the journals of all sessions by an id. Give a time in since.";
    return failed(refuse("invalid_parameter", { message }));
  }
  return ok(filter);
}

/** An exchange, and the journal that it is in. */
export interface FoundExchange {
  readonly exchange: RecordedExchange;
  readonly owner: Journal;
}

/** What matches a filter: finished requests in the order in which they ended, then those under way. */
export function findExchanges(
  journal: Journal,
  { sessions, last, skip = 0, ...filter }: ExchangeFilter,
): readonly FoundExchange[] {
  const journals = sessions === "all" ? [...journal.all.journals] : [journal];
  const found = journals.flatMap((owner) =>
    owner.matching(filter).map((exchange) => ({ exchange, owner })),
  );
  if (sessions === "all") {
    found.sort((one, other) => orderOf(one) - orderOf(other) || startOf(one) - startOf(other));
  }
  if (last === undefined) return found.slice(0, filter.limit);
  const end = Math.max(0, found.length - skip);
  return found.slice(Math.max(0, end - last), end);
}

function orderOf({ exchange }: FoundExchange): number {
  return exchange.order || Number.MAX_SAFE_INTEGER;
}

function startOf({ exchange }: FoundExchange): number {
  return exchange.started;
}

/** The year 1973: no journal has given out as many ids. */
const unixTimeForm = /^\d{12,16}$/;
const timeForm = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** After the request with an id, or since a time; or why the value is neither. */
function readSince(value: string, journal: Journal): ExchangeFilter | string {
  const found = journal.matching().find(({ number }) => String(number) === value);
  if (found !== undefined) return { after: found.place || journal.count };
  const since = unixTimeForm.test(value)
    ? Number(value)
    : Date.parse(timeForm.test(value) ? value : "");
  if (!Number.isNaN(since)) return { since };
  return (
    `${showText(value)} is neither a time such as 2024-01-01T00:00:00Z (a plus sign is written %2B), ` +
    "nor Unix time in milliseconds (12 digits or more), " +
    "nor the id of a request that the journal still has."
  );
}
