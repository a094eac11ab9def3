import { expect, test } from "vitest";
import type { ScriptReply } from "../../../src/core/chat/scripts/script.ts";
import { bodyOf, chatBody, chunksOf, post, replying, streamOf } from "./support.ts";

async function first(reply: ScriptReply, fields: object) {
  const body = bodyOf(await post(replying(reply), chatBody(fields)));
  return { ...body.choices[0], usage: body.usage };
}

test.each([
  [{ max_tokens: 3 }, "one two three", "length", 3],
  [{ max_completion_tokens: 2 }, "one two", "length", 2],
  [{ max_tokens: 4, max_completion_tokens: 1 }, "one", "length", 1],
  [{ max_tokens: 5 }, "one two three four five", "stop", 5],
])("cuts a reply by %j", async (fields, content, finish, tokens) => {
  const choice = await first({ content: "one two three four five" }, fields);
  expect(choice.message.content).toBe(content);
  expect(choice.finish_reason).toBe(finish);
  expect(choice.usage.completion_tokens).toBe(tokens);
});

test("a reply that is cut ends so whatever the script says", async () => {
  const choice = await first(
    { content: "one two", finishReason: "content_filter" },
    { max_tokens: 1 },
  );
  expect(choice.finish_reason).toBe("length");
});

const all: ScriptReply = {
  reasoning: "first think",
  content: "then say",
  refusal: "or not",
  toolCalls: [{ name: "add", arguments: "1 2 3" }, { name: "end" }],
};

test.each([
  [1, { reasoning_content: "first", content: "" }],
  [2, { reasoning_content: "first think", content: "" }],
  [3, { content: "then" }],
  [5, { content: "then say", refusal: "or" }],
  [6, { refusal: "or not" }],
  [7, { tool_calls: [{ function: { name: "add", arguments: "" } }] }],
  [9, { tool_calls: [{ function: { name: "add", arguments: "1 2" } }] }],
  [10, { tool_calls: [{ function: { arguments: "1 2 3" } }] }],
  [11, { tool_calls: [{}, { function: { name: "end", arguments: "" } }] }],
])("cuts after %d tokens in the order of the stream", async (max, message) => {
  const choice = await first(all, { max_tokens: max });
  expect(choice.message).toMatchObject(message);
  expect(choice.finish_reason).toBe("length");
  expect(choice.usage.completion_tokens).toBe(max);
});

test.each([
  ["two", "one ", "stop"],
  [["four", "three"], "one two ", "stop"],
  [["nine", ""], "one two three four", "tool_calls"],
  ["e two t", "on", "stop"],
  ["one", "", "stop"],
])("ends content before the stop %j", async (stop, content, finish) => {
  const chunks = ["one t", "wo th", { comment: "x" }, "ree four", { toolCall: { name: "add" } }];
  const choice = await first({ chunks }, { stop });
  expect(choice.message.content).toBe(content);
  expect(choice.finish_reason).toBe(finish);
  expect(choice.message.tool_calls === undefined).toBe(finish === "stop");
});

test("counts the tokens of what is left of a content", async () => {
  const choice = await first({ content: "one two three" }, { stop: " three" });
  expect(choice.usage.completion_tokens).toBe(2);
});

test.each([[""], [[""]]])("does not end before a stop that is empty: %j", async (stop) => {
  const choice = await first({ content: "one two" }, { stop });
  expect([choice.message.content, choice.finish_reason]).toEqual(["one two", "stop"]);
});

test("makes no content where there was none to cut", async () => {
  const reply = { toolCalls: [{ name: "add", arguments: "1 2 3" }] };
  const choice = await first(reply, { max_tokens: 2 });
  expect(choice.message).toMatchObject({ content: null, tool_calls: [{}] });
});

test.each([
  ["\udca5", "a\u{1f4a5}b", "a"],
  ["\u200d\u{1f467}", "a\u{1f469}\u200d\u{1f467}b", "a"],
  ["\u0301", "cafe\u0301 x", "caf"],
  ["\u{1f4a5}", "a\u{1f4a5}b", "a"],
  ["b", "a\u{1f4a5}b", "a\u{1f4a5}"],
  ["\ud83d", "\u{1f4a5}b", ""],
  ["\n", "a\r\nb", "a"],
])("a stop %j never cuts inside a character", async (stop, text, content) => {
  for (const reply of [{ content: text }, { chunks: [text.slice(0, 1), text.slice(1)] }]) {
    const choice = await first(reply, { stop });
    expect(choice.message.content).toBe(content);
    expect(choice.finish_reason).toBe("stop");
  }
});

test("what stands after the cut takes no time", async () => {
  const reply = { chunks: ["one", { wait: 50 }, " two", { wait: 900 }, " three"] };
  const stream = streamOf(await post(replying(reply), chatBody({ stream: true, stop: " three" })));
  expect(stream.end.at).toBe(50);
  expect(await post(replying(reply), chatBody({ max_tokens: 2 }))).toMatchObject({ delayMs: 50 });
});

test("a stream is cut as the JSON reply is, and counts the same", async () => {
  const fields = { stream: true, max_tokens: 9, stream_options: { include_usage: true } };
  const chunks = chunksOf(await post(replying(all), chatBody(fields)));
  expect(chunks.at(-2).choices[0].finish_reason).toBe("length");
  expect(chunks.at(-1).usage).toMatchObject({
    completion_tokens: 9,
    completion_tokens_details: { reasoning_tokens: 2 },
  });
});

test("never counts more than was allowed, long texts and real encodings included", async () => {
  const content = "Größe 👩‍🚀 of x. ".repeat(4000);
  for (const tokenizer of ["estimate", "o200k_base"] as const) {
    for (const max of [1, 7, 1000, 9000]) {
      const context = replying({ content }, { tokenizer });
      const { usage, choices } = bodyOf(await post(context, chatBody({ max_tokens: max })));
      expect(usage.completion_tokens).toBeLessThanOrEqual(max);
      expect(usage.completion_tokens).toBeGreaterThan(max - 12);
      expect(content.startsWith(choices[0].message.content)).toBe(true);
    }
  }
});
