import { expect, test } from "vitest";
import { likelyMistakes } from "../../../src/core/chat/scripts/script-warnings.ts";
import type { ScriptReply, When } from "../../../src/core/chat/scripts/script.ts";

function doubtsOfReplies(...replies: readonly [ScriptReply, ...ScriptReply[]]): readonly string[] {
  return likelyMistakes({ name: "s", replies });
}

function doubtsOfWhen(when: When): readonly string[] {
  return likelyMistakes({ name: "s", when, replies: [{ content: "a" }] });
}

test.each([
  ["stopp", "stop"],
  ["tool_call", "tool_calls"],
  ["lenght", "length"],
  ["content-filter", "content_filter"],
])("doubts the finish reason %s", (finishReason, meant) => {
  expect(doubtsOfReplies({ content: "a" }, { content: "b", finishReason })).toEqual([
    `The script "s" has an unusual finish reason, "${finishReason}". Did you mean "${meant}"?`,
  ]);
});

test("doubts the finish reasons of choices", () => {
  const choices = [
    { content: "a", finishReason: "stop" },
    { content: "b", finishReason: "Length" },
  ];

  expect(doubtsOfReplies({ choices })).toEqual([expect.stringContaining('"Length"')]);
});

test.each(["stop", "length", "tool_calls", "content_filter", "function_call", "eos", "end_turn"])(
  "does not doubt the finish reason %s",
  (finishReason) => {
    expect(doubtsOfReplies({ content: "a", finishReason })).toEqual([]);
  },
);

test("doubts a regular expression that is written as in code", () => {
  expect(doubtsOfWhen({ user: { regex: "/hel+o/i" } })).toEqual([
    'The script "s" looks for "/hel+o/i" with its slashes. Did you mean { "regex": "hel+o", "flags": "i" }?',
  ]);
});

test("doubts a regular expression that may try for ever on the engine of JavaScript", () => {
  const [doubt] = doubtsOfWhen({ user: { regex: "^(?=.*b)(a+)+$" } });
  expect(doubt).toContain("can take very long");
  expect(doubt).toContain('"(?="');
  expect(doubtsOfWhen({ user: { anyOf: [{ regex: "^(a+)+$" }, { regex: "^(?!a)b" }] } })).toEqual(
    [],
  );
});

test.each<When>([
  { system: { regex: "/a/gi" } },
  { anyMessage: { anyOf: ["x", { anyOf: [{ regex: "/a/u" }] }] } },
  { toolResult: { content: { regex: "/a/s" } } },
])("doubts the regular expression in %j", (when) => {
  expect(doubtsOfWhen(when)).toHaveLength(1);
});

test.each<When>([
  { user: { regex: "/rest/users" } },
  { user: { regex: "/rest/" } },
  { user: { regex: "a/b/i" } },
  { user: { equals: "/a/i" }, system: "/a/i" },
])("does not doubt %j", (when) => {
  expect(doubtsOfWhen(when)).toEqual([]);
});

test("doubts replies that `times` leaves no request for", () => {
  const replies = [{ content: "a" }, { content: "b" }, { content: "c" }] as const;
  expect(likelyMistakes({ name: "s", times: 1, replies })).toEqual([
    'The script "s" has more replies than its "times", 1: the last is never sent. ' +
      'Raise "times", or replace it by "after": "end".',
  ]);
  for (const more of [{}, { times: 3 }, { times: 4, after: "cycle" }, { after: "end" }] as const) {
    expect(likelyMistakes({ name: "s", replies, ...more })).toEqual([]);
  }
});
