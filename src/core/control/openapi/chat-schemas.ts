import type { JsonSchema } from "../../schema/schema.ts";
import { component, count, listOf, nullable, objectOf, text } from "./schemas.ts";

const maybeText = nullable("string");
const maybeObject = nullable("object");

function object(
  properties: Readonly<Record<string, JsonSchema>>,
  optional: readonly string[] = [],
): JsonSchema {
  return objectOf(
    properties,
    Object.keys(properties).filter((name) => !optional.includes(name)),
  );
}

const tokenDetails: JsonSchema = { type: "object", additionalProperties: count };

const usage = object(
  {
    prompt_tokens: count,
    completion_tokens: count,
    total_tokens: count,
    prompt_tokens_details: tokenDetails,
    completion_tokens_details: tokenDetails,
  },
  ["prompt_tokens_details", "completion_tokens_details"],
);

const toolCall = object({
  id: text,
  type: { const: "function" },
  function: object({ name: text, arguments: { type: "string", description: "JSON text." } }),
});

const message = object(
  {
    role: { const: "assistant" },
    content: maybeText,
    refusal: maybeText,
    reasoning_content: text,
    tool_calls: listOf(toolCall),
  },
  ["reasoning_content", "tool_calls"],
);

/** A call's name is in its first piece, and its arguments come bit by bit. */
const callPiece = object(
  {
    index: count,
    id: text,
    type: { const: "function" },
    function: object({ name: text, arguments: text }, ["name"]),
  },
  ["id", "type"],
);

const deltaProperties = {
  role: { const: "assistant" },
  content: maybeText,
  refusal: maybeText,
  reasoning_content: text,
  tool_calls: listOf(callPiece),
};

/** The schemas of chat that all profiles share. */
export const chatSchemas: Readonly<Record<string, JsonSchema>> = {
  ChatCompletion: object({
    id: text,
    object: { const: "chat.completion" },
    created: count,
    model: {
      type: "string",
      description: "May be a more specific variant of the requested model.",
    },
    choices: listOf(object({ index: count, message, logprobs: maybeObject, finish_reason: text })),
    usage,
    system_fingerprint: maybeText,
  }),
  ChatCompletionChunk: object(
    {
      id: text,
      object: { const: "chat.completion.chunk" },
      created: count,
      model: text,
      system_fingerprint: maybeText,
      choices: listOf(
        object({
          index: count,
          delta: object(deltaProperties, Object.keys(deltaProperties)),
          logprobs: maybeObject,
          finish_reason: maybeText,
        }),
      ),
      usage: { anyOf: [usage, { type: "null" }] },
    },
    ["usage"],
  ),
  Model: object({ id: text, object: { const: "model" }, created: count, owned_by: text }),
  ModelList: object({ object: { const: "list" }, data: listOf(component("Model")) }),
  ChatError: object({
    error: object({ message: text, type: text, param: maybeText, code: maybeText }),
  }),
};
