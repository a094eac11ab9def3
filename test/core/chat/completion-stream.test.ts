import { expect, test } from "vitest";
import { chatBody, chunksOf, post, replying, streamOf, wireOf } from "./support.ts";

/** One chunk, with the keys in the order in which they are written. */
function chunk(choices: string, usage = ""): string {
  const common =
    '"id":"chatcmpl-2","object":"chat.completion.chunk","created":1700000000,' +
    '"model":"atlas","system_fingerprint":null';
  return `data: {${common},"choices":[${choices}]${usage}}\n\n`;
}

function delta(text: string, index = 0): string {
  return `{"index":${index},"delta":${text},"logprobs":null,"finish_reason":null}`;
}

function finish(reason: string, index = 0): string {
  return `{"index":${index},"delta":{},"logprobs":null,"finish_reason":"${reason}"}`;
}

const role = '{"role":"assistant","content":"","refusal":null}';
const silentRole = '{"role":"assistant","content":null,"refusal":null}';
const done = "data: [DONE]\n\n";

test("streams text as a role chunk, deltas, a finish chunk and the end marker", async () => {
  const reply = await post(replying({ content: "Hello, you" }), chatBody({ stream: true }));
  expect(reply.status).toBe(200);
  expect(wireOf(reply)).toBe(
    chunk(delta(role)) +
      chunk(delta('{"content":"Hello"}')) +
      chunk(delta('{"content":","}')) +
      chunk(delta('{"content":" you"}')) +
      chunk(finish("stop")) +
      done,
  );
});

test.each([
  [1, true],
  [2, true],
  [0.5, true],
  [-1, true],
  [0, false],
])("takes a number other than 0 for a stream that is set: %d", async (stream, isStream) => {
  const reply = await post(replying({ content: "Hi" }), chatBody({ stream }));
  expect(reply.body.kind === "stream").toBe(isStream);
});

test("sends the headers of an event stream", async () => {
  const reply = await post(replying({ content: "Hi" }), chatBody({ stream: 1 }));
  expect(reply.headers).toEqual({
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache",
    "x-accel-buffering": "no",
    "x-request-id": "req_1",
    "openai-version": "2020-10-01",
    "openai-organization": "org-backlot",
    "openai-processing-ms": "0",
  });
});

test("streams tool calls as headers and argument deltas, by index", async () => {
  const toolCalls = [
    { name: "get_weather", arguments: { city: "Oslo" } },
    { id: "mine", name: "ping", arguments: "{}" },
  ];
  const reply = await post(replying({ toolCalls }), chatBody({ stream: true }));
  const call = (text: string): string => chunk(delta(`{"tool_calls":[${text}]}`));
  const part = (text: string): string =>
    call(`{"index":0,"function":{"arguments":${JSON.stringify(text)}}}`);
  expect(wireOf(reply)).toBe(
    [
      chunk(delta(silentRole)),
      call(
        '{"index":0,"id":"call_2","type":"function","function":{"name":"get_weather","arguments":""}}',
      ),
      ...['{"', "city", '":"', "Oslo", '"}'].map(part),
      call('{"index":1,"id":"mine","type":"function","function":{"name":"ping","arguments":""}}'),
      call('{"index":1,"function":{"arguments":"{}"}}'),
      chunk(finish("tool_calls")),
      done,
    ]
      .join("")
      .replaceAll("chatcmpl-2", "chatcmpl-3"),
  );
});

test("streams reasoning before the content, the role in the first of its deltas", async () => {
  const context = replying({ reasoning: "Let me", content: "Yes" });
  const reply = await post(context, chatBody({ stream: true }));
  expect(wireOf(reply)).toBe(
    chunk(delta(role.replace("}", ',"reasoning_content":"Let"}'))) +
      chunk(delta('{"reasoning_content":" me"}')) +
      chunk(delta('{"content":"Yes"}')) +
      chunk(finish("stop")) +
      done,
  );
});

test("streams a refusal in its own field", async () => {
  const reply = await post(replying({ refusal: "No" }), chatBody({ stream: true }));
  expect(wireOf(reply)).toBe(
    chunk(delta(silentRole)) + chunk(delta('{"refusal":"No"}')) + chunk(finish("stop")) + done,
  );
});

