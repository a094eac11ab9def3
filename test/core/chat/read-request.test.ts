import { expect, test } from "vitest";
import { bodyOf, chatBody, chatContext, post } from "./support.ts";

const longName = "x".repeat(10_000);

function messages(...items: unknown[]): object {
  return { model: "atlas", messages: items };
}

const user = { role: "user", content: "Hi" };

test.each<[string, unknown, string | null, string | null]>([
  ["an array", [], "invalid_type", null],
  ["null", null, "invalid_type", null],
  ["a text", '"text"', "invalid_type", null],
  ["no model", { messages: [user] }, "missing_required_parameter", "model"],
  ["an empty model", chatBody({ model: "" }), "missing_required_parameter", "model"],
  ["a model that is a number", chatBody({ model: 5 }), "invalid_type", "model"],
  ["no messages", { model: "atlas" }, "missing_required_parameter", "messages"],
  ["messages that are a text", chatBody({ messages: "Hi" }), "invalid_type", "messages"],
  ["no message at all", messages(), "empty_array", "messages"],
  ["a message that is a text", messages("Hi"), "invalid_type", "messages[0]"],
  [
    "a message without a role",
    messages({ content: "Hi" }),
    "missing_required_parameter",
    "messages[0].role",
  ],
  [
    "a role that is a number",
    messages({ role: 1, content: "" }),
    "invalid_type",
    "messages[0].role",
  ],
  [
    "an unknown role",
    messages(user, { role: "usr", content: "" }),
    "invalid_value",
    "messages[1].role",
  ],
  [
    "a message without content",
    messages({ role: "user" }),
    "missing_required_parameter",
    "messages[0].content",
  ],
  [
    "a content that is a number",
    messages({ role: "user", content: 5 }),
    "invalid_type",
    "messages[0].content",
  ],
  [
    "a part that is a text",
    messages({ role: "user", content: ["Hi"] }),
    "invalid_type",
    "messages[0].content[0]",
  ],
  [
    "a part without a type",
    messages({ role: "user", content: [{}] }),
    "missing_required_parameter",
    "messages[0].content[0].type",
  ],
  [
    "a text part without text",
    messages({ role: "user", content: [{ type: "text" }] }),
    "missing_required_parameter",
    "messages[0].content[0].text",
  ],
  [
    "a tool message without an id",
    messages({ role: "tool", content: "x" }),
    "missing_required_parameter",
    "messages[0].tool_call_id",
  ],
  [
    "tool calls that are an object",
    messages({ role: "assistant", tool_calls: {} }),
    "invalid_type",
    "messages[0].tool_calls",
  ],
  [
    "a tool call without a name",
    messages({ role: "assistant", tool_calls: [{ id: "a", function: {} }] }),
    "missing_required_parameter",
    "messages[0].tool_calls[0].function.name",
  ],
  ["a stream of text", chatBody({ stream: "true" }), "invalid_type", "stream"],
  [
    "a temperature over 2",
    chatBody({ temperature: 2.1 }),
    "decimal_above_max_value",
    "temperature",
  ],
  [
    "a temperature below 0",
    chatBody({ temperature: -1 }),
    "decimal_below_min_value",
    "temperature",
  ],
  ["a temperature of text", chatBody({ temperature: "1" }), "invalid_type", "temperature"],
  ["a top_p over 1", chatBody({ top_p: 2 }), "decimal_above_max_value", "top_p"],
  [
    "a frequency_penalty below -2",
    chatBody({ frequency_penalty: -2.5 }),
    "decimal_below_min_value",
    "frequency_penalty",
  ],
  [
    "a frequency_penalty of text",
    chatBody({ frequency_penalty: "0" }),
    "invalid_type",
    "frequency_penalty",
  ],
  [
    "a presence_penalty that is a boolean",
    chatBody({ presence_penalty: true }),
    "invalid_type",
    "presence_penalty",
  ],
  ["an n of 0", chatBody({ n: 0 }), "integer_below_min_value", "n"],
  ["an n of 129", chatBody({ n: 129 }), "integer_above_max_value", "n"],
  ["an n of 1.5", chatBody({ n: 1.5 }), "invalid_type", "n"],
  ["max_tokens of 0", chatBody({ max_tokens: 0 }), "integer_below_min_value", "max_tokens"],
  [
    "max_completion_tokens of text",
    chatBody({ max_completion_tokens: "5" }),
    "invalid_type",
    "max_completion_tokens",
  ],
  ["tools that are an object", chatBody({ tools: {} }), "invalid_type", "tools"],
  [
    "a tool of another type",
    chatBody({ tools: [{ type: "retrieval" }] }),
    "invalid_value",
    "tools[0].type",
  ],
  [
    "a tool whose type is an odd object",
    chatBody({ tools: [{ type: { toString: 1 } }] }),
    "invalid_type",
    "tools[0].type",
  ],
  [
    "a tool without a function",
    chatBody({ tools: [{ type: "function" }] }),
    "missing_required_parameter",
    "tools[0].function",
  ],
  [
    "a function without a name",
    chatBody({ tools: [{ type: "function", function: {} }] }),
    "missing_required_parameter",
    "tools[0].function.name",
  ],
  [
    "a function name with a space",
    chatBody({ tools: [{ type: "function", function: { name: "get weather" } }] }),
    "invalid_value",
    "tools[0].function.name",
  ],
  [
    "a function name of 65 characters",
    chatBody({ tools: [{ type: "function", function: { name: "x".repeat(65) } }] }),
    "string_above_max_length",
    "tools[0].function.name",
  ],
  [
    "a function name and a line break",
    chatBody({ tools: [{ type: "function", function: { name: "f\n" } }] }),
    "invalid_value",
    "tools[0].function.name",
  ],
  [
    "a name that is a number",
    messages(user, { ...user, name: 5 }),
    "invalid_type",
    "messages[1].name",
  ],
  [
    "past arguments that are an object",
    messages({
      role: "assistant",
      tool_calls: [{ id: "a", function: { name: "f", arguments: {} } }],
    }),
    "invalid_type",
    "messages[0].tool_calls[0].function.arguments",
  ],
  [
    "stream options that are a text",
    chatBody({ stream_options: "x" }),
    "invalid_type",
    "stream_options",
  ],
  [
    "an include_usage of 1",
    chatBody({ stream_options: { include_usage: 1 } }),
    "invalid_type",
    "stream_options.include_usage",
  ],
])("refuses %s with 400", async (_, body, code, param) => {
  const reply = await post(chatContext(), body ?? "null");
  expect(reply.status).toBe(400);
  const { error } = bodyOf(reply);
  expect(error).toEqual({
    message: expect.stringMatching(/^Cannot read the request: /),
    type: "invalid_request_error",
    param,
    code,
  });
});

