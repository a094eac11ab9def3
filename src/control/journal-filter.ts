import { didYouMean } from "../errors/nearest-name.ts";
import { showText } from "../store/json-value.ts";
import { refuse } from "./errors.ts";
import type { JournalEntry } from "./journal-entry.ts";
import { type Outcome, stopped, taken } from "./outcome.ts";
import type { Parameter } from "./route.ts";

type Test = (entry: JournalEntry) => boolean;

/** What a filter takes, and what it means. */
interface Filter extends Parameter {
  /** The test that a value stands for; a text says why it stands for none. */
  readonly read: (value: string) => Test | string;
}

const interfaces: readonly string[] = ["rest", "chat"];
const methods: readonly string[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

function oneOf(value: string, names: readonly string[]): string | undefined {
  if (names.includes(value)) return undefined;
  return `${showText(value)} is none.${didYouMean(value, names) || ` Use ${names.join(", ")}.`}`;
}

/** Filters of entries by what each of them is. */
const filters: readonly Filter[] = [
  {
    name: "interface",
    description: "The interface that was asked.",
    schema: { type: "string", enum: interfaces },
    read: (value) =>
      oneOf(value, interfaces) ?? ((entry: JournalEntry): boolean => entry.interface === value),
  },
  {
    name: "method",
    description: "The request's method.",
    schema: { type: "string", enum: methods },
    read: (value) =>
      oneOf(value, methods) ?? ((entry: JournalEntry): boolean => entry.method === value),
  },
  {
    name: "path",
    description: "What the request's path begins with, as it was sent.",
    schema: { type: "string", pattern: "^/" },
    read: (value) =>
      value.startsWith("/")
        ? ({ path }): boolean => path.startsWith(value)
        : `${showText(value)} does not begin with a slash, as every path does.`,
  },
  {
    name: "status",
    description: "The reply's status; 0 where there was none, because of a fault.",
    schema: { type: "integer" },
    read: (value) => {
      const status = Number(value);
      if (!/^(?:0|[1-5]\d\d)$/.test(value)) return `${showText(value)} is no status code.`;
      return (entry) => entry.status === status;
    },
  },
];

const windows: readonly Parameter[] = [
  {
    name: "since",
    description:
      "The id of a request, for those that came after it, or a time such as `2024-01-01T00:00:00Z`, for those from then on.",
    schema: { type: "string" },
  },
  {
    name: "limit",
    description: "How many requests are listed at most: the first of those that fit.",
    schema: { type: "integer", minimum: 0 },
  },
];

/** The parameters by which the journal is filtered. */
export const journalParameters: readonly Parameter[] = [
  ...filters.map(({ name, description, schema }) => ({ name, description, schema })),
  ...windows,
];

/** The entries that a query asks for, oldest first; or the refusal of a value that means nothing. */
export function filterJournal(
  entries: readonly JournalEntry[],
  query: ReadonlyMap<string, string>,
): Outcome<readonly JournalEntry[]> {
  const tests: Test[] = [];
  for (const { name, read } of filters) {
    const value = query.get(name);
    const test = value === undefined ? undefined : read(value);
    if (typeof test === "string") return refused(name, test);
    if (test !== undefined) tests.push(test);
  }
  const later = readSince(entries, query.get("since"));
  if (typeof later === "string") return refused("since", later);
  const limit = query.get("limit");
  if (limit !== undefined && !/^\d+$/.test(limit)) {
    return refused("limit", `${showText(limit)} is not a whole number of 0 or more.`);
  }
  const fitting = later.filter((entry) => tests.every((test) => test(entry)));
  return taken(limit === undefined ? fitting : fitting.slice(0, Number(limit)));
}

const timeForm = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** The entries after an id, or from a time on; or why the value is neither. */
function readSince(
  entries: readonly JournalEntry[],
  since: string | undefined,
): readonly JournalEntry[] | string {
  if (since === undefined) return entries;
  const index = entries.findIndex(({ id }) => id === since);
  if (index !== -1) return entries.slice(index + 1);
  const time = timeForm.test(since) ? Date.parse(since) : Number.NaN;
  if (!Number.isNaN(time)) return entries.filter(({ at }) => Date.parse(at) >= time);
  return (
    `${showText(since)} is neither a time such as 2024-01-01T00:00:00Z (a plus sign is written %2B) ` +
    "nor the id of a request that the journal still has."
  );
}

function refused(name: string, what: string): Outcome<never> {
  return stopped(
    refuse("invalid_parameter", {
      message: `Cannot filter the journal by ${name}: ${what}`,
    }),
  );
}
