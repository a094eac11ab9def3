import type { Reply } from "../http/reply.ts";
import { failed, ok, type Result } from "../errors/result.ts";
import { didYouMean } from "../errors/nearest-name.ts";
import { showText } from "../errors/show.ts";
import { refuse } from "./errors.ts";
import type { KeptRequest } from "../emulator/journal/entry.ts";
import type { Parameter } from "./route.ts";

type Test = (request: KeptRequest) => boolean;

/** What a filter takes, and what it means. */
interface Filter extends Parameter {
  /** The test that a value stands for; a text says why it stands for none. */
  readonly read: (value: string) => Test | string;
}

const interfaces: readonly string[] = ["tables", "rest", "chat"];
const methods: readonly string[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

function oneOf(value: string, names: readonly string[]): string | undefined {
  if (names.includes(value)) return undefined;
  return `${showText(value)} is none.${didYouMean(value, names) || ` Use ${names.join(", ")}.`}`;
}

/** Filters of requests by what each of them is. */
const filters: readonly Filter[] = [
  {
    name: "interface",
    description: "The interface that was asked. `rest` is another name of `tables`.",
    schema: { type: "string", enum: interfaces },
    read: (value) =>
      oneOf(value, interfaces) ??
      ((request: KeptRequest): boolean =>
        request.interface === (value === "tables" ? "rest" : value)),
  },
  {
    name: "method",
    description: "The request's method.",
    schema: { type: "string", enum: methods },
    read: (value) =>
      oneOf(value, methods) ?? ((request: KeptRequest): boolean => request.method === value),
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
      return (request) => request.status === status;
    },
  },
];

/** From where on requests are wanted. */
const since: Parameter = {
  name: "since",
  description:
    "The id of a request, for those that ended after it; or a time, for those that came from then on: such as `2024-01-01T00:00:00Z`, or Unix time in milliseconds, in 12 digits or more.",
  schema: { type: "string" },
};

const limitParameter: Parameter = {
  name: "limit",
  description: "How many requests are listed at most: the first of those that fit.",
  schema: { type: "integer", minimum: 0 },
};

/** The parameters by which requests are chosen, whether they are listed or watched. */
export const selectionParameters: readonly Parameter[] = [
  ...filters.map(({ name, description, schema }) => ({ name, description, schema })),
  since,
];

/** The parameters by which the journal is listed. */
export const journalParameters: readonly Parameter[] = [...selectionParameters, limitParameter];

/** Which requests are asked for. */
export interface Selection {
  readonly fits: Test;
  /** The number of the request after which they begin; 0: with the first. */
  readonly after: number;
}

/** Reads which requests a query asks for; or the refusal of a value that means nothing. */
export function readSelection(
  kept: readonly KeptRequest[],
  query: ReadonlyMap<string, string>,
): Result<Selection, Reply> {
  const tests: Test[] = [];
  for (const { name, read } of filters) {
    const value = query.get(name);
    const test = value === undefined ? undefined : read(value);
    if (typeof test === "string") return refused(name, test);
    if (test !== undefined) tests.push(test);
  }
  const start = readSince(kept, query.get("since"));
  if (typeof start === "string") return refused("since", start);
  const { after = 0, test } = start;
  if (test !== undefined) tests.push(test);
  return ok({ after, fits: (request) => tests.every((holds) => holds(request)) });
}

/** The requests that a query asks for, oldest first; or the refusal of a value that means nothing. */
export function filterJournal(
  kept: readonly KeptRequest[],
  query: ReadonlyMap<string, string>,
): Result<readonly KeptRequest[], Reply> {
  const selection = readSelection(kept, query);
  if (!selection.ok) return selection;
  const limit = query.get("limit");
  if (limit !== undefined && !/^\d+$/.test(limit)) {
    return refused("limit", `${showText(limit)} is not a whole number of 0 or more.`);
  }
  const { after, fits } = selection.value;
  const fitting = kept.filter((request) => request.number > after && fits(request));
  return ok(limit === undefined ? fitting : fitting.slice(0, Number(limit)));
}

/** From 1973 on. No journal has given as many ids. */
const unixTimeForm = /^\d{12,16}$/;
const timeForm = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

interface Start {
  readonly after?: number;
  readonly test?: Test;
}

/** After the request of an id, or from a time on; or why the value is neither. */
function readSince(kept: readonly KeptRequest[], value: string | undefined): Start | string {
  if (value === undefined) return {};
  const found = kept.find(({ id }) => id === value);
  if (found !== undefined) return { after: found.number };
  const time = timeOf(value);
  if (!Number.isNaN(time)) return { test: ({ at }) => at >= time };
  return (
    `${showText(value)} is neither a time such as 2024-01-01T00:00:00Z (a plus sign is written %2B), ` +
    "nor Unix time in milliseconds (12 digits or more), " +
    "nor the id of a request that the journal still has."
  );
}

/** Milliseconds of Unix time; not a number for what is no time. */
function timeOf(value: string): number {
  if (unixTimeForm.test(value)) return Number(value);
  return timeForm.test(value) ? Date.parse(value) : Number.NaN;
}

function refused(name: string, what: string): Result<never, Reply> {
  return failed(
    refuse("invalid_parameter", {
      message: `Cannot filter the journal by ${name}: ${what}`,
    }),
  );
}
