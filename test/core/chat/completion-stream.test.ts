import { expect, test } from "vitest";
import { chatBody, chunksOf, post, replying, streamOf, wireOf } from "./support.ts";

/** What each chunk adds to the message, in the order in which the keys are written. */
function deltasOf(reply: Parameters<typeof chunksOf>[0]): readonly string[] {
  return chunksOf(reply).map(({ choices }) => JSON.stringify(choices[0].delta));
}

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

test("streams reasoning before the content, the role in the first of its deltas", async () => {
  const context = replying({ reasoning: "Let me", content: "Yes" });
  const reply = await post(context, chatBody({ stream: true }));
  expect(deltasOf(reply)).toEqual([
    '{"role":"assistant","content":"","refusal":null,"reasoning_content":"Let"}',
    '{"reasoning_content":" me"}',
    '{"content":"Yes"}',
    "{}",
  ]);
});

test("streams a refusal in its own field", async () => {
  const reply = await post(replying({ refusal: "No" }), chatBody({ stream: true }));
  expect(deltasOf(reply)).toEqual([
    '{"role":"assistant","content":null,"refusal":null}',
    '{"refusal":"No"}',
    "{}",
  ]);
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