test.each<[object]>([
  [{ temperature: 0, top_p: 1, n: 1, max_tokens: 1 }],
  [{ temperature: null, stream: null, tools: null, n: null, stream_options: null }],
  [{ frequency_penalty: true }],
  [{ frequency_penalty: false }],
  [{ frequency_penalty: -2 }],
  [{ stream: 0 }],
  [{ stream: false }],
  [{ stream_options: { include_usage: true } }],
  [{ tools: [{ type: "function", function: { name: "f" } }] }],
  [{ messages: [{ role: "user", content: "Hi", name: null, tool_calls: null }] }],
  [{ tools: [{ type: "function", function: { name: "get_Weather-2" } }] }],
  [{ anything: { else: [1] } }],
])("accepts %j", async (more) => {
  expect(await post(chatContext(), chatBody(more))).toMatchObject({
    status: 200,
    body: { kind: "text" },
  });
});

test.each([[true], [1]])("streams when `stream` is %j", async (stream) => {
  const reply = await post(chatContext(), chatBody({ stream }));
  expect(reply).toMatchObject({ status: 200, body: { kind: "stream" } });
});

test("names the value of a wrong `stream` and what it can be", async () => {
  const { error } = bodyOf(await post(chatContext(), chatBody({ stream: "yes" })));
  expect(error.message).toBe(
    'Cannot read the request: "stream" must be true, false or a number, but it is the string "yes".',
  );
});

test("names the nearest role of an unknown one", async () => {
  const { error } = bodyOf(await post(chatContext(), messages({ role: "sytem", content: "" })));
  expect(error.message).toContain('Did you mean "system"?');
});

test("accepts all six roles, and an assistant message of tool calls only", async () => {
  const body = messages(
    { role: "system", content: "a" },
    { role: "developer", content: "b" },
    { role: "assistant", content: null, tool_calls: [{ id: "1", function: { name: "f" } }] },
    { role: "tool", tool_call_id: "1", content: "c" },
    { role: "function", name: "f", content: "d" },
    user,
  );
  expect(await post(chatContext(), body)).toMatchObject({ status: 200 });
});

test("cuts a long value that it names", async () => {
  const { error } = bodyOf(await post(chatContext(), chatBody({ stream: longName })));
  expect(error.message.length).toBeLessThan(300);
});

test("answers 400 with a hint when the body is not JSON", async () => {
  const reply = await post(chatContext(), "{model: atlas}");
  expect(reply.status).toBe(400);
  expect(bodyOf(reply).error).toEqual({
    message: expect.stringMatching(/its body is not JSON \(.*\)\. Send one JSON object/),
    type: "invalid_request_error",
    param: null,
    code: null,
  });
});
