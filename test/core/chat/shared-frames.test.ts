import { expect, test } from "vitest";
import type { Script } from "../../../src/core/chat/scripts/script.ts";
import { chatBody, chatContext, post, script, streamOf, wireOf } from "./support.ts";

/** Asks a server with one script for streams, one after the other. */
function streams(only: Script, more: Parameters<typeof chatContext>[0] = {}) {
  const context = chatContext({ scripts: [only], ...more });
  return (body: object = {}) => post(context, chatBody({ stream: true, ...body }));
}

test("streams of one script share their frames and differ in their head", async () => {
  const ask = streams(script("greet", { content: "Hi there" }));
  const [first, second] = [await ask(), await ask()];

  expect(streamOf(second).frames).toBe(streamOf(first).frames);
  expect(wireOf(first)).toContain('"id":"chatcmpl-2"');
  expect(wireOf(second)).toBe(wireOf(first).replaceAll("chatcmpl-2", "chatcmpl-4"));
});

test("streams with their usage share all frames but that of the usage", async () => {
  const ask = streams(script("greet", { content: "Hi there" }));
  const options = { stream_options: { include_usage: true } };
  const short = await ask(options);
  const long = await ask({
    ...options,
    messages: [{ role: "user", content: "Hello there again" }],
  });

  const own = streamOf(long).frames.filter((frame) => !streamOf(short).frames.includes(frame));
  expect(own.map(({ data }) => data)).toEqual([
    '],"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}}\n\n',
  ]);
  expect(wireOf(short)).toMatch(
    /"choices":\[\],"usage":{"prompt_tokens":1,[^}]+}}\n\ndata: \[DONE\]\n\n$/,
  );
  expect(wireOf(await ask())).not.toContain("usage");
});

test.each([
  ["ids of tool calls", { toolCalls: [{ name: "find", arguments: {} }] }, {}],
  ["templates", { content: "{{ user }}" }, {}],
  ["gaps that are drawn", { content: "Hi there", pace: { gapMs: 9, jitter: 1 } }, {}],
  ["several choices", { content: "Hi" }, { n: 2 }],
  [
    "more than a thousand pieces",
    { content: "Hi ".repeat(1_001), pace: { by: "word" as const } },
    {},
  ],
])("streams with %s have frames of their own", async (_, reply, body) => {
  const ask = streams(script("own", reply));
  const [first, second] = [await ask(body), await ask(body)];

  expect(streamOf(second).frames).not.toBe(streamOf(first).frames);
});

test("a stream that is cut has frames of its own, and leaves those of the whole one", async () => {
  const ask = streams(script("greet", { content: "Hi there" }));
  const [whole, cut] = [await ask(), await ask({ max_tokens: 1 })];

  expect(wireOf(cut)).toContain('"finish_reason":"length"');
  expect(wireOf(await ask())).toBe(wireOf(whole).replaceAll("chatcmpl-2", "chatcmpl-6"));
});

test.each([
  [{ gapMs: 20, by: "word" }],
  [{ tokensPerSecond: 10, by: "word" }],
  [{ gapMs: 10, by: "word", firstTokenMs: 5 }],
  [{ gapMs: 10, by: 2 }],
] as const)("a stream at the pace %o has frames of its own", async (pace) => {
  const greet = script("greet", { content: "Hi there you" });
  const usual = streamOf(await streams(greet, { pace: { gapMs: 10, by: "word" } })());
  const own = streamOf(await streams(greet, { pace })());

  expect(own.frames.map(({ at, data }) => [at, data])).not.toEqual(
    usual.frames.map(({ at, data }) => [at, data]),
  );
});

test("a stream of another speed has times of its own", async () => {
  const greet = script("greet", { content: "Hi", pace: { firstTokenMs: 100 } });
  const timesAt = async (speed: number) =>
    streamOf(await streams(greet, { speed })()).frames.map(({ at }) => at);

  expect(await timesAt(1)).toEqual([100, 100, 100, 100]);
  expect(await timesAt(2)).toEqual([50, 50, 50, 50]);
});
