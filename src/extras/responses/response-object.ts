import { tierOf } from "../../core/chat/completion/full-answer.ts";
import type { Completion, Usage } from "../../core/chat/completion/completion.ts";
import { asObject, isObject, type JsonObject } from "../../core/schema/json.ts";

/** The status of a response. */
export type ResponseStatus = "in_progress" | "completed" | "incomplete" | "failed";

/** The values that change while a response is written. */
export interface ResponseState {
  readonly status: ResponseStatus;
  /** Unix time in seconds; null until it is completed. */
  readonly completedAt: number | null;
  readonly output: readonly JsonObject[];
  /** The usage; null until the end. */
  readonly usage: JsonObject | null;
  /** Why the response is incomplete. */
  readonly reason?: string | undefined;
}

/**
 * A response: the request's arguments with their defaults, and the state of the answer. The keys are those recorded
 * from the service.
 */
export function responseObject(
  id: string,
  { created, model }: Pick<Completion, "created" | "model">,
  body: JsonObject,
  { status, completedAt, output, usage, reason }: ResponseState,
): JsonObject {
  const isOver = status !== "in_progress";
  const sent = (name: string, usual: unknown = null): unknown => body[name] ?? usual;
  return {
    id,
    object: "response",
    created_at: created,
    status,
    background: false,
    completed_at: completedAt,
    error: null,
    frequency_penalty: sent("frequency_penalty", 0),
    incomplete_details: reason === undefined ? null : { reason },
    instructions: sent("instructions"),
    max_output_tokens: sent("max_output_tokens"),
    max_tool_calls: sent("max_tool_calls"),
    model,
    // Backlot moderates nothing.
    moderation: null,
    output,
    parallel_tool_calls: sent("parallel_tool_calls", true),
    presence_penalty: sent("presence_penalty", 0),
    previous_response_id: sent("previous_response_id"),
    prompt_cache_key: sent("prompt_cache_key"),
    prompt_cache_retention: sent("prompt_cache_retention"),
    reasoning: reasoningOf(asObject(body["reasoning"])),
    safety_identifier: sent("safety_identifier"),
    service_tier: isOver ? tierOf(body["service_tier"]) : sent("service_tier", "auto"),
    store: sent("store", true),
    temperature: sent("temperature", 1),
    text: textOf(asObject(body["text"])),
    tool_choice: sent("tool_choice", "auto"),
    tool_usage: {
      image_gen: {
        input_tokens: 0,
        input_tokens_details: { image_tokens: 0, text_tokens: 0 },
        output_tokens: 0,
        output_tokens_details: { image_tokens: 0, text_tokens: 0 },
        total_tokens: 0,
      },
      web_search: { num_requests: 0 },
    },
    tools: toolsOf(body["tools"]),
    top_logprobs: sent("top_logprobs", 0),
    top_p: sent("top_p", 1),
    truncation: sent("truncation", "disabled"),
    usage,
    user: sent("user"),
    metadata: sent("metadata", {}),
  };
}

function reasoningOf(reasoning: JsonObject = {}): JsonObject {
  const {
    effort = null,
    summary = reasoning["generate_summary"] ?? null,
    mode,
    context,
  } = reasoning;
  return {
    ...(context === undefined ? {} : { context }),
    effort,
    ...(mode === undefined ? {} : { mode }),
    summary,
  };
}

function textOf(text: JsonObject = {}): JsonObject {
  const format = asObject(text["format"]) ?? { type: "text" };
  const { verbosity } = text;
  return { format: formatOf(format), verbosity: verbosity ?? "medium" };
}

function formatOf(format: JsonObject): JsonObject {
  if (format["type"] !== "json_schema") return format;
  const { description = null, strict = true, ...rest } = format;
  return { ...rest, description, strict };
}

function toolsOf(tools: unknown): readonly JsonObject[] {
  return Array.isArray(tools) ? tools.filter(isObject).map(toolOf) : [];
}

function toolOf(tool: JsonObject): JsonObject {
  if (tool["type"] !== "function") return tool;
  const { description = null, parameters = null, output_schema: output = null, ...rest } = tool;
  return {
    ...rest,
    description,
    output_schema: output,
    parameters,
    strict: tool["strict"] ?? true,
  };
}

/** The usage in the form of Responses. */
export function responseUsage(usage: Usage): JsonObject {
  const { prompt_tokens: input, completion_tokens: output, total_tokens: total } = usage;
  const { prompt_tokens_details: ofInput = {}, completion_tokens_details: ofOutput = {} } = usage;
  return {
    input_tokens: input,
    input_tokens_details: {
      cache_write_tokens: ofInput["cache_write_tokens"] ?? 0,
      cached_tokens: ofInput["cached_tokens"] ?? 0,
    },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: ofOutput["reasoning_tokens"] ?? 0 },
    total_tokens: total,
  };
}
