import { asking } from "./contract-chats.ts";
import type { Asking } from "./requests.ts";

const hi = { role: "user", content: "hi" };

/** A request to chat that is refused, and how. Without a line it is one for a completion. */
export interface ChatRefusal {
  readonly what: string;
  readonly line?: string;
  readonly asking?: Asking;
  readonly status: number;
  readonly code: string | null;
  readonly param?: string;
  /** The profile that alone refuses it so. Default: both do. */
  readonly only?: "document" | "openai";
}

/** A valid request with more fields. */
export function fields(extra: object): Asking {
  return { json: asking("hi", extra) };
}

function messages(...items: readonly unknown[]): Asking {
  return { json: { model: "atlas", messages: items } };
}

/** What chat refuses in either profile. */
export const chatRefusals: readonly ChatRefusal[] = [
  {
    what: "a request without a key",
    asking: { ...fields({}), token: null },
    status: 401,
    code: null,
  },
  {
    what: "a wrong key",
    asking: { ...fields({}), token: "sk-not-this-one-1234" },
    status: 401,
    code: "invalid_api_key",
  },
  { what: "an unknown path", line: "GET /v1/images", status: 404, code: "unknown_url" },
  {
    what: "an unknown path with a body",
    line: "POST /v1/moderations",
    asking: { json: {} },
    status: 404,
    code: "unknown_url",
  },
  {
    what: "PUT of completions",
    line: "PUT /v1/chat/completions",
    status: 405,
    code: "method_not_supported",
  },
  {
    what: "POST to models",
    line: "POST /v1/models",
    asking: { json: {} },
    status: 405,
    code: "method_not_supported",
  },
  {
    what: "DELETE of a model",
    line: "DELETE /v1/models/atlas",
    status: 405,
    code: "method_not_supported",
  },
  { what: "a body that is not JSON", asking: { body: "{model:" }, status: 400, code: null },
  { what: "an empty body", asking: { body: "" }, status: 400, code: null },
  {
    what: "a body nested too deeply",
    asking: { body: `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}` },
    status: 400,
    code: null,
  },
  { what: "a body that is an array", asking: { json: [] }, status: 400, code: "invalid_type" },
  { what: "a body that is null", asking: { json: null }, status: 400, code: "invalid_type" },
  {
    what: "no model",
    asking: { json: { messages: [hi] } },
    status: 400,
    code: "missing_required_parameter",
    param: "model",
    only: "document",
  },
  {
    what: "a model that is no text",
    asking: { json: { model: 5, messages: [hi] } },
    status: 400,
    code: "invalid_type",
    param: "model",
  },
  {
    what: "no messages",
    asking: { json: { model: "atlas" } },
    status: 400,
    code: "missing_required_parameter",
    param: "messages",
  },
  {
    what: "messages that are a text",
    asking: { json: { model: "atlas", messages: "hi" } },
    status: 400,
    code: "invalid_type",
    param: "messages",
  },
  {
    what: "an empty list of messages",
    asking: messages(),
    status: 400,
    code: "empty_array",
    param: "messages",
  },
  {
    what: "a message that is a text",
    asking: messages("hi"),
    status: 400,
    code: "invalid_type",
    param: "messages[0]",
  },
  {
    what: "a message without a role",
    asking: messages(hi, { content: "x" }),
    status: 400,
    code: "missing_required_parameter",
    param: "messages[1].role",
  },
  {
    what: "an unknown role",
    asking: messages({ role: "robot", content: "x" }),
    status: 400,
    code: "invalid_value",
    param: "messages[0].role",
  },
  {
    what: "a user message without content",
    asking: messages({ role: "user" }),
    status: 400,
    code: "missing_required_parameter",
    param: "messages[0].content",
  },
  {
    what: "content that is a number",
    asking: messages({ role: "user", content: 5 }),
    status: 400,
    code: "invalid_type",
    param: "messages[0].content",
  },
  {
    what: "a tool message without its call",
    asking: messages(hi, { role: "tool", content: "x" }),
    status: 400,
    code: "missing_required_parameter",
    param: "messages[1].tool_call_id",
  },
  {
    what: "a temperature that is too high",
    asking: fields({ temperature: 2.1 }),
    status: 400,
    code: "decimal_above_max_value",
    param: "temperature",
  },
  {
    what: "a temperature that is too low",
    asking: fields({ temperature: -1 }),
    status: 400,
    code: "decimal_below_min_value",
    param: "temperature",
  },
  {
    what: "a temperature that is a text",
    asking: fields({ temperature: "1" }),
    status: 400,
    code: "invalid_type",
    param: "temperature",
  },
  {
    what: "a frequency penalty that is too high",
    asking: fields({ frequency_penalty: 3 }),
    status: 400,
    code: "decimal_above_max_value",
    param: "frequency_penalty",
  },
  {
    what: "tools that are no functions",
    asking: fields({ tools: [{ type: "browser" }] }),
    status: 400,
    code: "invalid_value",
    param: "tools[0].type",
  },
  {
    what: "n of 0",
    asking: fields({ n: 0 }),
    status: 400,
    code: "integer_below_min_value",
    param: "n",
  },
  {
    what: "five stop sequences",
    asking: fields({ stop: ["a", "b", "c", "d", "e"] }),
    status: 400,
    code: "array_above_max_length",
    param: "stop",
  },
  {
    what: "top_logprobs over 20",
    asking: fields({ top_logprobs: 21 }),
    status: 400,
    code: "integer_above_max_value",
    param: "top_logprobs",
  },
  {
    what: "logprobs that are a number",
    asking: fields({ logprobs: 1 }),
    status: 400,
    code: "invalid_type",
    param: "logprobs",
  },
  {
    what: "an unknown tool choice",
    asking: fields({ tool_choice: "any" }),
    status: 400,
    code: "invalid_value",
    param: "tool_choice",
  },
  {
    what: "an unknown response format",
    asking: fields({ response_format: { type: "xml" } }),
    status: 400,
    code: "invalid_value",
    param: "response_format.type",
  },
  {
    what: "a function name with a space",
    asking: fields({ tools: [{ type: "function", function: { name: "a b" } }] }),
    status: 400,
    code: "invalid_value",
    param: "tools[0].function.name",
  },
  {
    what: "a name that is a number",
    asking: messages({ ...hi, name: 5 }),
    status: 400,
    code: "invalid_type",
    param: "messages[0].name",
  },
  {
    what: "arguments of a past call that are an object",
    asking: messages({
      role: "assistant",
      tool_calls: [{ id: "a", type: "function", function: { name: "f", arguments: {} } }],
    }),
    status: 400,
    code: "invalid_type",
    param: "messages[0].tool_calls[0].function.arguments",
  },
  {
    what: "an unknown model",
    asking: fields({ model: "atlsa" }),
    status: 404,
    code: "model_not_found",
  },
  {
    what: "a model that cannot chat",
    asking: fields({ model: "atlas-embed" }),
    status: 404,
    code: "model_not_supported",
    param: "model",
  },
];
