import { expect, test } from "vitest";
import { openaiProfile } from "../../../src/core/chat/profiles.ts";
import { bodyOf, chatBody, chatContext, model, post } from "./support.ts";

const user = { role: "user", content: "Hi" };
const image = { type: "image_url", image_url: { url: "https://example.com/a.png" } };
const tool = { type: "function", function: { name: "f" } };
const call = { id: "a", type: "function", function: { name: "f", arguments: "{}" } };
const customCall = { id: "b", type: "custom", custom: { name: "g", input: "x" } };
const long = "x".repeat(65);
const strictObject = { type: "object", properties: {}, required: [], additionalProperties: false };

function messages(...items: unknown[]): object {
  return { model: "atlas", messages: items };
}

/** What a strict chat answers to a body. */
async function strictly(body: unknown, headers: Readonly<Record<string, string>> = {}) {
  return post(chatContext({ profile: openaiProfile }), body, headers);
}

test.each<[string, unknown]>([
  ["messages[0].content[1].type", messages({ ...user, content: [image, {}] })],
  ["messages[1].tool_calls[0].id", messages(user, assistant({ ...call, id: undefined }))],
  ["messages[0].content[0].image_url.url", parts({ ...image, image_url: {} })],
  ["messages[0].name", messages({ role: "function", content: "1" })],
  ["messages[0].content", messages({ role: "assistant" })],
  ["response_format.json_schema", chatBody({ response_format: { type: "json_schema" } })],
  ["response_format.json_schema.name", schema({ schema: {} })],
  ["audio.voice", chatBody({ audio: { format: "mp3" } })],
  ["audio", chatBody({ modalities: ["text", "audio"] })],
  ["prediction.content", chatBody({ prediction: { type: "content" } })],
  ["functions[0].name", chatBody({ functions: [{}] })],
  ["tool_choice.function.name", chosen({ type: "function", function: {} })],
])("names what is missing: %s", async (param, body) => {
  const reply = await strictly(body);
  expect(bodyOf(reply).error).toMatchObject({ code: "missing_required_parameter", param });
});

test.each<[string, unknown]>([
  ["messages", chatBody({ messages: null })],
  ["messages[0].role", messages({ ...user, role: null })],
  ["messages[0].content", messages({ ...user, content: null })],
  ["messages[0].content", messages({ role: "assistant", content: null })],
  ["messages[0].tool_calls", messages({ ...user, role: "assistant", tool_calls: null })],
  ["messages[0].tool_calls[0].function.arguments", messages(assistant(withArguments({})))],
  ["messages[0].content[0].text", parts({ type: "text", text: 5 })],
  ["stream", chatBody({ stream: 1 })],
  ["frequency_penalty", chatBody({ frequency_penalty: true })],
  ["tools", chatBody({ tools: null })],
  ["tools[0].function.parameters", chatBody({ tools: [offering({ parameters: [] })] })],
  ["parallel_tool_calls", chatBody({ parallel_tool_calls: null })],
  ["response_format.json_schema.schema", schema({ name: "x", schema: "x" })],
  ["logit_bias.50256", chatBody({ logit_bias: { 50256: "x" } })],
  ["metadata.a", chatBody({ metadata: { a: 1 } })],
  ["seed", chatBody({ seed: 1.5 })],
  ["user", chatBody({ user: 5 })],
  ["store", chatBody({ store: "yes" })],
  ["stop[1]", chatBody({ stop: ["a", 5] })],
  ["stream_options.include_usage", chatBody({ stream_options: { include_usage: "yes" } })],
])("names a value of a wrong type: %s", async (param, body) => {
  const { error } = bodyOf(await strictly(body));
  expect(error).toMatchObject({ code: "invalid_type", param });
  expect(error.message).toContain(`Invalid type for '${param}': expected `);
});

