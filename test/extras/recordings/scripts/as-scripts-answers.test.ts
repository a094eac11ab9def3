import { expect, test } from "vitest";
import type { RecordedAnswer } from "../../../../src/core/recordings/cassette.ts";
import {
  ask,
  chatCassette,
  chatRequest,
  chunk,
  completion,
  done,
  exchange,
  jsonAnswer,
  saidIn,
  says,
  serving,
  streamAnswer,
  cameTo,
} from "./as-scripts-support.ts";

/** What one recorded answer comes to. */
function fixturesOf(answer: RecordedAnswer, more: object = {}) {
  return cameTo([chatCassette("chat-a", [exchange(chatRequest(says("Hi", more)), answer)])]);
}

/** The reply of the script that it comes to, and what was told. */
function replyOf(answer: RecordedAnswer, more: object = {}) {
  const { chats, remarks } = fixturesOf(answer, more);
  return { reply: chats[0]?.scripts[0]?.reply, remarks };
}

const hello = jsonAnswer(completion({ content: "Hello" }));

test.each([
  [
    "429",
    { error: { message: "Slow down", type: "tokens", param: null, code: "rate_limit_exceeded" } },
    { status: 429, message: "Slow down", type: "tokens", retryAfterMs: 2000 },
  ],
  [
    "500",
    { error: { message: "Oh", type: "server_error", param: "x", code: null } },
    { status: 500, message: "Oh", param: "x", retryAfterMs: 2000 },
  ],
])("an error %s is one of the script", (status, json, error) => {
  const answer = {
    ...jsonAnswer(json, Number(status)),
    headers: { "retry-after": "2", "x-should-retry": "false" },
    afterMs: 40,
  };
  const { reply } = replyOf(answer);
  expect(reply).toEqual({
    error,
    headers: { "x-should-retry": "false" },
    pace: { firstTokenMs: 40 },
  });
});

test("what scripts cannot say of an error is told", () => {
  const error = { message: "No", code: 7, innererror: { a: 1 } };
  const { reply, remarks } = replyOf(jsonAnswer({ error, request_id: "r" }, 400));
  const extra = { code: 7, innererror: { a: 1 } };
  expect(reply?.error).toMatchObject({ message: "No", code: "7", extra });
  expect(remarks.join()).toMatch(/left out of its error: request_id$/);
});

test.each([
  [{ error: "odd" }, 200, {}],
  [{ detail: "No" }, 422, { status: 422 }],
  [[1], 302, { status: 302 }],
])("the JSON %j is the body of a script", (body, status, more) => {
  expect(replyOf(jsonAnswer(body, status))).toEqual({ reply: { body, ...more }, remarks: [] });
});

test("calls of custom tools and a function_call stay what they are", () => {
  const custom = { name: "run", input: "{{ a }}" };
  const calls = [{ id: "call_1", type: "custom", custom }];
  const answer = jsonAnswer(completion({ content: null, tool_calls: calls }, "tool_calls"));
  expect(replyOf(answer).reply).toEqual({
    toolCalls: [{ id: "call_1", type: "custom", name: "run", input: "{{ '{{' }} a }}" }],
  });
  const called = { function_call: { name: "f", arguments: '{"a":1}' } };
  const older = jsonAnswer(completion({ content: null, ...called }, "function_call"));
  expect(replyOf(older).reply).toEqual({ toolCalls: [{ name: "f", arguments: { a: 1 } }] });
});

test("a stream that names another type becomes the same script", () => {
  const answer = streamAnswer([chunk({ content: "Hi" }), chunk({}, "stop"), done]);
  const plain = { ...answer, headers: { "content-type": "text/plain" } };
  const more = { stream: true };
  expect(replyOf(plain, more)).toEqual(replyOf(answer, more));
});

test("an answer keeps its model, usage, probabilities, refusal, reasoning and reason to end", () => {
  const logprobs = {
    content: [{ token: "Hello", logprob: -0.5, bytes: null, top_logprobs: [] }],
    refusal: null,
  };
  const usage = {
    prompt_tokens: 3,
    completion_tokens: 1,
    total_tokens: 4,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: null },
  };
  const said = completion({ content: "Hello", reasoning_content: "Hm", refusal: "No" }, "length", {
    usage,
    model: "atlas-2",
  });
  const choices = said.choices.map((choice) => ({ ...choice, logprobs }));
  expect(replyOf(jsonAnswer({ ...said, choices }))).toEqual({
    remarks: [],
    reply: {
      reasoning: "Hm",
      content: "Hello",
      refusal: "No",
      logprobs: { content: logprobs.content },
      finishReason: "length",
      model: "atlas-2",
      usage: { ...usage, prompt_tokens_details: { cached_tokens: 0 } },
    },
  });
});

