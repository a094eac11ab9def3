import { expect, test } from "vitest";
import { estimateTokenizer } from "../../../src/core/chat/tokens/pieces.ts";
import { inventLogprobs } from "../../../src/core/chat/completion/end-choice.ts";
import { lengthOf, type Completion } from "../../../src/core/chat/completion/completion.ts";
import type { TokenLogprob } from "../../../src/core/chat/scripts/script.ts";

function likely(tokens: readonly string[], top: number, random = 0.5): readonly TokenLogprob[] {
  return inventLogprobs(tokens, { random: () => random, top });
}

test("makes a token the more likely the smaller the number that is drawn", () => {
  const logprobs = [0, 0.25, 0.5, 0.999].map((random) => likely(["a"], 0, random)[0]?.logprob);
  expect(logprobs).toEqual([0, -0.133531, -0.287682, -0.692148]);
});

test("gives the other tokens half of what is left, each half of the one before", () => {
  const [first] = likely([" the"], 4);
  expect(first?.top_logprobs).toEqual([
    { token: " the", logprob: -0.287682, bytes: [32, 116, 104, 101] },
    { token: ",", logprob: -2.079442, bytes: [44] },
    { token: ".", logprob: -2.772589, bytes: [46] },
    { token: " and", logprob: -3.465736, bytes: [32, 97, 110, 100] },
  ]);
});

test("leaves others a little where a token is certain", () => {
  const [first] = likely(["a"], 2, 0);
  expect(first?.top_logprobs.map(({ logprob }) => logprob)).toEqual([0, -14.508658]);
});

test("stops at as many as no answer can hold", () => {
  const tokens = Array.from({ length: 20_000 }, () => "a");
  expect(likely(tokens, 20)).toHaveLength(19_048);
});

const message = {
  steps: [],
  isLasting: false,
  callIds: [],
  isFunctionCall: false,
  finishReason: "stop",
  logprobs: null,
} as const;

const nobody = { label: () => "", outcome: () => ({}), details: () => ({}) };

function lengthOfChoices(choices: Completion["choices"]): number {
  const counts = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
  const how = { pace: {}, tokenizer: estimateTokenizer, headers: {} };
  const rest = { id: "", created: 0, model: "", usage: counts, full: undefined, ...how };
  return lengthOf({ ...rest, choices, fault: undefined, answeredBy: nobody, isMiss: undefined });
}

test("measures an answer by the characters of all choices, and by the probabilities it has", () => {
  const call = {
    index: 0,
    scriptedId: undefined,
    type: "function",
    name: "f",
    arguments: "12345",
  } as const;
  const texts = [
    { kind: "content", text: "abc", whole: false },
    { kind: "comment", text: "de" },
    { kind: "toolCall", call },
    { kind: "wait", ms: 9 },
  ] as const;
  const said = { ...message, steps: texts };
  expect(lengthOfChoices([message])).toBe(0);
  expect(lengthOfChoices([said, said])).toBe(20);
  const content = likely(["a", "b"], 2);
  const one = lengthOfChoices([
    { ...message, logprobs: { content: content.slice(1), refusal: null } },
  ]);
  const both = lengthOfChoices([{ ...message, logprobs: { content, refusal: content.slice(1) } }]);
  expect(one).toBeGreaterThan(0);
  expect(both).toBe(3 * one);
});
