import { expect, test } from "vitest";
import type { RecordedAnswer } from "../../../../src/core/replay/cassette.ts";
import {
  chatCassette,
  chatRequest,
  completion,
  exchange,
  jsonAnswer,
  says,
  cameTo,
} from "./as-scripts-support.ts";

/** The scripts of one recorded conversation. */
function scriptsOf(...pairs: readonly (readonly [object, RecordedAnswer])[]) {
  const recordings = pairs.map(([body, answer]) => exchange(chatRequest(body), answer));
  return cameTo([chatCassette("chat-a", recordings)]);
}

const hello = jsonAnswer(completion({ content: "Hello" }));

test("a script asks for the user's words alone where they tell the request apart", () => {
  const { chats } = scriptsOf([says("Hi", { temperature: 1 }), hello], [says("Bye"), hello]);
  expect(chats).toEqual([
    {
      file: "chat-a.json",
      scripts: [
        { when: { user: { equals: "Hi" } }, reply: { content: "Hello" } },
        { when: { user: { equals: "Bye" } }, reply: { content: "Hello" } },
      ],
    },
  ]);
});

const tool = (name: string) => ({ type: "function", function: { name } });
const system = (content: string) => ({
  model: "atlas",
  messages: [
    { role: "system", content },
    { role: "user", content: "Hi" },
  ],
});

test.each([
  [
    "its tools",
    says("Hi", { tools: [tool("a"), tool("b")] }),
    says("Hi", { tools: [tool("a")] }),
    { tool: "b" },
  ],
  ["the system message", system("Be kind"), system("Be rude"), { system: { equals: "Be kind" } }],
  ["the model", { ...says("Hi"), model: "other" }, says("Hi"), { model: "other" }],
  ["whether it is streamed", says("Hi", { stream: true }), says("Hi"), { stream: true }],
  [
    "a value",
    says("Hi", { temperature: 0 }),
    says("Hi", { temperature: 1 }),
    { request: { temperature: 0 } },
  ],
  ["a value that others lack", says("Hi", { seed: 1 }), says("Hi"), { request: { seed: 1 } }],
  [
    "a value deep inside",
    says("Hi", { metadata: { "a.b": 1, c: 1 } }),
    says("Hi", { metadata: { "a.b": 2, c: 1 } }),
    { request: { "metadata.a\\.b": 1 } },
  ],
])("a script tells a request by %s", (_, body, other, more) => {
  const { chats } = scriptsOf([body, hello], [other, hello]);
  expect(chats[0]?.scripts[0]?.when).toEqual({ user: { equals: "Hi" }, ...more });
});

test("a script has several conditions where none is enough, and none that is needless", () => {
  const { chats } = scriptsOf(
    [says("Hi", { seed: 1, top_p: 1 }), hello],
    [says("Hi", { seed: 1, top_p: 0 }), hello],
    [says("Hi", { seed: 2, top_p: 1 }), hello],
  );
  expect(chats[0]?.scripts[0]?.when).toEqual({
    user: { equals: "Hi" },
    request: { seed: 1, top_p: 1 },
  });
});

test("the rounds of a conversation are told by their turns", async () => {
  const call = {
    id: "call_7",
    type: "function",
    function: { name: "get_weather", arguments: '{"city":"Oslo"}' },
  };
  const question = { role: "user", content: "Rain?" };
  const asked = completion({ content: null, tool_calls: [call] }, "tool_calls");
  const messages = [
    question,
    { role: "assistant", content: null, tool_calls: [call] },
    { role: "tool", tool_call_id: "call_7", content: "yes" },
  ];
  const second = { model: "atlas", messages };
  const fixtures = scriptsOf([says("Rain?"), jsonAnswer(asked)], [second, hello]);
  expect(fixtures.chats[0]?.scripts).toEqual([
    {
      when: { user: { equals: "Rain?" }, turn: 0 },
      reply: { toolCalls: [{ id: "call_7", name: "get_weather", arguments: { city: "Oslo" } }] },
    },
    { when: { user: { equals: "Rain?" }, turn: 1 }, reply: { content: "Hello" } },
  ]);
});

test("a request that was answered differently has several replies, and the last one stays", async () => {
  const answers = ["one", "one", "two", "two"].map((content) =>
    jsonAnswer(completion({ content })),
  );
  const { chats } = scriptsOf(...answers.map((answer) => [says("Hi"), answer] as const));
  expect(chats[0]?.scripts).toEqual([
    {
      when: { user: { equals: "Hi" } },
      replies: [{ content: "one" }, { content: "one" }, { content: "two" }],
    },
  ]);
});

test("scripts of two conversations share a file where their names would give the wrong order", async () => {
  const plain = exchange(chatRequest(says("Hi")), hello);
  const seeded = exchange(
    chatRequest(says("Hi", { seed: 1 })),
    jsonAnswer(completion({ content: "One" })),
  );
  const fixtures = cameTo([chatCassette("chat-a", [plain]), chatCassette("chat-b", [seeded])]);
  const wants = fixtures.chats[0]?.scripts.map(({ when }) => when?.request);
  expect(wants).toEqual([{ seed: 1 }, undefined]);
  expect(fixtures.chats).toHaveLength(1);
  expect(fixtures.remarks.join()).toContain("chat-a: also has the scripts of chat-b");
});

const withNonce = (nonce: string) =>
  chatRequest({ ...says("I am [email 1]. Rain?"), metadata: { nonce } });

test("what is volatile, or was taken out, is asked for by no script", () => {
  const rules = {
    volatile: ["body.metadata.nonce"],
    headers: [],
    redact: [{ path: "body.messages.*.content", as: "email" }],
  };
  const { chats } = cameTo(
    [chatCassette("a", [exchange(withNonce("1"), hello), exchange(withNonce("2"), hello)])],
    rules,
  );
  expect(chats[0]?.scripts).toEqual([
    { when: { user: { regex: "^I am [^]+?\\. Rain\\?$" } }, reply: { content: "Hello" } },
  ]);
});
