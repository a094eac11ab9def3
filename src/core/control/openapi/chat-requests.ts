import type { JsonSchema } from "../../schema/schema.ts";
import type { ServiceSettings } from "../context.ts";

const text: JsonSchema = { type: "string" };
const flag: JsonSchema = { type: "boolean" };
const tokens: JsonSchema = { type: "integer", minimum: 1 };

function number(minimum: number, maximum: number): JsonSchema {
  return { type: "number", minimum, maximum };
}

function integer(minimum: number, maximum: number): JsonSchema {
  return { type: "integer", minimum, maximum };
}

const tool: JsonSchema = {
  type: "object",
  properties: {
    type: { const: "function" },
    function: {
      type: "object",
      properties: { name: text, description: text, parameters: { type: "object" } },
      required: ["name"],
    },
  },
  required: ["type", "function"],
};

const message: JsonSchema = {
  type: "object",
  properties: {
    role: text,
    content: {
      anyOf: [text, { type: "array", items: { type: "object" } }, { type: "null" }],
    },
  },
  required: ["role"],
};

function orNull(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: "null" }] };
}

/** What has to be there. */
const needed: Readonly<Record<string, JsonSchema>> = {
  messages: { type: "array", items: message, minItems: 1 },
  model: { type: "string", description: "One of the list that can chat.", minLength: 1 },
};

/** What may be left out, or be null, under both profiles. */
const shared: Readonly<Record<string, JsonSchema>> = {
  max_tokens: orNull(tokens),
  max_completion_tokens: orNull(tokens),
  temperature: orNull(number(0, 2)),
  top_p: orNull(number(0, 1)),
  presence_penalty: orNull(number(-2, 2)),
  n: orNull(integer(1, 128)),
  stop: { anyOf: [text, { type: "array", items: text, maxItems: 4 }, { type: "null" }] },
  logprobs: orNull(flag),
  top_logprobs: orNull(integer(0, 20)),
  stream_options: orNull({ type: "object", properties: { include_usage: orNull(flag) } }),
};

/** What may be left out, and be null only under the lenient profile. */
const functions: Readonly<Record<string, JsonSchema>> = {
  response_format: {
    type: "object",
    properties: { type: { enum: ["text", "json_object", "json_schema"] } },
    required: ["type"],
  },
  tools: { type: "array", items: tool },
  tool_choice: { anyOf: [{ enum: ["none", "auto", "required"] }, { type: "object" }] },
};

const functionsOrNull = Object.fromEntries(
  Object.entries(functions).map(([name, schema]) => [name, orNull(schema)]),
);

function request(description: string, own: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return {
    type: "object",
    description,
    properties: { ...needed, ...shared, ...own },
    required: Object.keys(needed),
  };
}

/** What a request for a completion is, under each profile. */
export const chatRequests: Readonly<Record<ServiceSettings["profiles"]["chat"], JsonSchema>> = {
  document: request("Other fields are accepted, and have no effect.", {
    ...functionsOrNull,
    // Where type and description contradict each other, both readings are accepted.
    stream: orNull({ enum: [true, false, 0, 1], description: "Whether deltas are streamed." }),
    frequency_penalty: { anyOf: [flag, number(-2, 2), { type: "null" }] },
  }),
  openai: request(
    "All arguments of the service are known and checked, also those that are not listed here; others are refused.",
    {
      ...functions,
      stream: { type: ["boolean", "null"], description: "Whether deltas are streamed." },
      frequency_penalty: orNull(number(-2, 2)),
    },
  ),
};