test.each<[string, string, unknown]>([
  ["messages[0].content[0].type", "invalid_value", parts({ type: "video" })],
  ["messages[0].content[0].type", "invalid_value", messages({ role: "system", content: [image] })],
  ["messages[0].content", "empty_array", messages({ ...user, content: [] })],
  ["messages[0].name", "invalid_value", messages({ ...user, name: "a b" })],
  [
    "messages[0].tool_calls",
    "empty_array",
    messages({ ...user, role: "assistant", tool_calls: [] }),
  ],
  [
    "messages[0].tool_calls[0].id",
    "string_above_max_length",
    messages(assistant({ ...call, id: long })),
  ],
  ["messages[0].tool_calls", "array_above_max_length", messages(assistant(...many(129, call)))],
  [
    "tools[0].function.name",
    "string_above_max_length",
    chatBody({ tools: [offering({ name: long })] }),
  ],
  ["tools[0].function.name", "invalid_value", chatBody({ tools: [offering({ name: "a.b" })] })],
  ["functions", "array_above_max_length", chatBody({ functions: many(129, { name: "f" }) })],
  ["functions", "empty_array", chatBody({ functions: [] })],
  ["functions[0].name", "invalid_value", chatBody({ functions: [{ name: "" }] })],
  ["response_format.json_schema.name", "invalid_value", schema({ name: "a b" })],
  ["reasoning_effort", "invalid_value", chatBody({ reasoning_effort: "hard" })],
  ["service_tier", "invalid_value", chatBody({ service_tier: "gold" })],
  ["modalities[0]", "invalid_value", chatBody({ modalities: ["smell"] })],
  ["logit_bias.1", "integer_above_max_value", chatBody({ logit_bias: { 1: 101 } })],
  ["max_tokens", "integer_below_min_value", chatBody({ max_tokens: 0 })],
  ["top_p", "decimal_above_max_value", chatBody({ top_p: 1.1 })],
  ["user", "string_above_max_length", chatBody({ user: long })],
  ["metadata", "object_above_max_properties", chatBody({ metadata: manyKeys(17) })],
  [`metadata.${long}`, "string_above_max_length", chatBody({ metadata: { [long]: "" } })],
])("names a value that cannot be: %s %s", async (param, code, body) => {
  expect(bodyOf(await strictly(body)).error).toMatchObject({ code, param });
});

test.each<[string, unknown]>([
  ["response_format.schema", chatBody({ response_format: { type: "json_object", schema: {} } })],
  ["response_format.json_schema.strct", schema({ name: "x", strct: true })],
  ["tools[0].function.parametres", chatBody({ tools: [offering({ parametres: {} })] })],
  [
    "stream_options.includeUsage",
    chatBody({ stream: true, stream_options: { includeUsage: true } }),
  ],
])("names a parameter that it does not know: %s", async (param, body) => {
  const { error } = bodyOf(await strictly(body));
  expect(error).toMatchObject({ code: "unknown_parameter", param });
});

test("names arguments that it does not know", async () => {
  const { error } = bodyOf(await strictly(chatBody({ max_token: 5, top_k: 1 })));
  expect(error).toEqual({
    message: "Unrecognized request arguments supplied: max_token, top_k",
    type: "invalid_request_error",
    param: null,
    code: null,
  });
});

test.each<[string, object]>([
  ["stream_options", { stream_options: { include_usage: true } }],
  ["stream_options", { stream: false, stream_options: {} }],
  ["top_logprobs", { top_logprobs: 2 }],
  ["tool_choice", { tool_choice: "none" }],
  ["parallel_tool_calls", { parallel_tool_calls: false }],
  ["tool_choice", { tools: [tool], tool_choice: { type: "function", function: { name: "g" } } }],
  ["tool_choice", { tools: [tool], tool_choice: { type: "custom", custom: { name: "f" } } }],
  ["function_call", { function_call: "auto" }],
  ["function_call", { functions: [{ name: "f" }], function_call: { name: "g" } }],
])("refuses %s where it goes together with nothing: %j", async (param, more) => {
  const reply = await strictly(chatBody(more));
  expect(reply.status).toBe(400);
  expect(bodyOf(reply).error).toMatchObject({ type: "invalid_request_error", code: null, param });
});

const results = [answer("a"), answer("b")];

test.each<[string, number, readonly object[]]>([
  ["an answer to nothing", 1, [user, answer("a")]],
  ["an answer after another message", 3, [user, assistant(call), answer("a"), answer("z")]],
  ["an answer after the round is over", 4, [user, assistant(call), answer("a"), user, answer("a")]],
  ["no answer at all", 2, [user, assistant(call), user]],
  ["no answer at the end", 1, [user, assistant(call)]],
  ["one answer of two", 3, [user, assistant(call, customCall), answer("a"), user]],
  ["an answer to another call", 2, [user, assistant(call), answer("z")]],
])("refuses tool messages out of order: %s", async (_, index, items) => {
  const reply = await strictly(messages(...items));
  expect(reply.status).toBe(400);
  expect(bodyOf(reply).error).toMatchObject({ code: null, param: `messages.[${index}].role` });
});

test("lists the calls that have no tool message", async () => {
  const { error } = bodyOf(await strictly(messages(user, assistant(call, customCall))));
  expect(error.message).toMatch(/response messages: a, b$/);
});

