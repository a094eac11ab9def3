import { expect, test } from "vitest";
import type { When } from "../../../src/core/chat/scripts/script.ts";
import {
  type AnsweredChoice,
  noAnswerYet,
  withChunk,
} from "../../../src/extras/console/chats/answer.ts";
import {
  calledTool,
  chatBody,
  continued,
  draftOfBody,
  firstChat,
} from "../../../src/extras/console/chats/conversation.ts";
import { missingFrom, receivedOf } from "../../../src/extras/console/chats/missing.ts";
import type { ChatRun } from "../../../src/extras/console/chats/run-chat.ts";
import { exampleOf } from "../../../src/extras/console/chats/script-example.ts";

const draft = { ...firstChat, model: "atlas-large" };

test("makes a request of what was typed", () => {
  const made = chatBody({
    ...draft,
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Hi" },
    ],
    more: '{"tools": [{"type": "function"}], "temperature": 0, "stream": false}',
  });
  expect(made).toEqual({
    ok: true,
    value: {
      model: "atlas-large",
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "Hi" },
      ],
      stream: false,
      tools: [{ type: "function" }],
      temperature: 0,
    },
  });
});

test.each([
  [{ more: "[" }, "Tools and further fields: "],
  [{ more: "[]" }, "Tools and further fields: this is not an object."],
  [{ more: "null" }, "Tools and further fields: this is not an object."],
])("refuses %j", (part, problem) => {
  expect(chatBody({ ...draft, ...part })).toEqual({
    ok: false,
    error: expect.stringContaining(problem),
  });
});

const chunks = [
  { model: "m", choices: [{ index: 0, delta: { role: "assistant", content: "" } }] },
  { choices: [{ index: 0, delta: { reasoning_content: "Hm." } }] },
  { choices: [{ index: 1, delta: { content: "Two" } }] },
  { choices: [{ index: 0, delta: { content: "One" } }] },
  {
    choices: [
      {
        index: 0,
        delta: {
          tool_calls: [{ index: 0, id: "call_1", function: { name: "f", arguments: '{"a"' } }],
        },
      },
    ],
  },
  {
    choices: [{ index: 0, delta: { tool_calls: [{ index: 0, function: { arguments: ":1}" } }] } }],
  },
  { choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] },
  { choices: [], usage: { completion_tokens: 3 } },
];

test("puts an answer together from its chunks", () => {
  const answer = chunks.reduce(withChunk, noAnswerYet);
  expect(answer).toMatchObject({ model: "m", usage: { completion_tokens: 3 } });
  expect(answer.choices).toMatchObject([
    {
      content: "One",
      reasoning: "Hm.",
      toolCalls: [{ id: "call_1", name: "f", arguments: '{"a":1}' }],
      finishReason: "tool_calls",
    },
    { content: "Two" },
  ]);
});

test("reads a whole completion as if it were one chunk", () => {
  const call = { id: "call_1", type: "function", function: { name: "f", arguments: "{}" } };
  const message = {
    role: "assistant",
    content: null,
    tool_calls: [call, { ...call, id: "call_2" }],
  };
  const answer = withChunk(noAnswerYet, {
    choices: [{ index: 0, message, finish_reason: "stop" }],
  });
  expect(answer.choices[0]?.toolCalls.map(({ id }) => id)).toEqual(["call_1", "call_2"]);
});

test.each([
  null,
  "text",
  { choices: "x" },
  { choices: [null, { index: -1, delta: { content: 5 } }] },
  { choices: [{ index: 1e9, delta: { content: "a", tool_calls: [{ index: 1e9 }] } }] },
])("passes over what it does not understand in %j", (chunk) => {
  expect(withChunk(noAnswerYet, chunk).choices.length).toBeLessThan(2);
});

/** An answer that ended in some way. */
function runWith(part: Partial<ChatRun>, ...choices: readonly Partial<AnsweredChoice>[]): ChatRun {
  const empty = { content: "", reasoning: "", refusal: "", toolCalls: [], finishReason: undefined };
  return {
    mark: "1",
    body: {},
    outcome: "complete",
    status: 200,
    isStream: true,
    frames: [],
    text: "",
    elapsedMs: 1,
    failure: undefined,
    answer: { ...noAnswerYet, choices: choices.map((choice) => ({ ...empty, ...choice })) },
    ...part,
  };
}

test("continues a conversation with the user's turn, or with the results that are waited for", () => {
  const run = runWith({}, { content: "Hi." }, { content: "Ho." });
  expect(continued([], run, 1)).toEqual([
    { role: "assistant", content: "Ho.", answer: { run, choice: 1 } },
    { role: "user", content: "" },
  ]);
  const toolCalls = [{ id: "call_1", name: "f", arguments: "{}", isCustom: false }];
  const messages = continued([], runWith({}, { toolCalls }));
  const [, result = { role: "user", content: "" }] = messages;
  expect(calledTool(messages, result)).toBe("f");
  expect(chatBody({ ...draft, messages })).toMatchObject({
    value: {
      messages: [
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "call_1", function: { name: "f" } }],
        },
        { role: "tool", content: "", tool_call_id: "call_1" },
      ],
    },
  });
});

test.each([
  { model: "m", messages: [{ role: "user", content: "Hi" }], stream: true },
  {
    model: "m",
    messages: [
      { role: "assistant", content: null, tool_calls: [{ id: "call_1" }] },
      { role: "tool", content: "5", tool_call_id: "call_1" },
    ],
    stream: false,
    n: 2,
    tools: [{ type: "function" }],
    temperature: 0,
  },
  {
    model: "m",
    messages: [
      { role: "user", content: [{ type: "image_url" }] },
      { role: "user", content: "Hi" },
    ],
    stream: false,
  },
])("makes a draft of %j that makes the same request", (body) => {
  expect(chatBody(draftOfBody(body))).toEqual({ ok: true, value: body });
});

