import { pace } from "../../settings/config-keys.ts";
import type {
  ScriptChoice,
  ScriptChunk,
  ScriptError,
  ScriptReply,
  ScriptToolCall,
} from "../../chat/scripts/script.ts";
import { closedObject, namedValues, optional, required } from "../../schema/objects.ts";
import { byLeadKey } from "../../schema/tagged-objects.ts";
import {
  arrayOf,
  byKind,
  count,
  jsonValue,
  milliseconds,
  nonEmptyArray,
  nonEmptyText,
  nullable,
  number,
  text,
} from "../../schema/values.ts";
import { chunkFaultSchema, faultSchema } from "./fault-format.ts";
import { logprobsSchema } from "./logprobs-format.ts";
import type { Schema } from "../../schema/schema.ts";

const toolCall: Schema<ScriptToolCall> = closedObject({
  id: optional(nonEmptyText, "The call's id. Default: made from the seed."),
  name: required(nonEmptyText, "The function's name."),
  arguments: optional(
    byKind("an object or a text", { string: text, object: namedValues(jsonValue) }),
    "An object is sent as JSON text, a string unchanged. Default: an empty object.",
  ),
});

const chunkObject = byLeadKey({
  wait: closedObject({ wait: required(milliseconds, "Milliseconds before the next step.") }),
  reasoning: closedObject({ reasoning: required(text, "A piece of reasoning.") }),
  toolCall: closedObject({ toolCall: required(toolCall, "A tool call.") }),
  comment: closedObject({ comment: required(text, "An SSE comment line.") }),
  raw: closedObject({ raw: required(text, "Text that is sent unchanged.") }),
  fault: closedObject({ fault: required(chunkFaultSchema, "A fault at this point.") }),
});

const chunk: Schema<ScriptChunk> = byKind(
  `a text, or an object with "wait", "reasoning", "toolCall", "comment", "raw" or "fault"`,
  { string: text, object: chunkObject },
);

const error: Schema<ScriptError> = closedObject({
  status: required(number({ whole: true, least: 400, most: 599 }), "The status code."),
  message: required(text, "The error's message."),
  type: optional(text, "The kind of error. Default: derived from the status."),
  code: optional(nullable(text), "The error's code."),
  param: optional(nullable(text), "The parameter at fault."),
  retryAfterMs: optional(milliseconds, "Sent as `retry-after-ms` and `retry-after`."),
});

const usage = closedObject({
  prompt_tokens: optional(count, "Tokens of the request. Default: counted."),
  completion_tokens: optional(count, "Tokens of the reply. Default: counted."),
  total_tokens: optional(count, "All tokens. Default: the sum."),
  prompt_tokens_details: optional(
    namedValues(count),
    "Counts by name, such as `cached_tokens`. Default: sent only with reasoning.",
  ),
  completion_tokens_details: optional(
    namedValues(count),
    "Counts by name, such as `reasoning_tokens`. Default: sent only with reasoning.",
  ),
});

const content = nullable(
  byKind("a text, or an object or array to be sent as JSON text", {
    string: text,
    object: namedValues(jsonValue),
    array: arrayOf(jsonValue),
  }),
);

const choiceKeys = {
  content: optional(
    content,
    "The text, or null. It is a Liquid template that can use `user`, `model`, `messages`, `match`, `tables` and the filter `faker`. An object or array is sent as JSON text.",
  ),
  chunks: optional(
    nonEmptyArray(chunk),
    "The steps of the stream. They replace `content`, `reasoning` and `toolCalls`.",
  ),
  toolCalls: optional(nonEmptyArray(toolCall), "Tool calls."),
  reasoning: optional(text, "Reasoning, sent before the content."),
  refusal: optional(text, "A refusal."),
  logprobs: optional(
    logprobsSchema,
    "Token probabilities, as on the wire. Default: made up from the seed when a request asks for them.",
  ),
  finishReason: optional(
    nonEmptyText,
    "Why the reply ended. Default: `tool_calls` with tool calls, else `stop`.",
  ),
};

const choiceSchema: Schema<ScriptChoice> = closedObject(choiceKeys);

const replyKeys: Schema<ScriptReply> = closedObject({
  ...choiceKeys,
  choices: optional(
    nonEmptyArray(choiceSchema),
    "One reply per choice, for requests with `n` > 1. If `n` is larger, they repeat from the first.",
  ),
  usage: optional(usage, "Token counts to send instead of the real ones."),
  model: optional(nonEmptyText, "The model that the reply names."),
  id: optional(nonEmptyText, "The reply's id. Default: made from the seed."),
  headers: optional(namedValues(text), "Headers added to the response."),
  pace: optional(pace, "How fast the stream is sent. Default: no delays."),
  error: optional(error, "An error instead of a completion."),
  fault: optional(faultSchema, "A fault of the reply."),
});

/** What a script answers. */
export const replySchema: Schema<ScriptReply> = {
  check: (value, run) => {
    // A frequent mistake: the text alone.
    if (typeof value === "string") {
      const shown = value.length <= 40 ? JSON.stringify(value) : `"…"`;
      run.mustBe(`an object such as {"content": ${shown}}`, value);
    } else replyKeys.check(value, run);
  },
  json: replyKeys.json,
};