test.each<[string, object]>([
  [
    "all roles",
    messages({ role: "system", content: "a" }, { role: "developer", content: "b" }, user),
  ],
  [
    "tool rounds",
    messages(user, assistant(call, customCall), ...results, assistant(call), answer("a")),
  ],
  [
    "answers in another order",
    messages(user, assistant(call, customCall), ...results.toReversed()),
  ],
  ["an old function round", messages(user, { role: "function", name: "f", content: null })],
  [
    "keys that SDKs add to messages",
    messages({ ...user, parsed: null }, replied({ annotations: [] })),
  ],
  ["every kind of part", parts({ type: "text", text: "" }, image, { type: "file", file: {} })],
  ["a JSON schema", schema({ name: "x", schema: strictObject, strict: true })],
  [
    "nulls",
    chatBody({ temperature: null, stream: null, stream_options: null, stop: null, n: null }),
  ],
  ["a streamed usage", chatBody({ stream: true, stream_options: { include_usage: true } })],
  ["log probabilities", chatBody({ logprobs: true, top_logprobs: 20 })],
  ["a chosen tool", chatBody({ tools: [tool], tool_choice: tool, parallel_tool_calls: false })],
  ["a custom tool", chatBody({ tools: [{ type: "custom", custom: { name: "g" } }] })],
  [
    "an image at its size",
    parts({
      type: "image_url",
      image_url: { url: "https://example.com/a.png", detail: "original" },
    }),
  ],
  ["old functions", chatBody({ functions: [{ name: "f" }], function_call: { name: "f" } })],
  [
    "what is told about a request",
    chatBody({ user: "u", seed: 1, store: true, metadata: { a: "b" } }),
  ],
  [
    "a tier and an effort",
    chatBody({ service_tier: "flex", reasoning_effort: "low", verbosity: "high" }),
  ],
  ["speech", chatBody({ modalities: ["audio"], audio: { voice: "alloy", format: "wav" } })],
  ["a prediction", chatBody({ prediction: { type: "content", content: "x" } })],
  ["a search", chatBody({ web_search_options: { search_context_size: "low" } })],
  [
    "cache keys",
    chatBody({ prompt_cache_key: "k", safety_identifier: "s", logit_bias: { 1: -100 } }),
  ],
])("accepts %s", async (_, body) => {
  expect(await strictly(body)).toMatchObject({ status: 200 });
});

test.each<[string, object, string | null]>([
  ["what is missing before what is unknown", { top_k: 1, messages: [{}] }, "messages[0].role"],
  ["what is unknown before a wrong type", { n: "1", top_k: 1 }, null],
  ["a wrong type before a wrong value", { temperature: 3, top_p: "1" }, "top_p"],
  ["a wrong value before a wrong pair", { top_logprobs: 2, n: 0 }, "n"],
  ["a wrong pair before the model", { model: "nope", tool_choice: "auto" }, "tool_choice"],
])("says %s", async (_, more, param) => {
  const context = chatContext({ profile: openaiProfile, models: [model("atlas")] });
  expect(bodyOf(await post(context, chatBody(more))).error).toMatchObject({ param });
});

test("knows the model before it looks at the order of messages", async () => {
  const context = chatContext({ profile: openaiProfile, models: [model("atlas")] });
  const outOfOrder = { messages: [answer("a")] };
  const unknown = await post(context, chatBody({ ...outOfOrder, model: "nope" }));
  const known = await post(context, chatBody(outOfOrder));
  expect(bodyOf(unknown).error).toMatchObject({ code: "model_not_found" });
  expect(bodyOf(known).error).toMatchObject({ param: "messages.[0].role" });
});

test.each(["text/plain", "application/x-www-form-urlencoded", "application/jsonp"])(
  "refuses the content type %s before it reads the body",
  async (type) => {
    const reply = await strictly("{", { "content-type": type });
    expect(reply.status).toBe(415);
    expect(bodyOf(reply).error).toMatchObject({ code: "unsupported_media_type", param: null });
  },
);

test.each(["application/json", "Application/JSON; charset=utf-8", "application/problem+json", ""])(
  "takes the content type %j",
  async (type) => {
    expect(await strictly(chatBody(), { "content-type": type })).toMatchObject({ status: 200 });
  },
);

test("asks for a model in words, without a code", async () => {
  for (const asked of [{ messages: [user] }, chatBody({ model: "" }), chatBody({ model: null })]) {
    expect(bodyOf(await strictly(asked)).error).toEqual({
      message: "you must provide a model parameter",
      type: "invalid_request_error",
      param: null,
      code: null,
    });
  }
});

function assistant(...calls: readonly object[]): object {
  return { role: "assistant", content: null, tool_calls: calls };
}

function replied(more: object): object {
  return { role: "assistant", content: "Hi", refusal: null, ...more };
}

function answer(id: string): object {
  return { role: "tool", tool_call_id: id, content: "1" };
}

function parts(...items: readonly object[]): object {
  return messages({ role: "user", content: items });
}

function withArguments(given: unknown): object {
  return { ...call, function: { name: "f", arguments: given } };
}

function offering(more: object): object {
  return { type: "function", function: { name: "f", ...more } };
}

function chosen(choice: object): object {
  return chatBody({ tools: [tool], tool_choice: choice });
}

function schema(jsonSchema: object): object {
  return chatBody({ response_format: { type: "json_schema", json_schema: jsonSchema } });
}

function many(count: number, item: object): readonly object[] {
  return Array.from({ length: count }, () => item);
}

function manyKeys(count: number): object {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, ""]));
}
