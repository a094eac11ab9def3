import { type ChatRefusal, fields } from "./refused-chats.ts";
import type { Asking } from "./requests.ts";

const hi = { role: "user", content: "hi" };
const call = { id: "call_1", type: "function", function: { name: "f", arguments: "{}" } };
const calling = { role: "assistant", content: null, tool_calls: [call] };
const result = { role: "tool", tool_call_id: "call_1", content: "1" };
const tools = [{ type: "function", function: { name: "f" } }];
const only = "openai";
const badRequest = { status: 400, only } as const;

function messages(...items: readonly unknown[]): Asking {
  return { json: { model: "atlas", messages: items } };
}

/** What the strict profile alone refuses: with those of `chatRefusals`, the whole catalogue of what a request can lack. */
export const strictRefusals: readonly ChatRefusal[] = [
  {
    ...badRequest,
    what: "a request without a model",
    asking: { json: { messages: [hi] } },
    code: null,
  },
  {
    what: "a body that is said to be a form",
    asking: { ...fields({}), headers: { "content-type": "application/x-www-form-urlencoded" } },
    status: 415,
    code: "unsupported_media_type",
    only,
  },
  { ...badRequest, what: "an unknown argument", asking: fields({ top_k: 5 }), code: null },
  {
    ...badRequest,
    what: "an unknown parameter inside an argument",
    asking: fields({ response_format: { type: "text", strict: true } }),
    code: "unknown_parameter",
    param: "response_format.strict",
  },
  {
    ...badRequest,
    what: "a part without a type",
    asking: messages(hi, { ...hi, content: [{ text: "x" }] }),
    code: "missing_required_parameter",
    param: "messages[1].content[0].type",
  },
  {
    ...badRequest,
    what: "content that is null",
    asking: messages({ ...hi, content: null }),
    code: "invalid_type",
    param: "messages[0].content",
  },
  {
    ...badRequest,
    what: "a picture among instructions",
    asking: messages({ role: "system", content: [{ type: "image_url", image_url: { url: "x" } }] }),
    code: "invalid_value",
    param: "messages[0].content[0].type",
  },
  {
    ...badRequest,
    what: "a stream of 1",
    asking: fields({ stream: 1 }),
    code: "invalid_type",
    param: "stream",
  },
  {
    ...badRequest,
    what: "a frequency penalty of true",
    asking: fields({ frequency_penalty: true }),
    code: "invalid_type",
    param: "frequency_penalty",
  },
  {
    ...badRequest,
    what: "an unknown effort",
    asking: fields({ reasoning_effort: "much" }),
    code: "invalid_value",
    param: "reasoning_effort",
  },
  {
    ...badRequest,
    what: "a logit bias that is too low",
    asking: fields({ logit_bias: { 50256: -101 } }),
    code: "integer_below_min_value",
    param: "logit_bias.50256",
  },
  {
    ...badRequest,
    what: "an empty list of tools",
    asking: fields({ tools: [] }),
    code: "empty_array",
    param: "tools",
  },
  {
    ...badRequest,
    what: "129 functions",
    asking: fields({ functions: Array.from({ length: 129 }, () => ({ name: "f" })) }),
    code: "array_above_max_length",
    param: "functions",
  },
  {
    ...badRequest,
    what: "a user of 65 characters",
    asking: fields({ user: "x".repeat(65) }),
    code: "string_above_max_length",
    param: "user",
  },
  {
    ...badRequest,
    what: "17 keys of metadata",
    asking: fields({
      metadata: Object.fromEntries(Array.from({ length: 17 }, (_, index) => [index, ""])),
    }),
    code: "object_above_max_properties",
    param: "metadata",
  },
  {
    ...badRequest,
    what: "a JSON schema without a name",
    asking: fields({ response_format: { type: "json_schema", json_schema: { schema: {} } } }),
    code: "missing_required_parameter",
    param: "response_format.json_schema.name",
  },
  {
    ...badRequest,
    what: "stream options without a stream",
    asking: fields({ stream_options: { include_usage: true } }),
    code: null,
    param: "stream_options",
  },
  {
    ...badRequest,
    what: "top_logprobs without logprobs",
    asking: fields({ top_logprobs: 1 }),
    code: null,
    param: "top_logprobs",
  },
  {
    ...badRequest,
    what: "a tool choice without tools",
    asking: fields({ tool_choice: "auto" }),
    code: null,
    param: "tool_choice",
  },
  {
    ...badRequest,
    what: "the choice of a tool that is not offered",
    asking: fields({ tools, tool_choice: { type: "function", function: { name: "g" } } }),
    code: null,
    param: "tool_choice",
  },
  {
    ...badRequest,
    what: "parallel tool calls without tools",
    asking: fields({ parallel_tool_calls: true }),
    code: null,
    param: "parallel_tool_calls",
  },
  {
    ...badRequest,
    what: "a tool message without a call",
    asking: messages(hi, hi, hi, result),
    code: null,
    param: "messages.[3].role",
  },
  {
    ...badRequest,
    what: "a tool call without a message",
    asking: messages(hi, calling, hi),
    code: null,
    param: "messages.[2].role",
  },
];
