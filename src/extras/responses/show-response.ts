import type { ChatContext } from "../../core/chat/context.ts";
import { errorReply } from "../../core/chat/errors.ts";
import { listReply, queryArguments, queryErrors } from "../../core/chat/stored-page.ts";
import { jsonReply, type Reply } from "../../core/http/reply.ts";
import { isObject, type JsonObject } from "../../core/schema/json.ts";
import { itemEvents } from "./item-events.ts";
import type { ResponseEvent } from "./response-event.ts";
import { withStored } from "./stored-responses.ts";

type Stored = Pick<ChatContext, "answers">;

/** `GET /responses/{id}`: the response, or with `stream=true` the events that would build it. */
export function showResponse(id: string, query: string, context: Stored): Reply {
  const { stream, starting_after: after } = queryArguments(query);
  return withStored(id, context, ({ body }) => {
    if (stream !== "true") return { ...jsonReply(200, body), answeredBy: "stored response" };
    const start = after === undefined ? -1 : Number(after);
    if (!Number.isInteger(start)) return errorReply(queryErrors.notWhole("starting_after", after));
    return eventsReply(body, start);
  });
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
  return withStored(id, context, ({ input }) => listReply(input, queryArguments(query), "desc"));
}
