import { failed, ok, type Result } from "../errors/result.ts";
import { showValue } from "../errors/show.ts";
import type { JsonObject } from "../schema/json.ts";
import { jsonReply, type Reply } from "../http/reply.ts";
import { type ChatError, errorReply } from "./errors.ts";

/** The arguments of a query by name. If a name is repeated, the last value counts. */
export type QueryArguments = Readonly<Record<string, string | undefined>>;

/** The decoded arguments of a query. */
export function queryArguments(query: string): QueryArguments {
  return Object.fromEntries(new URLSearchParams(query));
}

function refused(param: string, code: string, message: string): ChatError {
  return { status: 400, type: "invalid_request_error", code, param, message };
}

/** The errors for wrong arguments in a query. */
export const queryErrors = {
  notWhole: (name: string, value: string | undefined): ChatError =>
    refused(
      name,
      "invalid_type",
      `Cannot answer: "${name}" is ${showValue(value)}, but it must be a whole number.`,
    ),
  outOfRange: (name: string, value: string, least: number, most: number): ChatError =>
    refused(
      name,
      "invalid_value",
      `Cannot answer: "${name}" is ${showValue(value)}, but it must be a whole number from ${least} to ${most}.`,
    ),
  wrongOrder: (value: string): ChatError =>
    refused(
      "order",
      "invalid_value",
      `Cannot answer: "order" is ${showValue(value)}, but it must be one of asc, desc.`,
    ),
  noSuchObject: (id: string): ChatError =>
    refused(
      "after",
      "invalid_value",
      `Cannot answer: nothing in the list has the id ${showValue(id)} of "after".`,
    ),
} as const;

/**
 * A page of a list of stored objects: up to `limit` of them (1 to 100, default 20), after the one whose id is `after`.
 * `objects` are oldest first; `usualOrder` is the page's order unless the query's `order` says otherwise.
 */
export function listReply(
  objects: readonly JsonObject[],
  query: QueryArguments,
  usualOrder: "asc" | "desc",
): Reply {
  const page = pageOf(objects, query, usualOrder);
  if (!page.ok) return errorReply(page.error);
  const { data, hasMore } = page.value;
  const list = {
    object: "list",
    data,
    first_id: data[0]?.["id"] ?? null,
    last_id: data.at(-1)?.["id"] ?? null,
    has_more: hasMore,
  };
  return { ...jsonReply(200, list), answeredBy: "kept answers" };
}

interface Page {
  readonly data: readonly JsonObject[];
  readonly hasMore: boolean;
}

function pageOf(
  objects: readonly JsonObject[],
  { limit = "20", order, after }: QueryArguments,
  usualOrder: "asc" | "desc",
): Result<Page, ChatError> {
  const most = Number(limit);
  if (!Number.isInteger(most) || most < 1 || most > 100) {
    return failed(queryErrors.outOfRange("limit", limit, 1, 100));
  }
  if (order !== undefined && order !== "asc" && order !== "desc") {
    return failed(queryErrors.wrongOrder(order));
  }
  const sorted = (order ?? usualOrder) === "asc" ? objects : objects.toReversed();
  const start = after === undefined ? 0 : sorted.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && start === 0) return failed(queryErrors.noSuchObject(after));
  const rest = sorted.slice(start);
  return ok({ data: rest.slice(0, most), hasMore: rest.length > most });
}