const whens: readonly (readonly [When, object | undefined])[] = [
  [{}, { messages: [{ role: "user", content: "Hello" }], model: "" }],
  [
    { user: { equals: "Hi" }, stream: false },
    { messages: [{ content: "Hi" }], stream: false },
  ],
  [
    { user: { anyOf: [{ regex: "(?=x)y" }, "two"] }, system: "be brief" },
    { messages: [{ role: "system", content: "be brief" }, { content: "two" }] },
  ],
  [{ model: "mini-*" }, { model: "mini-2" }],
  [{ model: "other-?" }, { model: "other-x" }],
  [{ tool: "f" }, { more: expect.stringMatching(/"tools": \[.*"name": "f"/s) }],
  [
    { turn: 1, user: "b" },
    { messages: [{ role: "user" }, { role: "assistant" }, { role: "user", content: "b" }] },
  ],
  [
    { toolResult: { name: "f", content: "5" } },
    {
      messages: [
        { role: "user" },
        { toolCalls: [{ id: "call_1", function: { name: "f" } }] },
        { role: "tool", content: "5", toolCallId: "call_1" },
      ],
    },
  ],
  [
    { request: { "a.b": 1, "a.c": 2, "d\\.e": null } },
    { more: JSON.stringify({ a: { b: 1, c: 2 }, "d.e": null }, undefined, 2) },
  ],
  [
    { assistant: "Blue", user: "b" },
    { messages: [{ role: "user" }, { role: "assistant", content: "Blue" }, { content: "b" }] },
  ],
  [
    { turn: 2, step: 1 },
    {
      messages: [{ role: "user" }, { role: "assistant" }, { role: "user" }, { role: "assistant" }],
    },
  ],
  [
    { step: 1, toolResult: { id: { contains: "call_2" } } },
    { messages: [{ role: "user" }, { toolCalls: [{ id: "call_2" }] }, { toolCallId: "call_2" }] },
  ],
  [
    {
      request: {
        a: { gt: 5 },
        b: { lt: 0 },
        c: { anyOf: [{ regex: "(?=x)y" }, "two"] },
        d: { exists: false },
        e: { contains: "x" },
        f: { not: 5 },
        g: { equals: { h: 1 } },
        i: { gt: 0.5, lt: 1 },
      },
    },
    {
      more: JSON.stringify({ a: 6, b: -1, c: "two", e: "x", g: { h: 1 }, i: 0.75 }, undefined, 2),
    },
  ],
  [{ request: { "messages.-1.content": "x" } }, undefined],
  [{ request: { a: { regex: "(?=x)y" } } }, undefined],
  [{ part: "image" }, undefined],
  [{ header: { "x-test": "1" } }, undefined],
  [{ user: { regex: "(?=x)y" } }, undefined],
];

test.each(whens)("derives from the conditions %j the example %j", (when, example) => {
  const made = exampleOf({ when }, ["atlas", "mini-2"]);
  if (example === undefined) expect(made).toBeUndefined();
  else expect(made).toMatchObject(example);
});

test.each([
  ["^hello (?<who>\\w+)$", "hello a"],
  ["(?:weather|rain) in \\d{1,2} days?", "weather in 1 days"],
  ["[A-Z]{2}-[0-9]+", undefined],
  ["\\bcost\\b.*\\?", undefined],
])("finds a text for the pattern %s, or none that fits: %s", (regex, text) => {
  const made = exampleOf({ when: { user: { regex } } }, []);
  expect(made?.messages[0]?.content).toBe(text);
});

test("says what came of an answer that broke off, and what is missing", () => {
  const calls = [{ id: "1", name: "f", arguments: '{"a', isCustom: false }];
  const run = runWith({ outcome: "reset" }, { content: "One", toolCalls: calls }, { content: "x" });
  expect(receivedOf(run)).toBe("0 frames with 4 characters of text");
  expect(missingFrom(run, { content: "One two" })).toEqual([
    "the text of choice 0 “ two”",
    "the rest of the arguments of f",
    "the finish reason of choice 0",
    "the finish reason of choice 1",
    "[DONE]",
  ]);
  const usage = { stream_options: { include_usage: true } };
  expect(missingFrom(runWith({ outcome: "cut", body: usage }), undefined)).toEqual([
    "the whole message",
    "the usage",
    "[DONE]",
  ]);
  expect(missingFrom(runWith({}), { content: "One" })).toEqual([]);
  expect(
    missingFrom(runWith({ outcome: "cut" }, { content: "O" }), { content: "{{ x }}" }),
  ).toEqual(["the finish reason", "[DONE]"]);
});

test("a conversation is sent to Responses as items, and read again as it was", () => {
  const call = { id: "call_1", type: "function", function: { name: "look", arguments: "{}" } };
  const written = {
    ...draft,
    form: "responses",
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Look" },
      { role: "assistant", content: "", toolCalls: [call] },
      { role: "tool", content: "rain", toolCallId: "call_1" },
    ],
    more: '{"tools": [{"type": "function", "function": {"name": "look"}}], "max_tokens": 20}',
  } as const;
  const made = chatBody(written);
  expect(made).toEqual({
    ok: true,
    value: {
      model: "atlas-large",
      stream: true,
      input: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "Look" },
        { type: "function_call", call_id: "call_1", name: "look", arguments: "{}" },
        { type: "function_call_output", call_id: "call_1", output: "rain" },
      ],
      tools: [{ type: "function", name: "look" }],
      max_output_tokens: 20,
    },
  });
  expect(draftOfBody(made.ok ? made.value : {})).toMatchObject({
    form: "responses",
    model: "atlas-large",
    messages: written.messages,
  });
});
