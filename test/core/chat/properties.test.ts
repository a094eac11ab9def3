import fc from "fast-check";
import { expect, test } from "vitest";
import type { ScriptReply } from "../../../src/core/chat/scripts/script.ts";
import { tries } from "../../support/tries.ts";
import { bodyOf, chatBody, chatContext, chunksOf, post, replying, streamOf } from "./support.ts";

const word = fc.string({ unit: "grapheme", maxLength: 30 }).filter((text) => !text.includes("{"));
const toolCall = fc.record(
  {
    name: fc.constantFrom("get_weather", "ping"),
    arguments: fc.oneof(fc.dictionary(word, fc.oneof(word, fc.integer(), fc.constant(null))), word),
  },
  { requiredKeys: ["name"] },
);
const chunk = fc.oneof(
  word,
  fc.record({ wait: fc.nat(50) }),
  fc.record({ reasoning: word }),
  fc.record({ toolCall }),
  fc.record({ comment: word }),
);
const said = fc.oneof(
  fc.record({ content: fc.option(word), toolCalls: fc.array(toolCall, { maxLength: 3 }) }),
  fc.record({ content: word, reasoning: word }),
  fc.record({ refusal: word }),
  fc.record({ chunks: fc.array(chunk, { maxLength: 8 }) }),
);
const pace = fc.record(
  {
    firstTokenMs: fc.nat(100),
    gapMs: fc.nat(20),
    jitter: fc.double({ min: 0, max: 1, noNaN: true }),
    by: fc.oneof(fc.constantFrom("token", "word", "character"), fc.integer({ min: 1, max: 5 })),
  },
  { requiredKeys: [] },
);
const reply: fc.Arbitrary<ScriptReply> = fc
  .tuple(said, pace)
  .map(([what, how]) => ({ ...what, pace: how }));

interface Call {
  index: number;
  id?: string;
  type?: string;
  function: { name?: string; arguments: string };
}

/** Puts the deltas of one choice together, as clients do. */
function joined(chunks: ReturnType<typeof chunksOf>, index: number): object {
  const message: Record<string, string | null> = {};
  const calls: object[] = [];
  let finish: string | null = null;
  for (const choice of chunks.flatMap(({ choices }) => choices)) {
    if (choice.index !== index) continue;
    expect(finish).toBeNull();
    finish = choice.finish_reason;
    const { tool_calls: toolCalls = [], ...texts } = choice.delta;
    for (const [key, text] of Object.entries<string | null>(texts)) {
      message[key] = text === null ? (message[key] ?? null) : (message[key] ?? "") + text;
    }
    for (const { index: place, ...call } of toolCalls satisfies Call[]) {
      const known = calls[place] as Call | undefined;
      if (known === undefined) calls[place] = call;
      else known.function.arguments += call.function.arguments;
    }
  }
  return { message: { ...message, ...(calls.length > 0 ? { tool_calls: calls } : {}) }, finish };
}

test("the frames of a stream, joined, are the JSON reply", async () => {
  await fc.assert(
    fc.asyncProperty(reply, fc.integer({ min: 1, max: 3 }), async (scripted, n) => {
      const json = bodyOf(await post(replying(scripted), chatBody({ n })));
      const chunks = chunksOf(await post(replying(scripted), chatBody({ n, stream: true })));
      for (const { index, message, finish_reason: finish } of json.choices) {
        expect(joined(chunks, index)).toEqual({ message, finish });
      }
    }),
    { numRuns: tries(200) },
  );
});

test("times never run backwards, and the JSON reply takes as long as the stream", async () => {
  await fc.assert(
    fc.asyncProperty(reply, fc.integer({ min: 1, max: 3 }), async (scripted, n) => {
      const { frames, end } = streamOf(
        await post(replying(scripted), chatBody({ n, stream: true })),
      );
      const times = frames.map(({ at }) => at);
      expect(times).toEqual(times.toSorted((left, right) => left - right));
      const json = await post(replying(scripted), chatBody({ n }));
      expect(json.delayMs).toBeCloseTo(end.at, 6);
    }),
    { numRuns: tries(100) },
  );
});

const scripts = [
  {
    name: "all",
    when: {
      user: { regex: "(?<word>x)?" },
      anyMessage: "",
      request: { "messages.0.content.0": "x" },
    },
    replies: [{ content: "{{ match.word }} {{ user }}" }] as const,
  },
];

test("any JSON body is answered with 200 or a 4xx", async () => {
  const context = chatContext({ scripts, models: [] });
  const strict = chatContext({ scripts, unmatched: "error" });
  const field = fc.constantFrom(
    ..."model messages stream temperature n tools stream_options max_tokens __proto__".split(" "),
  );
  const value = fc.oneof(fc.jsonValue(), fc.constantFrom("__proto__", 1e308, -0));
  const message = fc.dictionary(
    fc.constantFrom("role", "content", "tool_calls", "tool_call_id", "name"),
    fc.oneof(fc.constantFrom("user", "tool", "assistant"), fc.jsonValue()),
  );
  const body = fc.oneof(
    value,
    fc.dictionary(field, value),
    fc.tuple(fc.dictionary(field, value), fc.array(message)).map(([fields, messages]) => ({
      ...fields,
      model: "atlas",
      messages,
    })),
  );
  await fc.assert(
    fc.asyncProperty(body, async (any) => {
      for (const target of [context, strict]) {
        const { status } = await post(target, JSON.stringify(any));
        expect(status === 200 || (status >= 400 && status < 500)).toBe(true);
      }
    }),
    { numRuns: tries(500) },
  );
});

test.each([
  ["deep arrays", `{"model":"a","messages":${"[".repeat(50_000)}${"]".repeat(50_000)}}`, 400],
  ["deep in an unknown field", `{"x":${"[".repeat(50_000)}${"]".repeat(50_000)}}`, 400],
  ["prototype names", '{"__proto__":{"model":"a"},"constructor":{"x":1}}', 400],
  [
    "a prototype name as a model",
    '{"model":"__proto__","messages":[{"role":"user","content":""}]}',
    200,
  ],
])("is safe from %s", async (_, body, status) => {
  expect(await post(chatContext({ scripts }), body)).toMatchObject({ status });
});
