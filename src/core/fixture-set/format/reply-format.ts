import { pace } from "../config-settings.ts";
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
  id: optional(nonEmptyText, "The id of the call. Default: made from the seed."),
  name: required(nonEmptyText, "The function's name."),
  arguments: optional(
    byKind("an object or a text", { string: text, object: namedValues(jsonValue) }),
    "An object is sent as its JSON text, a text as it is. Default: an empty object.",
  ),
});

const chunkObject = byLeadKey({
  wait: closedObject({ wait: required(milliseconds, "Milliseconds before the next step.") }),
  reasoning: closedObject({ reasoning: required(text, "A piece of reasoning.") }),
  toolCall: closedObject({ toolCall: required(toolCall, "A tool call.") }),
  comment: closedObject({ comment: required(text, "An SSE comment line.") }),
  raw: closedObject({ raw: required(text, "Bytes put on the wire as they are.") }),
  fault: closedObject({ fault: required(chunkFaultSchema, "What goes wrong at this place.") }),
});

const chunk: Schema<ScriptChunk> = byKind(
  `a text, or an object with "wait", "reasoning", "toolCall", "comment", "raw" or "fault"`,
  { string: text, object: chunkObject },
);

const error: Schema<ScriptError> = closedObject({
  status: required(number({ whole: true, least: 400, most: 599 }), "The status code."),
  message: required(text, "What went wrong."),
  type: optional(text, "The kind of error. Default: by the status."),
  code: optional(nullable(text), "The error's code."),
  param: optional(nullable(text), "The parameter that is to blame."),
  retryAfterMs: optional(milliseconds, "Sent as `retry-after-ms` and `retry-after`."),
});

const usage = closedObject({
  prompt_tokens: optional(count, "Those of the request. Default: counted."),
  completion_tokens: optional(count, "Those of the reply. Default: counted."),
  total_tokens: optional(count, "Both together. Default: the sum."),
  prompt_tokens_details: optional(
    namedValues(count),
    "Counts by name, such as `cached_tokens`. Default: beside reasoning only.",
  ),
  completion_tokens_details: optional(
    namedValues(count),
    "Counts by name, such as `reasoning_tokens`. Default: beside reasoning only.",
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
    "The text, or null. A Liquid template: `user`, `model`, `messages`, `match`, `tables`, filter `faker`. An object or array is sent as its JSON text.",
  ),
  chunks: optional(
    nonEmptyArray(chunk),
    "The stream's steps, instead of `content`, `reasoning` and `toolCalls`, which they can say too.",
  ),
  toolCalls: optional(nonEmptyArray(toolCall), "Tool calls."),
  reasoning: optional(text, "Reasoning, sent before the content."),
  refusal: optional(text, "A refusal."),
  logprobs: optional(
    logprobsSchema,
    "Probabilities of tokens, as on the wire. Default: made up from the seed for requests that ask for them.",
  ),
  finishReason: optional(
    nonEmptyText,
    "Why the reply ended. Default: `stop`, or `tool_calls` where there are some.",
  ),
};

const choiceSchema: Schema<ScriptChoice> = closedObject(choiceKeys);

const replyKeys: Schema<ScriptReply> = closedObject({
  ...choiceKeys,
  choices: optional(
    nonEmptyArray(choiceSchema),
    "What each choice says, for requests with `n` > 1; more wanted than given: again from the first.",
  ),
  usage: optional(usage, "Token counts, where the counted ones are not wanted."),
  model: optional(nonEmptyText, "The model that the reply names."),
  id: optional(nonEmptyText, "The reply's id. Default: made from the seed."),
  headers: optional(namedValues(text), "Headers added to the response."),
  pace: optional(pace, "How fast a stream comes. Default: at once."),
  error: optional(error, "An error instead of a completion."),
  fault: optional(faultSchema, "What goes wrong with the reply."),
});

/** What a script answers. */
export const replySchema: Schema<ScriptReply> = {
  check: (value, run) => {
    // What many write first.
    if (typeof value === "string") {
      const shown = value.length <= 40 ? JSON.stringify(value) : `"…"`;
      run.mustBe(`an object such as {"content": ${shown}}`, value);
    } else replyKeys.check(value, run);
  },
  json: replyKeys.json,
};
