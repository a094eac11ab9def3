import type { JsonSchema } from "../../schema/schema.ts";
import { component, count, listOf, nullable, objectOf, text } from "./schemas.ts";

const maybeText = nullable("string");
const maybeObject = nullable("object");
const tokenDetails: JsonSchema = { type: "object", additionalProperties: count };

const usage = objectOf({
  prompt_tokens: count,
  completion_tokens: count,
  total_tokens: count,
  "prompt_tokens_details?": tokenDetails,
  "completion_tokens_details?": tokenDetails,
});

const toolCall = objectOf({
  id: text,
  type: { const: "function" },
  function: objectOf({ name: text, arguments: { ...text, description: "JSON text." } }),
});

const message = objectOf({
  role: { const: "assistant" },
  content: maybeText,
  refusal: maybeText,
  "reasoning_content?": text,
  "tool_calls?": listOf(toolCall),
});

/** A call's name is in its first piece, and its arguments come bit by bit. */
const callPiece = objectOf({
  index: count,
  "id?": text,
  "type?": { const: "function" },
  function: objectOf({ "name?": text, arguments: text }),
});

const delta = objectOf({
  "role?": { const: "assistant" },
  "content?": maybeText,
  "refusal?": maybeText,
  "reasoning_content?": text,
  "tool_calls?": listOf(callPiece),
});

/** The schemas of chat that all profiles share. */
export const chatSchemas: Readonly<Record<string, JsonSchema>> = {
  ChatCompletion: objectOf({
    id: text,
    object: { const: "chat.completion" },
    created: count,
    model: { ...text, description: "May be a more specific variant of the requested model." },
    choices: listOf(
      objectOf({ index: count, message, logprobs: maybeObject, finish_reason: text }),
    ),
    usage,
    system_fingerprint: maybeText,
  }),
  ChatCompletionChunk: objectOf({
    id: text,
    object: { const: "chat.completion.chunk" },
    created: count,
    model: text,
    system_fingerprint: maybeText,
    choices: listOf(
      objectOf({ index: count, delta, logprobs: maybeObject, finish_reason: maybeText }),
    ),
    "usage?": { anyOf: [usage, { type: "null" }] },
  }),
  Model: objectOf({ id: text, object: { const: "model" }, created: count, owned_by: text }),
  ModelList: objectOf({ object: { const: "list" }, data: listOf(component("Model")) }),
  ChatError: objectOf({
    error: objectOf({ message: text, type: text, param: maybeText, code: maybeText }),
  }),
};
