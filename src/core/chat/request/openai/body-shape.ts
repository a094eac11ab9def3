import { chatErrors } from "../../errors.ts";
import { missing, type Shape, wrongType } from "../shape.ts";
import { dictionary, list, object, optional, required } from "../structure-shapes.ts";
import { flag, number, oneOf, text } from "../value-shapes.ts";
import { message } from "./message-shape.ts";
import { argumentRules, maybe } from "./object-rules.ts";
import {
  audio,
  moderation,
  prediction,
  promptCacheOptions,
  responseFormat,
  stop,
  streamOptions,
  webSearchOptions,
} from "./option-shapes.ts";
import { functionCall, functions, toolChoice, tools } from "./tool-shapes.ts";

const penalty = number({ kind: "decimal", least: -2, greatest: 2 });
const tokenCount = number({ kind: "integer", least: 1 });
const identifier = text({ most: 64 });
const efforts = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];

/** Null and an empty name are none at all. */
const model: Shape = (value) => {
  if (value === null || value === "") return { ...missing(""), error: chatErrors.noModel };
  return typeof value === "string" ? undefined : wrongType("a string", value);
};

/** Every argument that the service knows. */
export const body: Shape = object(
  {
    model: required(model, chatErrors.noModel),
    messages: required(list(message)),
    audio: maybe(audio),
    frequency_penalty: maybe(penalty),
    function_call: optional(functionCall),
    functions: optional(functions),
    logit_bias: maybe(dictionary(number({ kind: "integer", least: -100, greatest: 100 }))),
    logprobs: maybe(flag),
    max_completion_tokens: maybe(tokenCount),
    max_tokens: maybe(tokenCount),
    metadata: maybe(dictionary(text({ most: 512 }), { mostKeys: 16, longestKey: 64 })),
    modalities: maybe(list(oneOf(["text", "audio"]))),
    moderation: maybe(moderation),
    n: maybe(number({ kind: "integer", least: 1, greatest: 128 })),
    parallel_tool_calls: optional(flag),
    prediction: maybe(prediction),
    presence_penalty: maybe(penalty),
    prompt_cache_key: maybe(identifier),
    prompt_cache_options: optional(promptCacheOptions),
    prompt_cache_retention: maybe(oneOf(["in_memory", "in-memory", "24h"])),
    reasoning_effort: maybe(oneOf(efforts)),
    response_format: optional(responseFormat),
    safety_identifier: maybe(identifier),
    seed: maybe(number({ kind: "integer", least: -(2 ** 63), greatest: 2 ** 63 })),
    service_tier: maybe(oneOf(["auto", "default", "flex", "scale", "priority"])),
    stop: maybe(stop),
    store: maybe(flag),
    stream: maybe(flag),
    stream_options: maybe(streamOptions),
    temperature: maybe(number({ kind: "decimal", least: 0, greatest: 2 })),
    tool_choice: optional(toolChoice),
    tools: optional(tools),
    top_logprobs: maybe(number({ kind: "integer", least: 0, greatest: 20 })),
    top_p: maybe(number({ kind: "decimal", least: 0, greatest: 1 })),
    user: optional(identifier),
    verbosity: maybe(oneOf(["low", "medium", "high"])),
    web_search_options: optional(webSearchOptions),
  },
  argumentRules,
);
