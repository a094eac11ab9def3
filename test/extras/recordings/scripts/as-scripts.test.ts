import { expect, test } from "vitest";
import type { RecordedAnswer } from "../../../../src/core/recordings/cassette.ts";
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

test("a script tells requests with the same words apart by the model", () => {
  const { chats } = scriptsOf([{ ...says("Hi"), model: "other" }, hello], [says("Hi"), hello]);
  const whens = chats[0]?.scripts.map(({ when }) => when);
  const user = { equals: "Hi" };
  expect(whens).toEqual([
    { user, model: "other" },
    { user, model: "atlas" },
  ]);
});

test("a script asks for nothing that a person would not write", () => {
  const { chats } = scriptsOf(
    [says("Hi", { temperature: 0 }), hello],
    [says("Hi", { temperature: 1, stream: false }), hello],
  );
  expect(chats[0]?.scripts).toEqual([
    { when: { user: { equals: "Hi" } }, reply: { content: "Hello" } },
  ]);
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
    {
      when: {
        user: { equals: "Rain?" },
        turn: 1,
        toolResult: { name: "get_weather", content: { equals: "yes" } },
      },
      reply: { content: "Hello" },
    },
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
