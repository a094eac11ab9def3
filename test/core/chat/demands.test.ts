import { Validator } from "@cfworker/json-schema";
import { expect, test } from "vitest";
import type { ChatContext } from "../../../src/core/chat/context.ts";
import { openaiProfile } from "../../../src/core/chat/profiles.ts";
import { randomFromText } from "../../../src/core/emulator/environment.ts";
import { bodyOf, chatBody, chatContext, chunksOf, post, replying } from "./support.ts";

const schema = {
  type: "object",
  properties: { city: { type: "string" }, days: { type: "integer", minimum: 1, maximum: 9 } },
  required: ["city", "days"],
  additionalProperties: false,
};

const byTheSchema = {
  response_format: { type: "json_schema", json_schema: { name: "trip", strict: true, schema } },
};
const asObject = { response_format: { type: "json_object" } };
const tools = [
  { type: "function", function: { name: "book", parameters: schema } },
  { type: "function", function: { name: "cancel" } },
];
const functions = [{ name: "book", parameters: schema }, { name: "cancel" }];

function randomFor(text: string): () => number {
  return randomFromText(7, text).next;
}

/** A context that keeps what it is told. */
function noting(context: ChatContext = chatContext()): {
  readonly context: ChatContext;
  readonly warned: string[];
} {
  const warned: string[] = [];
  return { context: { ...context, randomFor, warned: (message) => warned.push(message) }, warned };
}

function expectTrip(text: string): void {
  expect(new Validator(schema as object).validate(JSON.parse(text)).errors).toEqual([]);
}

test.each([chatContext(), chatContext({ profile: openaiProfile })])(
  "the echo of a request for a schema is a value that fits it, in the profile of $profile.name",
  async (plain) => {
    const { context, warned } = noting(plain);
    const { choices } = bodyOf(await post(context, chatBody(byTheSchema)));
    expectTrip(choices[0].message.content);
    expect(choices[0].finish_reason).toBe("stop");
    expect(warned).toEqual([
      expect.stringMatching(
        /^A chat asked for JSON of the schema "trip", but no script matches, so it got a value made up by Backlot: write a script with "reply": \{ "content": \{"city":"[a-z ]+","days":\d\} \}\.$/,
      ),
    ]);
  },
);

test("the echo's JSON is the same in a stream, and each time that it is asked", async () => {
  const { context } = noting();
  const { choices } = bodyOf(await post(context, chatBody(byTheSchema)));
  const chunks = chunksOf(await post(context, chatBody({ ...byTheSchema, stream: true })));
  const streamed = chunks.map((chunk) => chunk.choices[0].delta.content ?? "").join("");
  expect(chunks.length).toBeGreaterThan(3);
  expect(streamed).toBe(choices[0].message.content);
  const other = bodyOf(await post(context, chatBody(byTheSchema, "Something else")));
  expect(other.choices[0].message.content).not.toBe(streamed);
});

test("the echo of a request for any JSON has the message in an object", async () => {
  const { context, warned } = noting();
  const { choices } = bodyOf(await post(context, chatBody(asObject, 'Say "hi"')));
  expect(JSON.parse(choices[0].message.content)).toEqual({ echo: 'Say "hi"' });
  expect(warned).toEqual([expect.stringContaining("A chat asked for JSON, but no script")]);
});

test("a schema that no value fits is warned of with the reason", async () => {
  const { context, warned } = noting();
  const json_schema = { name: "x", schema: { type: "integer", minimum: 5, maximum: 4 } };
  await post(context, chatBody({ response_format: { type: "json_schema", json_schema } }));
  expect(warned).toEqual([expect.stringContaining("which does not fit (5 is greater than 4)")]);
});

