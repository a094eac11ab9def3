import { expect, test } from "vitest";
import type { ScriptChunk } from "../../../src/core/chat/scripts/script.ts";
import { bodyOf, chatBody, chunksOf, post, replying, streamOf, textsOf } from "./support.ts";

interface Choice {
  readonly message: { readonly content: string };
  readonly finish_reason: string;
}

const choices = [
  { content: "one" },
  { chunks: ["t", "wo"], finishReason: "length" },
  { content: null, toolCalls: [{ name: "three" }] },
] as const;

test.each([
  [1, ["one"]],
  [2, ["one", "two"]],
  [5, ["one", "two", null, "one", "two"]],
])("gives %d choices in turn", async (n, contents) => {
  const body = bodyOf(await post(replying({ choices }), chatBody({ n })));
  expect(body.choices.map(({ message }: Choice) => message.content)).toEqual(contents);
});

test("each choice ends for a reason of its own, and usage has all", async () => {
  const body = bodyOf(await post(replying({ choices }), chatBody({ n: 3 })));
  const reasons = body.choices.map((choice: Choice) => choice.finish_reason);
  expect(reasons).toEqual(["stop", "length", "tool_calls"]);
  expect(body.usage.completion_tokens).toBe(1 + 1 + 2);
});

test("streams choices that differ", async () => {
  const chunks = chunksOf(await post(replying({ choices }), chatBody({ n: 2, stream: true })));
  const texts = ["", ""];
  for (const { index, delta } of chunks.flatMap((chunk) => chunk.choices)) {
    texts[index] += delta.content ?? "";
  }
  expect(texts).toEqual(["one", "two"]);
});

test("renders each choice's templates", async () => {
  const reply = { choices: [{ content: "{{ user }}" }, { content: { n: "{{ 1 | plus: 1 }}" } }] };
  const body = bodyOf(await post(replying(reply), chatBody({ n: 2 })));
  expect(body.choices.map(({ message }: Choice) => message.content)).toEqual(["Hi", '{"n":2}']);
});

/** The letters that a stream says, and the beginnings of what is no event with data. */
function saidIn(stream: ReturnType<typeof streamOf>): readonly string[] {
  return textsOf(stream).flatMap((text) => {
    const letter = /"content":"(\w)"/.exec(text)?.[1];
    return letter ?? (text.startsWith("data") ? [] : text.slice(0, 3));
  });
}

test("streams choices by time", async () => {
  const differing = [{ chunks: ["a", { wait: 10 }, "b"] }, { chunks: ["c", "d"] }];
  const reply = await post(replying({ choices: differing }), chatBody({ stream: true, n: 2 }));
  expect(saidIn(streamOf(reply))).toEqual(["a", "c", "d", "b"]);
  expect(streamOf(reply).end.at).toBe(10);
});

test("streams once what belongs to all choices that say the same", async () => {
  const chunks: ScriptChunk[] = [{ comment: "x" }, "a", { raw: "raw\n\n" }, { wait: 5 }, "b"];
  const stream = streamOf(await post(replying({ chunks }), chatBody({ stream: true, n: 2 })));
  expect(saidIn(stream)).toEqual([": x", "a", "a", "raw", "b", "b"]);
});
