import { expect, test } from "vitest";
import type { ScriptReply, TokenLogprob } from "../../../src/core/chat/scripts/script.ts";
import { bodyOf, chatBody, chunksOf, post, replying } from "./support.ts";

function token(text: string): TokenLogprob {
  return { token: text, logprob: -0.5, bytes: null, top_logprobs: [] };
}

async function sent(reply: ScriptReply, fields: object) {
  const body = bodyOf(await post(replying(reply), chatBody(fields)));
  return body.choices[0].logprobs;
}

/** The content and tokens of each delta. */
async function streamed(reply: ScriptReply, fields: object) {
  const chunks = chunksOf(await post(replying(reply), chatBody({ ...fields, stream: true })));
  return chunks
    .flatMap(({ choices }) => choices)
    .filter(({ delta }) => delta.content !== undefined && delta.role === undefined)
    .map(({ delta, logprobs }) => [
      delta.content,
      logprobs?.content.map((entry: TokenLogprob) => entry.token),
    ]);
}

test("makes probabilities up for those who ask for them", async () => {
  const logprobs = await sent({ content: "Größe!" }, { logprobs: true });
  expect(logprobs).toEqual({
    content: [
      {
        token: "Größe",
        logprob: -0.287682,
        bytes: [71, 114, 195, 182, 195, 159, 101],
        top_logprobs: [],
      },
      { token: "!", logprob: -0.287682, bytes: [33], top_logprobs: [] },
    ],
    refusal: null,
  });
});

test.each([1, 3, 20])("tells the %d likeliest tokens, the one taken first", async (top) => {
  const logprobs = await sent({ content: "the the" }, { logprobs: true, top_logprobs: top });
  for (const { token: taken, logprob, top_logprobs: likely } of logprobs.content) {
    expect(likely).toHaveLength(top);
    expect(likely[0]).toMatchObject({ token: taken, logprob });
    expect(new Set(likely.map((entry: TokenLogprob) => entry.token)).size).toBe(top);
    const values = likely.map((entry: TokenLogprob) => entry.logprob);
    expect(values).toEqual(values.toSorted((left: number, right: number) => right - left));
  }
});

test.each<[string, ScriptReply, object]>([
  ["nobody asks", { content: "a" }, {}],
  ["there is no text", { toolCalls: [{ name: "a" }] }, { logprobs: true }],
])("sends null when %s", async (_, reply, fields) => {
  expect(await sent(reply, fields)).toBeNull();
});

test("gives a refusal's tokens a list of their own", async () => {
  const logprobs = await sent({ refusal: "no way" }, { logprobs: true });
  expect(logprobs.content).toBeNull();
  expect(logprobs.refusal.map((entry: TokenLogprob) => entry.token)).toEqual(["no", " way"]);
});

const scripted = ["One", " two", " thr", "ee"].map(token);

test("sends those of the script as they are, whether asked for or not", async () => {
  const reply = { content: "One two three", logprobs: { content: scripted } };
  expect(await sent(reply, {})).toEqual({ content: scripted, refusal: null });
});

test.each<[ScriptReply, unknown[]]>([
  [
    { content: "One two three" },
    [
      ["One", ["One"]],
      [" two", [" two"]],
      [" thr", [" thr"]],
      ["ee", ["ee"]],
    ],
  ],
  [
    { content: "One two three", pace: { by: "character" } },
    [
      ["One", ["One"]],
      [" two", [" two"]],
      [" thr", [" thr"]],
      ["ee", ["ee"]],
    ],
  ],
  [
    { chunks: ["One two", " three"] },
    [
      ["One two", ["One", " two"]],
      [" three", [" thr", "ee"]],
    ],
  ],
  [
    { chunks: ["On", "e two three"] },
    [
      ["On", ["One"]],
      ["e two three", [" two", " thr", "ee"]],
    ],
  ],
  [
    { chunks: ["On", "e tw", "o three"] },
    [
      ["On", ["One"]],
      ["e tw", [" two"]],
      ["o three", [" thr", "ee"]],
    ],
  ],
  [
    { chunks: [{ reasoning: "Hm" }, "One", { toolCall: { name: "f" } }, " two", { comment: "x" }] },
    [
      ["One", ["One"]],
      [" two", [" two", " thr", "ee"]],
    ],
  ],
  [{ content: "O" }, [["O", ["One", " two", " thr", "ee"]]]],
  [
    { content: "One two three 👩‍🚀" },
    [
      ["One", []],
      [" two", []],
      [" three", []],
      [" ", []],
      ["👩‍🚀", ["One", " two", " thr", "ee"]],
    ],
  ],
])("divides them over the deltas of %j", async (reply, deltas) => {
  expect(await streamed({ ...reply, logprobs: { content: scripted } }, {})).toEqual(deltas);
});

test("ends them where the text was cut", async () => {
  const reply = { content: "One two three", logprobs: { content: scripted } };
  const { content } = await sent(reply, { stop: " three" });
  expect(content).toEqual(scripted.slice(0, 2));
});

test("keeps all that there are of a text that was cut, where they are fewer", async () => {
  const refusal = ["No"].map(token);
  const reply = { content: "One two three", logprobs: { content: scripted.slice(0, 1), refusal } };
  const logprobs = await sent(reply, { stop: " three" });
  expect(logprobs).toEqual({ content: scripted.slice(0, 1), refusal: [] });
});

test("streams made-up probabilities with the tokens that they are of", async () => {
  expect(await streamed({ content: "One two" }, { logprobs: true })).toEqual([
    ["One", ["One"]],
    [" two", [" two"]],
  ]);
});

test.each([
  [["a\r", "\nb"], "a\r\nb", ["a", "\r\n", "b"]],
  [["e", "\u0301x"], "e\u0301x", ["e\u0301", "x"]],
])("never ends a delta inside a character for the tokens %j", async (tokens, content, parts) => {
  const logprobs = { content: tokens.map(token), refusal: null };
  const reply: ScriptReply = { content, logprobs, pace: { by: "character" } };
  const last = parts.length - 1;
  expect(await streamed(reply, {})).toEqual(
    parts.map((part, index) => [part, index === last ? tokens : []]),
  );
});

test("streams a refusal's probabilities in a list of their own", async () => {
  const reply = replying({ refusal: "no way" });
  const chunks = chunksOf(await post(reply, chatBody({ stream: true, logprobs: true })));
  const lists = chunks.flatMap(({ choices }) => choices[0].logprobs ?? []);
  expect(lists).toMatchObject([
    { content: null, refusal: [{ token: "no" }] },
    { content: null, refusal: [{ token: " way" }] },
  ]);
});

test("refuses more of them than an answer can hold", async () => {
  const content = "a b ".repeat(20_000);
  const fields = { logprobs: true, top_logprobs: 20 };
  expect(await post(replying({ content }), chatBody(fields))).toMatchObject({ status: 400 });
});
