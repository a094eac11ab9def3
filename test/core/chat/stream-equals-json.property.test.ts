import fc from "fast-check";
import { expect, test } from "vitest";
import type { ScriptChoice, ScriptReply } from "../../../src/core/chat/scripts/script.ts";
import { tries } from "../../support/tries.ts";
import { bodyOf, chatBody, chunksOf, post, replying, streamOf, wireOf } from "./support.ts";

const family = "👨‍👩‍👧‍👦";
const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 30 }).filter((value) => !/\{[{%]/.test(value)),
  fc.lorem({ maxCount: 12 }),
  fc
    .array(fc.constantFrom(family, " the", "e\u0301", "\r\n", "字", " 12345", "🇳🇴"), {
      maxLength: 12,
    })
    .map((parts) => parts.join("")),
);
const toolCall = fc.oneof(
  fc.record(
    {
      name: fc.constantFrom("get_weather", "ping"),
      arguments: fc.oneof(fc.dictionary(text, text, { maxKeys: 3 }), fc.constant(null)),
    },
    { requiredKeys: ["name"] },
  ),
  fc.record({ type: fc.constant("custom" as const), name: fc.constant("run"), input: text }),
);
const logprob = text.map((token) => ({ token, logprob: -1, bytes: null, top_logprobs: [] }));
const chunk = fc.oneof(
  text,
  fc.record({ wait: fc.nat(50) }),
  fc.record({ reasoning: text }),
  fc.record({ toolCall }),
  fc.record({ comment: text }),
  fc.record({
    comment: text,
    everyMs: fc.integer({ min: 1, max: 50 }),
    times: fc.integer({ min: 1, max: 3 }),
  }),
  fc.record({ comment: text, everyMs: fc.integer({ min: 5, max: 50 }) }),
  // No object: it would look like a chunk.
  fc.record({ json: fc.constantFrom(1, [], "a") }),
  fc.constant({ base64: "OiDwn5EKCg==" }),
);
const toolCalls = fc.array(toolCall, { maxLength: 3 });
const choice: fc.Arbitrary<ScriptChoice> = fc.oneof(
  fc.record({ content: fc.option(text), toolCalls }),
  fc.record({ content: fc.oneof(fc.dictionary(text, text), fc.array(text)) }),
  fc.record({ content: text, reasoning: text, refusal: text, toolCalls }),
  fc.record({ refusal: text }),
  fc.record({
    content: text.filter((value) => value !== ""),
    logprobs: fc.record({ content: fc.array(logprob) }),
  }),
  fc.record({ chunks: fc.array(chunk, { minLength: 1, maxLength: 8 }) }),
);
const pace = fc.record(
  {
    gapMs: fc.nat(20),
    jitter: fc.double({ min: 0, max: 1, noNaN: true }),
    headersMs: fc.nat(20),
    toolCalls: fc.constantFrom("pieces", "whole", "interleaved"),
    by: fc.oneof(fc.constantFrom("token", "word", "character"), fc.integer({ min: 1, max: 5 })),
  },
  { requiredKeys: [] },
);
const reply: fc.Arbitrary<ScriptReply> = fc
  .tuple(
    fc.oneof(choice, fc.record({ choices: fc.array(choice, { minLength: 1, maxLength: 3 }) })),
    fc.record({ finishReason: fc.constantFrom("stop", "content_filter") }, { requiredKeys: [] }),
    pace,
  )
  .map(([said, end, how]) => ({ ...said, ...("choices" in said ? {} : end), pace: how }));
const fields = fc.record(
  {
    n: fc.integer({ min: 1, max: 4 }),
    max_tokens: fc.integer({ min: 1, max: 30 }),
    stop: fc.oneof(
      text,
      fc.array(fc.constantFrom(" ", "a", "the", family, "e\u0301"), { minLength: 1, maxLength: 4 }),
    ),
    logprobs: fc.boolean(),
    top_logprobs: fc.nat(3),
  },
  { requiredKeys: [] },
);
const tokenizer = fc.constantFrom("estimate" as const, "o200k_base" as const);

/** The same chance each time, as from one seed. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 16807 + 11) % 2147483647) / 2147483647;
}

interface Call {
  index: number;
  function?: { arguments: string };
  custom?: { input: string };
}

/** Puts the deltas of a stream together, as clients do. */
function joined(chunks: ReturnType<typeof chunksOf>) {
  const choices: Record<number, ReturnType<typeof emptyChoice>> = {};
  for (const { index, delta, logprobs, finish_reason: finish } of chunks.flatMap(
    (each) => each.choices,
  )) {
    const known = (choices[index] ??= emptyChoice());
    known.finish ??= finish;
    for (const kind of ["content", "refusal"] as const)
      known[`${kind}Logprobs`].push(...(logprobs?.[kind] ?? []));
    const { tool_calls: calls = [], ...texts } = delta;
    for (const [key, part] of Object.entries<string | null>(texts)) {
      known.message[key] =
        part === null ? (known.message[key] ?? null) : (known.message[key] ?? "") + part;
    }
    for (const { index: place, ...call } of calls satisfies Call[]) {
      const before = known.calls[place];
      if (before === undefined) known.calls[place] = call;
      else addToCall(before, call);
    }
  }
  return choices;
}

function addToCall(before: Omit<Call, "index">, { function: called, custom }: Omit<Call, "index">) {
  if (before.function) before.function.arguments += called?.arguments ?? "";
  if (before.custom) before.custom.input += custom?.input ?? "";
}

function emptyChoice() {
  return {
    message: {} as Record<string, string | null>,
    calls: [] as Omit<Call, "index">[],
    contentLogprobs: [] as object[],
    refusalLogprobs: [] as object[],
    finish: null as string | null,
  };
}

const all = fc.record({
  scripted: reply,
  asked: fields,
  name: tokenizer,
  seed: fc.integer({ min: 1, max: 1e6 }),
});

test("the frames of a stream, joined, are the JSON reply of the same script", async () => {
  await fc.assert(
    fc.asyncProperty(all, async ({ scripted, asked, name, seed }) => {
      const context = () => replying(scripted, { tokenizer: name, random: seeded(seed) });
      const json = bodyOf(await post(context(), chatBody(asked)));
      const options = { ...asked, stream: true, stream_options: { include_usage: true } };
      const chunks = chunksOf(await post(context(), chatBody(options)));
      const streamed = joined(chunks);
      for (const { index, message, logprobs, finish_reason: finish } of json.choices) {
        const { tool_calls: calls = [], ...texts } = message;
        expect(streamed[index]).toEqual({
          message: texts,
          calls,
          contentLogprobs: logprobs?.content ?? [],
          refusalLogprobs: logprobs?.refusal ?? [],
          finish,
        });
      }
      expect(chunks.at(-1).usage).toEqual(json.usage);
    }),
    { numRuns: tries(300) },
  );
});

test("made-up probabilities have the text of the content, and no limit is passed", async () => {
  await fc.assert(
    fc.asyncProperty(all, async ({ scripted, asked, name, seed }) => {
      const context = replying(scripted, { tokenizer: name, random: seeded(seed) });
      const { choices, usage } = bodyOf(
        await post(context, chatBody({ ...asked, logprobs: true })),
      );
      expect(usage.completion_tokens).toBeLessThanOrEqual(
        (asked.max_tokens ?? Infinity) * choices.length,
      );
      for (const [index, { message, logprobs }] of choices.entries()) {
        const said = scripted.choices?.[index % scripted.choices.length] ?? scripted;
        if (said.logprobs !== undefined) continue;
        const tokens: { readonly token: string }[] = logprobs?.content ?? [];
        expect(tokens.map(({ token }) => token).join("")).toBe(message.content ?? "");
      }
    }),
    { numRuns: tries(200) },
  );
});

test("no delta ends inside a grapheme", async () => {
  const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
  const cut = fc.record({
    content: text,
    name: tokenizer,
    how: pace,
    max: fc.integer({ min: 1, max: 20 }),
  });
  await fc.assert(
    fc.asyncProperty(cut, async ({ content, name, how, max }) => {
      const context = replying({ content, pace: how }, { tokenizer: name });
      const asked = { stream: true, max_tokens: max, logprobs: true };
      const chunks = chunksOf(await post(context, chatBody(asked)));
      const borders = new Set(Array.from(segmenter.segment(content), ({ index }) => index));
      borders.add(content.length);
      let end = 0;
      for (const { delta } of chunks.flatMap(({ choices }) => choices)) {
        expect(borders).toContain((end += delta.content?.length ?? 0));
      }
    }),
    { numRuns: tries(200) },
  );
});

test("the same seed gives the same bytes and times twice", async () => {
  await fc.assert(
    fc.asyncProperty(all, async ({ scripted, asked, name, seed }) => {
      const send = () =>
        post(
          replying(scripted, { tokenizer: name, random: seeded(seed) }),
          chatBody({ ...asked, stream: true }),
        );
      const [once, again] = [await send(), await send()];
      expect(wireOf(again)).toBe(wireOf(once));
      expect(streamOf(again)).toEqual(streamOf(once));
    }),
    { numRuns: tries(100) },
  );
});
