import { expect, test } from "vitest";
import type { When } from "../../../src/core/chat/scripts/script.ts";
import {
  type AnsweredChoice,
  noAnswerYet,
  withChunk,
} from "../../../src/core/chat/forms/chat-answer.ts";
import {
  calledTool,
  chatBody,
  continued,
  draftOfBody,
  firstChat,
  messageOf,
} from "../../../src/extras/console/chats/conversation.ts";
import { missingFrom, receivedOf } from "../../../src/extras/console/chats/missing.ts";
import type { ChatRun } from "../../../src/extras/console/chats/run-chat.ts";
import { inOtherForm } from "../../../src/extras/console/chats/other-form.ts";
import { exampleOf } from "../../../src/extras/console/chats/script-example.ts";

const draft = { ...firstChat, model: "atlas-large" };

test("makes a request of what was typed", () => {
  const made = chatBody({
    ...draft,
    messages: [messageOf("system", "Be brief."), messageOf("user", "Hi")],
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
  const nothing = { form: "completions", messages: [] } as const;
  expect(continued(nothing, run, 1)).toEqual([
    { ...messageOf("assistant", "Ho."), answer: { run, choice: 1 } },
    messageOf("user", ""),
  ]);
  const toolCalls = [{ id: "call_1", name: "f", arguments: "{}", isCustom: false }];
  const messages = continued(nothing, runWith({}, { toolCalls }));
  expect(calledTool(messages, messages[1]?.items[0] ?? {})).toBe("f");
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
        { tool_calls: [{ id: "call_1", function: { name: "f" } }] },
        { role: "tool", content: "5", tool_call_id: "call_1" },
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
    {
      messages: [{ role: "user" }, { tool_calls: [{ id: "call_2" }] }, { tool_call_id: "call_2" }],
    },
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
  else {
    const messages = made?.messages.flatMap(({ items }) => items);
    expect({ ...made, messages }).toMatchObject(example);
  }
});

test.each([
  ["^hello (?<who>\\w+)$", "hello a"],
  ["(?:weather|rain) in \\d{1,2} days?", "weather in 1 days"],
  ["[A-Z]{2}-[0-9]+", undefined],
  ["\\bcost\\b.*\\?", undefined],
])("finds a text for the pattern %s, or none that fits: %s", (regex, text) => {
  const made = exampleOf({ when: { user: { regex } } }, []);
  expect(made?.messages[0]?.items[0]?.["content"]).toBe(text);
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

test("a conversation is translated to Responses as items, and back as it was", () => {
  const call = { id: "call_1", type: "function", function: { name: "look", arguments: "{}" } };
  const written = {
    ...draft,
    messages: [
      messageOf("system", "Be brief."),
      messageOf("user", "Look"),
      { items: [{ role: "assistant", content: null, tool_calls: [call] }] },
      { items: [{ role: "tool", tool_call_id: "call_1", content: "rain" }] },
    ],
    more: '{"tools": [{"type": "function", "function": {"name": "look"}}], "max_tokens": 20}',
  };
  const translated = inOtherForm(written, "responses");
  expect(translated.left).toEqual([]);
  const made = chatBody(translated.draft);
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
  const back = inOtherForm(draftOfBody(made.ok ? made.value : {}), "completions").draft;
  expect(back.messages).toEqual(written.messages);
  expect(JSON.parse(back.more)).toEqual({
    tools: [{ type: "function", function: { name: "look" } }],
    max_completion_tokens: 20,
  });
});

test("says what the other API does not have", () => {
  const search = { type: "web_search_call", id: "ws_1", status: "completed" };
  const inResponses = draftOfBody({ model: "m", input: [{ role: "user", content: "Hi" }, search] });
  expect(inOtherForm(inResponses, "completions").left).toEqual(["web_search_call"]);
  const named = draftOfBody({
    model: "m",
    messages: [{ role: "user", content: "Hi", name: "Ada" }],
  });
  expect(inOtherForm(named, "responses").left).toEqual(["name"]);
});
