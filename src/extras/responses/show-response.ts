import type { ChatContext } from "../../core/chat/context.ts";
import { type ChatError, errorReply } from "../../core/chat/errors.ts";
import { failed, ok, type Result } from "../../core/errors/result.ts";
import { jsonReply, type Reply } from "../../core/http/reply.ts";
import { isObject, type JsonObject } from "../../core/schema/json.ts";
import { argumentErrors } from "./errors.ts";
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
    .map((event, number) => ({ ...event, sequence_number: number }))
    .slice(start + 1)
    .map((event) => ({ at: 0, data: `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n` }));
  return {
    status: 200,
    headers: { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" },
    body: { kind: "stream", stream: { frames, end: { how: "close", at: 0 } } },
    answeredBy: "stored response",
  };
}

interface StoredEvent {
  readonly type: string;
  readonly [key: string]: unknown;
}

function eventsOf(response: JsonObject): readonly StoredEvent[] {
  const begun = { ...response, status: "in_progress", completed_at: null, output: [], usage: null };
  const items = Array.isArray(response["output"]) ? response["output"].filter(isObject) : [];
  return [
    { type: "response.created", response: begun },
    { type: "response.in_progress", response: begun },
    ...items.flatMap(itemEvents),
    { type: `response.${String(response["status"])}`, response },
  ];
}

/** An item with each text in one delta. */
function itemEvents(item: JsonObject, index: number): readonly StoredEvent[] {
  const place = { item_id: item["id"], output_index: index };
  const { type, content, arguments: text, input, summary } = item;
  const begun = {
    ...item,
    ...("status" in item ? { status: "in_progress" } : {}),
    ...(Array.isArray(content) ? { content: [] } : {}),
    ...(type === "function_call" ? { arguments: "" } : {}),
    ...(type === "custom_tool_call" ? { input: "" } : {}),
    ...(Array.isArray(summary) ? { summary: [] } : {}),
  };
  return [
    { type: "response.output_item.added", item: begun, output_index: index },
    ...(Array.isArray(content) ? content.filter(isObject).flatMap(partEvents(place)) : []),
    ...(Array.isArray(summary) ? summary.filter(isObject).flatMap(summaryEvents(place)) : []),
    ...(type === "function_call"
      ? callEvents("response.function_call_arguments", { ...place }, "arguments", text)
      : []),
    ...(type === "custom_tool_call"
      ? callEvents("response.custom_tool_call_input", { ...place }, "input", input)
      : []),
    { type: "response.output_item.done", item, output_index: index },
  ];
}

function callEvents(
  type: string,
  place: JsonObject,
  key: string,
  text: unknown,
): readonly StoredEvent[] {
  return [
    { type: `${type}.delta`, ...place, delta: text },
    { type: `${type}.done`, ...place, [key]: text },
  ];
}

function partEvents(
  place: JsonObject,
): (part: JsonObject, index: number) => readonly StoredEvent[] {
  return (part, index) => {
    const at = { ...place, content_index: index };
    const isRefusal = part["type"] === "refusal";
    const key = isRefusal ? "refusal" : "text";
    const events = isRefusal ? "response.refusal" : "response.output_text";
    const logprobs = isRefusal ? {} : { logprobs: part["logprobs"] ?? [] };
    return [
      { type: "response.content_part.added", ...at, part: { ...part, [key]: "" } },
      { type: `${events}.delta`, ...at, delta: part[key], ...logprobs },
      { type: `${events}.done`, ...at, [key]: part[key], ...logprobs },
      { type: "response.content_part.done", ...at, part },
    ];
  };
}

function summaryEvents(
  place: JsonObject,
): (part: JsonObject, index: number) => readonly StoredEvent[] {
  return (part, index) => {
    const at = { ...place, summary_index: index };
    const { text } = part;
    return [
      { type: "response.reasoning_summary_part.added", ...at, part: { ...part, text: "" } },
      { type: "response.reasoning_summary_text.delta", ...at, delta: text },
      { type: "response.reasoning_summary_text.done", ...at, text },
      { type: "response.reasoning_summary_part.done", ...at, part },
    ];
  };
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
