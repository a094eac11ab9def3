import { asObject, isObject, type JsonObject } from "../../schema/json.ts";

/** The types of events that end a stream. */
const lastTypes: readonly unknown[] = [
  "response.completed",
  "response.incomplete",
  "response.failed",
];

/** Whether the data of an event ends a stream of Responses. */
export function isLastEvent({ type }: JsonObject): boolean {
  return lastTypes.includes(type);
}

/**
 * Converts a body of Responses, or the data of one of its events, to a body or a chunk of chat completions, so that the
 * journal, recordings and the console read both in one form. Undefined: the value is neither, or carries no part of the
 * answer.
 */
export function answerInChatForm(value: JsonObject): JsonObject | undefined {
  const { object, type } = value;
  if (object === "response") return completionOf(value);
  return typeof type === "string" ? chunkOf(type, value) : undefined;
}

function chunkOf(type: string, event: JsonObject): JsonObject | undefined {
  return Object.hasOwn(chunks, type) ? chunks[type]?.(event) : undefined;
}

/** Converts the data of an event to a chunk, by the type of the event. */
const chunks: Readonly<Record<string, (event: JsonObject) => JsonObject | undefined>> = {
  "response.output_text.delta": ({ delta }) => said({ content: delta }),
  "response.refusal.delta": ({ delta }) => said({ refusal: delta }),
  "response.reasoning_summary_text.delta": ({ delta }) => said({ reasoning_content: delta }),
  "response.reasoning_text.delta": ({ delta }) => said({ reasoning_content: delta }),
  "response.function_call_arguments.delta": ({ delta, output_index: index }) =>
    said({ tool_calls: [{ index, function: { arguments: delta } }] }),
  "response.custom_tool_call_input.delta": ({ delta, output_index: index }) =>
    said({ tool_calls: [{ index, custom: { input: delta } }] }),
  "response.output_item.added": ({ item, output_index: index }) =>
    callIn(asObject(item) ?? {}, index),
  "response.created": ({ response }) => {
    return { model: asObject(response)?.["model"], choices: [{ index: 0, delta: {} }] };
  },
  "response.completed": ({ response }) => endOf(asObject(response) ?? {}),
  "response.incomplete": ({ response }) => endOf(asObject(response) ?? {}),
  error: (event) => ({ error: asObject(event["error"]) ?? event }),
};

function said(delta: JsonObject): JsonObject {
  return { choices: [{ index: 0, delta }] };
}

const callTypes: readonly unknown[] = ["function_call", "custom_tool_call"];

function callIn({ type, call_id: id, name }: JsonObject, index: unknown): JsonObject | undefined {
  if (!callTypes.includes(type)) return undefined;
  const call = { type, call_id: id, name, arguments: "", input: "" };
  return said({ tool_calls: [{ index, ...callOf(call) }] });
}

/** An output item as a tool call of chat completions. */
function callOf({ type, call_id: id, name, arguments: text, input }: JsonObject): JsonObject {
  return type === "custom_tool_call"
    ? { id, type: "custom", custom: { name, input } }
    : { id, type: "function", function: { name, arguments: text } };
}

/** The chunk that ends a stream: the finish reason and the usage. */
function endOf(response: JsonObject): JsonObject {
  const choices = [{ index: 0, delta: {}, finish_reason: finishReason(response) }];
  return { model: response["model"], choices, usage: usageOf(response["usage"]) };
}

function completionOf(response: JsonObject): JsonObject {
  const { id, created_at: created, model, error } = response;
  if (isObject(error)) return { error };
  const choice = { index: 0, message: messageOf(response), finish_reason: finishReason(response) };
  return {
    id,
    object: "chat.completion",
    created,
    model,
    choices: [choice],
    usage: usageOf(response["usage"]),
  };
}

function messageOf(response: JsonObject): JsonObject {
  const items = itemsIn(response["output"]);
  const parts = items.flatMap(({ type, content }) => (type === "message" ? itemsIn(content) : []));
  const summaries = items.flatMap(({ type, summary }) =>
    type === "reasoning" ? itemsIn(summary) : [],
  );
  const calls = items.filter(({ type }) => callTypes.includes(type));
  return {
    role: "assistant",
    content: joined(parts, "text"),
    refusal: joined(parts, "refusal"),
    ...(summaries.length === 0 ? {} : { reasoning_content: joined(summaries, "text") }),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(callOf) }),
  };
}

/** The texts of all parts, joined; null if no part has a text. */
function joined(parts: readonly JsonObject[], key: string): string | null {
  const texts = parts.flatMap((part) => {
    const text = part[key];
    return typeof text === "string" ? [text] : [];
  });
  return texts.length === 0 ? null : texts.join("");
}

function finishReason({ status, incomplete_details: details, output }: JsonObject): string | null {
  if (status === "incomplete") {
    return asObject(details)?.["reason"] === "content_filter" ? "content_filter" : "length";
  }
  if (status !== "completed") return null;
  return itemsIn(output).some(({ type }) => callTypes.includes(type)) ? "tool_calls" : "stop";
}

function usageOf(usage: unknown): JsonObject | null {
  const given = asObject(usage);
  if (given === undefined) return null;
  const { cached_tokens: cached = 0 } = asObject(given["input_tokens_details"]) ?? {};
  const { reasoning_tokens: reasoning = 0 } = asObject(given["output_tokens_details"]) ?? {};
  const isDetailed = cached !== 0 || reasoning !== 0;
  return {
    prompt_tokens: given["input_tokens"],
    completion_tokens: given["output_tokens"],
    total_tokens: given["total_tokens"],
    ...(isDetailed
      ? {
          prompt_tokens_details: { cached_tokens: cached },
          completion_tokens_details: { reasoning_tokens: reasoning },
        }
      : {}),
  };
}

function itemsIn(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
