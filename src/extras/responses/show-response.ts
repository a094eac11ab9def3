import type { ChatContext } from "../../core/chat/context.ts";
import { type ChatError, errorReply } from "../../core/chat/errors.ts";
import { failed, ok, type Result } from "../../core/errors/result.ts";
import { jsonReply, type Reply } from "../../core/http/reply.ts";
import { isObject, type JsonObject } from "../../core/schema/json.ts";
import { argumentErrors } from "./errors.ts";
import { itemEvents } from "./item-events.ts";
import type { ResponseEvent } from "./response-event.ts";
import { withStored } from "./stored-responses.ts";

type Stored = Pick<ChatContext, "answers">;

/** `GET /responses/{id}`: the response, or with `stream=true` the events that would build it. */
export function showResponse(id: string, query: string, context: Stored): Reply {
  const { stream, starting_after: after } = readQuery(query);
  return withStored(id, context, ({ body }) => {
    if (stream !== "true") return { ...jsonReply(200, body), answeredBy: "stored response" };
    const start = after === undefined ? -1 : Number(after);
    if (!Number.isInteger(start))
      return errorReply(argumentErrors.notWhole("starting_after", after));
    return eventsReply(body, start);
  });
}

function readQuery(query: string): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(new URLSearchParams(query));
}

/** The events of a stored response whose numbers are above `start`, all at once. */
function eventsReply(response: JsonObject, start: number): Reply {
  const frames = eventsOf(response)
    .map(({ type, fields }, number) => ({ type, ...fields, sequence_number: number }))
    .slice(start + 1)
    .map((event) => ({ at: 0, data: `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n` }));
  return {
    status: 200,
    headers: { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" },
    body: { kind: "stream", stream: { frames, end: { how: "close", at: 0 } } },
    answeredBy: "stored response",
  };
}

function eventsOf(response: JsonObject): readonly ResponseEvent[] {
  const begun = { ...response, status: "in_progress", completed_at: null, output: [], usage: null };
  const items = Array.isArray(response["output"]) ? response["output"].filter(isObject) : [];
  return [
    stateEvent("created", begun),
    stateEvent("in_progress", begun),
    ...items.flatMap(itemEvents),
    stateEvent(String(response["status"]), response),
  ];
}

function stateEvent(state: string, response: JsonObject): ResponseEvent {
  return { type: `response.${state}`, fields: { response }, isDelta: false };
}

/** `GET /responses/{id}/input_items`: the items that a response answered, the newest first unless asked otherwise. */
export function listInput(id: string, query: string, context: Stored): Reply {
  return withStored(id, context, ({ input }) => {
    const page = pageOf(input, readQuery(query));
    if (!page.ok) return errorReply(page.error);
    const { data, hasMore } = page.value;
    const ids = data.map((item) => item["id"] ?? null);
    return {
      ...jsonReply(200, {
        object: "list",
        data,
        first_id: ids[0] ?? null,
        last_id: ids.at(-1) ?? null,
        has_more: hasMore,
      }),
      answeredBy: "stored response",
    };
  });
}

function pageOf(
  items: readonly JsonObject[],
  { limit = "20", order = "desc", after }: Readonly<Record<string, string | undefined>>,
): Result<{ readonly data: readonly JsonObject[]; readonly hasMore: boolean }, ChatError> {
  const most = Number(limit);
  if (!Number.isInteger(most) || most < 1 || most > 100) {
    return failed(argumentErrors.outOfRange("limit", limit, 1, 100));
  }
  if (order !== "asc" && order !== "desc") return failed(argumentErrors.wrongOrder(order));
  const sorted = order === "asc" ? items : items.toReversed();
  const start = after === undefined ? 0 : sorted.findIndex((item) => item["id"] === after) + 1;
  if (after !== undefined && start === 0) return failed(argumentErrors.noSuchItem(after));
  const rest = sorted.slice(start);
  return ok({ data: rest.slice(0, most), hasMore: rest.length > most });
}