test("several choices are those of the script", () => {
  const choices = ["a", "b"].map((content, index) => ({
    index,
    message: { content },
    finish_reason: "stop",
  }));
  expect(replyOf(jsonAnswer({ choices }), { n: 2 }).reply).toEqual({
    choices: [{ content: "a" }, { content: "b" }],
  });
});

test("a stream has the times at which it began and went on", () => {
  const words = ["The", " sky", " is", " blue"].map((content) => chunk({ content }));
  const answer = streamAnswer([
    chunk({ role: "assistant", content: "" }),
    ...words,
    chunk({}, "stop"),
    done,
  ]);
  expect(replyOf(answer, { stream: true }).reply).toEqual({
    content: "The sky is blue",
    pace: { firstTokenMs: 110, gapMs: 10 },
  });
});

test("a stream that was cut by characters is so again", () => {
  const parts = ["abcde", "fghij", "k"].map((content) => chunk({ content }));
  const { reply } = replyOf(streamAnswer([...parts, chunk({}, "stop"), done]), { stream: true });
  expect(reply?.pace).toEqual({ firstTokenMs: 100, gapMs: 10, by: 5 });
});

const hi = chunk({ role: "assistant", content: "Hi" });

test.each([
  ["breaks", streamAnswer([hi], "reset"), { chunks: ["Hi", { fault: "reset" }] }],
  ["ends too soon", streamAnswer([hi]), { chunks: ["Hi", { fault: "cut" }] }],
  ["stands still", streamAnswer([hi], "hang"), { chunks: ["Hi", { fault: "stall" }] }],
  [
    "breaks before its first event",
    streamAnswer([], "reset"),
    { chunks: [{ comment: "" }, { fault: "reset" }] },
  ],
  [
    "lacks the end mark",
    streamAnswer([hi, chunk({}, "stop")]),
    { content: "Hi", fault: { kind: "noDone" } },
  ],
  [
    "lacks a reason to end",
    streamAnswer([hi, done]),
    { content: "Hi", fault: { kind: "noFinish" } },
  ],
  [
    "has an error",
    streamAnswer([hi, { error: { message: "Oh" } }]),
    { chunks: ["Hi", { fault: { kind: "error", error: { message: "Oh" } } }] },
  ],
])("a stream that %s is a fault of the script", (_, answer, expected) => {
  const { reply } = replyOf(answer, { stream: true });
  expect(reply).toMatchObject(expected);
});

test("a stream that broke gives the same events up to there, and breaks", async () => {
  const call = { index: 0, id: "call_1", function: { name: "find", arguments: '{"ci' } };
  const answer = streamAnswer([hi, chunk({ tool_calls: [call] })], "reset");
  const fixtures = fixturesOf(answer, { stream: true });
  const response = await ask(await serving(fixtures), chatRequest(says("Hi", { stream: true })));
  let text = "";
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const part of response.body ?? []) text += decoder.decode(part);
  };
  await expect(read()).rejects.toThrow("terminated");
  expect(saidIn(text)[0]).toMatchObject({
    content: "Hi",
    calls: [{ id: "call_1", name: "find", arguments: '{"ci' }],
  });
});

test("a connection that gave nothing breaks", () => {
  const answer = { status: 0, headers: {}, afterMs: 30, end: { atMs: 30, how: "reset" } } as const;
  expect(replyOf(answer).reply).toEqual({ fault: { kind: "reset" }, pace: { firstTokenMs: 30 } });
});

test.each([
  [
    "another path",
    exchange({ method: "GET", path: "/models" }, hello),
    "GET /models is no request to a model",
  ],
  [
    "a request that is wrong",
    exchange(chatRequest({ model: "a" }), hello),
    'the parameter "messages" is missing',
  ],
  [
    "another status",
    exchange(chatRequest(says("Hi")), { ...hello, body: { text: "moved" }, status: 302 }),
    "answered 302",
  ],
  [
    "another answer",
    exchange(chatRequest(says("Hi")), { ...hello, body: { text: "Hello" } }),
    "not a completion of a chat",
  ],
])("says what it leaves out: %s", (_, recording, told) => {
  const { chats, remarks } = cameTo([chatCassette("chat-a", [recording])]);
  expect(chats).toEqual([]);
  expect(remarks.join()).toMatch(/^chat-a, recording 1: /);
  expect(remarks.join()).toContain(told);
});

test("says that an answer may be cut where tokens are counted otherwise", () => {
  const answer = jsonAnswer(completion({ content: "a b c d" }, "length"));
  expect(replyOf(answer, { max_tokens: 2 }).remarks.join()).toContain(
    "may be cut at the request's 2 tokens",
  );
});

test.each([
  [1, "1 choice was asked for and 2 came"],
  [3, "3 choices were asked for and 2 came"],
])("tells where %i choices were asked for and others came", (n, told) => {
  const one = completion({ content: "Hi" });
  const answer = jsonAnswer({ ...one, choices: [...one.choices, ...one.choices] });
  expect(replyOf(answer, { n }).remarks.join()).toContain(told);
});