test("adds a usage chunk, and null usage to all others, when asked to", async () => {
  const body = chatBody({ stream: true, stream_options: { include_usage: true } });
  const reply = await post(replying({ content: "Hello" }), body);
  const none = ',"usage":null';
  const usage = ',"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}';
  expect(wireOf(reply)).toBe(
    chunk(delta(role), none) +
      chunk(delta('{"content":"Hello"}'), none) +
      chunk(finish("stop"), none) +
      chunk("", usage) +
      done,
  );
});

test("repeats the reply for each choice, roles first, finishes last, usage for all", async () => {
  const body = chatBody({ stream: true, n: 2, stream_options: { include_usage: true } });
  const reply = await post(replying({ content: "Hi you" }), body);
  const none = ',"usage":null';
  const choices = [
    ...[0, 1].map((index) => delta(role, index)),
    ...[0, 1].map((index) => delta('{"content":"Hi"}', index)),
    ...[0, 1].map((index) => delta('{"content":" you"}', index)),
    ...[0, 1].map((index) => finish("stop", index)),
  ].map((choice) => chunk(choice, none));
  const usage = ',"usage":{"prompt_tokens":1,"completion_tokens":4,"total_tokens":5}';
  expect(wireOf(reply)).toBe(choices.join("") + chunk("", usage) + done);
});

test("sends chunks as they are written, each a delta of its own", async () => {
  const chunks = [{ comment: "ping" }, "It rains", { raw: "data: {oops\n\n" }, " now"];
  const reply = await post(replying({ chunks }), chatBody({ stream: true }));
  expect(wireOf(reply)).toBe(
    ": ping\n\n" +
      chunk(delta(role)) +
      chunk(delta('{"content":"It rains"}')) +
      "data: {oops\n\n" +
      chunk(delta('{"content":" now"}')) +
      chunk(finish("stop")) +
      done,
  );
});

test("sends a chunk as it stands, of reasoning too, and one that is empty", async () => {
  const chunks = [
    { reasoning: "Well, then." },
    "",
    { toolCall: { name: "f", arguments: { n: [null, 5] } } },
  ];
  const deltas = chunksOf(await post(replying({ chunks }), chatBody({ stream: true })))
    .map(({ choices }) => choices[0].delta)
    .slice(0, 2);
  expect(deltas).toEqual([
    { role: "assistant", content: "", reasoning_content: "Well, then.", refusal: null },
    { content: "" },
  ]);
});

test("sends no delta for a content of which a limit leaves nothing", async () => {
  const reply = replying({ reasoning: "Well", content: "Hi" });
  const sent = chunksOf(await post(reply, chatBody({ stream: true, max_tokens: 1 })));
  expect(sent.map(({ choices }) => choices[0].delta)).toEqual([
    { role: "assistant", content: "", reasoning_content: "Well", refusal: null },
    {},
  ]);
});

test("streams an empty content as a role and a finish chunk", async () => {
  const reply = await post(replying({ content: "" }), chatBody({ stream: true }));
  expect(wireOf(reply)).toBe(chunk(delta(role)) + chunk(finish("stop")) + done);
});

test("begins every line of a comment with a colon", async () => {
  const reply = await post(
    replying({ chunks: [{ comment: "a\ndata: b" }] }),
    chatBody({ stream: true }),
  );
  expect(wireOf(reply)).toMatch(/^: a\n: data: b\n\n/);
});

test("has everything due at once without a pace", async () => {
  const reply = await post(replying({ content: "Hello, you" }), chatBody({ stream: true }));
  const { frames, end } = streamOf(reply);
  expect(new Set(frames.map(({ at }) => at))).toEqual(new Set([0]));
  expect(end).toEqual({ how: "close", at: 0 });
});

test("bounds the number of events of a long text", async () => {
  const body = chatBody({ stream: true, n: 128 }, "word ".repeat(20_000));
  const { frames } = streamOf(await post(replying({ content: "{{ user }}" }), body));
  expect(frames.length).toBeLessThan(66_000);
});
