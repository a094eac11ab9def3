import { expect, test } from "vitest";
import { bodyOf, chatBody, chunksOf, post, replying } from "./support.ts";

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
