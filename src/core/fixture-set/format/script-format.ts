import type {
  Logprobs,
  ScriptChoice,
  ScriptError,
  ScriptReply,
  Script,
} from "../../chat/scripts/script.ts";
import { closedObject, optional, required, namedValues } from "../../schema/objects.ts";
import { type Schema, type SchemaRun, withRule } from "../../schema/schema.ts";
import {
  arrayOf,
  nullable,
  number,
  text,
  byKind,
  count,
  jsonValue,
  nonEmptyArray,
  nonEmptyText,
  milliseconds,
  oneOf,
  positiveCount,
} from "../../schema/values.ts";
import { pace } from "../../settings/config-keys.ts";
import { chunk, toolCall } from "./chunk-format.ts";
import { faultSchema } from "./fault-format.ts";
import { needsKey, whenSchema } from "./when-format.ts";

const byte = number({ whole: true, least: 0, most: 255 });

const tokenKeys = {
  token: required(text, "The token."),
  logprob: required(number({ most: 0 }), "The natural logarithm of the token's probability."),
  bytes: required(nullable(arrayOf(byte)), "The token's UTF-8, or null."),
};

const tokens = nullable(
  arrayOf(
    closedObject({
      ...tokenKeys,
      top_logprobs: required(
        arrayOf(closedObject(tokenKeys)),
        "The most likely tokens at this place.",
      ),
    }),
  ),
);

/** The probabilities of a choice's tokens. */
export const logprobsSchema: Schema<Partial<Logprobs>> = closedObject({
  content: optional(tokens, "Probabilities of the content's tokens."),
  refusal: optional(tokens, "Probabilities of the refusal's tokens."),
});

const error: Schema<ScriptError> = closedObject({
  status: required(number({ whole: true, least: 400, most: 599 }), "The status code."),
  message: optional(
    text,
    "The error's message, which can be a template. Default: what the service says with the status.",
  ),
  type: optional(text, "The kind of error. Default: derived from the status."),
  code: optional(nullable(text), "The error's code."),
  param: optional(nullable(text), "The parameter at fault."),
  extra: optional(
    namedValues(jsonValue),
    "More keys beside the message, such as `innererror`, sent as they are.",
  ),
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
    "The text, or null. It is a Liquid template that can use `user`, `model`, `messages`, `match`, `request`, `headers`, `tools`, `tables` and the filter `faker`. An object or array is sent as JSON text.",
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

const moreKeys = namedValues(jsonValue);

const choiceExtra = {
  message: optional(moreKeys, "In the message of a JSON reply."),
  delta: optional(moreKeys, "In the first delta of a stream."),
  choice: optional(moreKeys, "Beside the message, and in each chunk beside the delta."),
};

const choiceSchema: Schema<ScriptChoice> = closedObject({
  ...choiceKeys,
  extra: optional(closedObject(choiceExtra), "More keys, sent as they are."),
});

const replyKeys: Schema<ScriptReply> = closedObject({
  ...choiceKeys,
  choices: optional(
    nonEmptyArray(choiceSchema),
    "One reply per choice, for requests with `n` > 1. If `n` is larger, they repeat from the first.",
  ),
  extra: optional(
    closedObject({
      ...choiceExtra,
      body: optional(moreKeys, "Beside the choices, and in each chunk."),
    }),
    "More keys, sent as they are. They replace those of the same name.",
  ),
  usage: optional(usage, "Token counts to send instead of the real ones."),
  model: optional(nonEmptyText, "The model that the reply names."),
  id: optional(nonEmptyText, "The reply's id. Default: made from the seed."),
  headers: optional(namedValues(text), "Headers added to the response. Values can be templates."),
  pace: optional(pace, "How fast the stream is sent. Default: no delays."),
  error: optional(error, "An error instead of a completion."),
  body: optional(
    jsonValue,
    "JSON in place of the reply, sent as it is, to a request for a stream too.",
  ),
  status: optional(
    number({ whole: true, least: 200, most: 599 }),
    "The status of `body`. Default: 200.",
  ),
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

/** A script as written: `reply` or `replies`, and an optional name. */
export interface ScriptInput extends Partial<Omit<Script, "replies">> {
  readonly reply?: ScriptReply;
  readonly replies?: readonly ScriptReply[];
}

const script: Schema<ScriptInput> = closedObject({
  name: optional(nonEmptyText, "A unique name. Default: file name and position."),
  when: optional(whenSchema, "The conditions. All must be true. Default: any request."),
  times: optional(positiveCount, "How many times it matches. Default: always."),
  // Without a description: the JSON Schema refers to it instead of repeating it.
  reply: optional(replySchema),
  replies: optional(nonEmptyArray(replySchema), "Replies in turn, by what `count` counts."),
  after: optional(
    oneOf(["repeat", "cycle", "end"]),
    "After the last of `replies`: repeat the last, start over, or stop matching. Default: `repeat`.",
  ),
  count: optional(
    oneOf(["match", "step", "turn"]),
    "What tells which of `replies` comes: how often the script has matched, or the conversation's `step` or `turn`. Default: `match`.",
  ),
});

/** A chat script. */
export const scriptSchema: Schema<ScriptInput> = {
  check: withRule(script, checkReplies).check,
  json: (refer) => ({
    ...script.json(refer),
    oneOf: [{ required: ["reply"] }, { required: ["replies"] }],
    allOf: [needsKey("after", "replies"), needsKey("count", "replies")],
  }),
};

function checkReplies(
  { reply, replies, after, count: counted }: ScriptInput,
  run: SchemaRun,
): void {
  if (reply === undefined && replies === undefined) {
    run.refuse(`A script needs "reply", or several "replies".`);
  }
  if (reply !== undefined && replies !== undefined) {
    const message = `Give "reply" or "replies", not both. Make "reply" the first of "replies".`;
    run.refuse(message, "replies");
  }
  if (after !== undefined && replies === undefined) {
    const instead = after === "end" ? `Write "times": 1 instead.` : "Remove it.";
    const message = `"after" needs "replies": it decides what follows the last one. ${instead}`;
    run.refuse(message, "after");
  }
  if (counted !== undefined && replies === undefined) {
    const message = `"count" needs "replies": it decides which of them comes. Remove it.`;
    run.refuse(message, "count");
  }
}