test.each([
  ["any function", "required", "book"],
  ["a named function", { type: "function", function: { name: "cancel" } }, "cancel"],
  [
    "one of some functions",
    {
      type: "allowed_tools",
      allowed_tools: {
        mode: "required",
        tools: [{ type: "function", function: { name: "cancel" } }],
      },
    },
    "cancel",
  ],
])("the echo calls %s where a call is required", async (_, choice, name) => {
  const { context, warned } = noting(chatContext({ profile: openaiProfile }));
  const { choices } = bodyOf(await post(context, chatBody({ tools, tool_choice: choice })));
  const { content, tool_calls: calls } = choices[0].message;
  expect([content, choices[0].finish_reason, calls.length]).toEqual([null, "tool_calls", 1]);
  expect(calls[0]).toMatchObject({ type: "function", function: { name } });
  if (name === "book") expectTrip(calls[0].function.arguments);
  else expect(calls[0].function.arguments).toBe("{}");
  expect(warned).toEqual([
    expect.stringMatching(/^A chat asked for a call of .* "toolCalls": \[\{ "name": "/),
  ]);
});

test("a call comes before a schema, and is streamed", async () => {
  const { context } = noting();
  const body = { ...byTheSchema, tools, tool_choice: "required", stream: true };
  const chunks = chunksOf(await post(context, chatBody(body)));
  const calls = chunks.flatMap((chunk) => chunk.choices[0].delta.tool_calls ?? []);
  expect(calls[0].function.name).toBe("book");
  expectTrip(calls.map((call) => call.function.arguments).join(""));
});

test.each([
  ["auto", { tools, tool_choice: "auto" }],
  ["none", { tools, tool_choice: "none" }],
  ["no choice", { tools }],
  ["text", { response_format: { type: "text" } }],
  ["a function call that is free", { functions, function_call: "auto" }],
])("the echo is plain with %s", async (_, fields) => {
  const { context, warned } = noting();
  const { choices } = bodyOf(await post(context, chatBody(fields)));
  expect([choices[0].message.content, warned]).toEqual(["Echo: Hi", []]);
});

test("the call of a request with functions is a function_call", async () => {
  const { context } = noting();
  const fields = { functions, function_call: { name: "book" } };
  const { choices } = bodyOf(await post(context, chatBody(fields)));
  const { message, finish_reason: reason } = choices[0];
  expect([reason, message.content, message.tool_calls]).toEqual(["function_call", null, undefined]);
  expect(message.function_call.name).toBe("book");
  expectTrip(message.function_call.arguments);
  const chunks = chunksOf(await post(context, chatBody({ ...fields, stream: true })));
  const deltas = chunks.flatMap((chunk) => chunk.choices[0].delta.function_call ?? []);
  expect(deltas.map(({ name }) => name).join("")).toBe("book");
  expect(deltas.map((delta) => delta.arguments).join("")).toBe(message.function_call.arguments);
  expect(chunks.at(-1).choices[0].finish_reason).toBe("function_call");
});

test("a script's call is a function_call for a request with functions", async () => {
  const context = replying({ toolCalls: [{ name: "book", arguments: { city: "Rome" } }] });
  const { choices } = bodyOf(await post(context, chatBody({ functions })));
  expect(choices[0].message.function_call).toEqual({ name: "book", arguments: '{"city":"Rome"}' });
});

const call = { toolCalls: [{ name: "book", arguments: { city: "Rome", days: 1 } }] };

test.each<[string, object, object, string]>([
  ["plain text", { content: "Rome!" }, byTheSchema, 'the script "only" answers with plain text'],
  ["plain text", { content: "Rome!" }, asObject, 'the script "only" answers with plain text'],
  ["a list", { content: [1] }, asObject, "answers with JSON that is no object"],
  [
    "JSON of another form",
    { content: { city: "Rome", days: "two" } },
    byTheSchema,
    "answers with JSON that does not fit (days: ",
  ],
  ["text for a call", { content: "Rome!" }, { tools, tool_choice: "required" }, "plain text"],
  [
    "another call",
    call,
    { tools, tool_choice: { type: "function", function: { name: "cancel" } } },
    'answers with a call of "book"',
  ],
])("a script's answer of %s is sent as it is, with a warning", async (_, reply, fields, why) => {
  const { context, warned } = noting(replying(reply));
  await post(context, chatBody(fields));
  await expect.poll(() => warned).toEqual([expect.stringContaining(why)]);
});

test.each<[string, object, object]>([
  ["JSON that fits", { content: { city: "Rome", days: 2 } }, byTheSchema],
  ["an object", { content: "{}" }, asObject],
  ["a refusal", { refusal: "No." }, byTheSchema],
  ["a call instead", call, { ...byTheSchema, tools }],
  ["the call", call, { tools, tool_choice: "required" }],
  ["an error", { error: { status: 500, message: "no" } }, byTheSchema],
  ["a cut text", { content: '{"city":', finishReason: "length" }, byTheSchema],
])("%s of a script is not warned of", async (_, reply, fields) => {
  const { context, warned } = noting(replying(reply));
  await post(context, chatBody(fields));
  // What comes later is warned of, so the first would be known by then.
  const wrong = noting(replying({ content: "plain" }));
  await post(wrong.context, chatBody(byTheSchema));
  await expect.poll(() => wrong.warned.length).toBe(1);
  expect(warned).toEqual([]);
});
