import { expect, test } from "vitest";
import { noAnswerYet, withChunk } from "../../../src/extras/console/chats/answer.ts";
import { chatBody, continued, firstChat } from "../../../src/extras/console/chats/conversation.ts";

const draft = { ...firstChat, model: "atlas-large" };

test("makes a request of what was typed", () => {
  const made = chatBody({
    ...draft,
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Hi" },
    ],
    tools: '[{"type": "function"}]',
    more: '{"temperature": 0, "stream": false}',
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
  [{ tools: "{}" }, "Tools: this is not an array."],
  [{ tools: "[" }, "Tools: "],
  [{ more: "[]" }, "Further fields: this is not an object."],
  [{ more: "null" }, "Further fields: this is not an object."],
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

test("continues a conversation with the user's turn, or with the results that are waited for", () => {
  const said = { content: "Hi.", reasoning: "", refusal: "", toolCalls: [], finishReason: "stop" };
  expect(continued([], said)).toEqual([
    { role: "assistant", content: "Hi." },
    { role: "user", content: "" },
  ]);
  const toolCalls = [{ id: "call_1", name: "f", arguments: "{}" }];
  const made = chatBody({ ...draft, messages: continued([], { ...said, content: "", toolCalls }) });
  expect(made).toMatchObject({
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
