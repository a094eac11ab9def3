import { expect, test } from "vitest";
import { likelyMistakes } from "../../../src/core/chat/scripts/script-warnings.ts";
import type { When } from "../../../src/core/chat/scripts/script.ts";

function doubtsOfWhen(when: When): readonly string[] {
  return likelyMistakes({ name: "s", when, replies: [{ content: "a" }] });
}

test("doubts a regular expression that is written as in code", () => {
  expect(doubtsOfWhen({ user: { regex: "/hel+o/i" } })).toEqual([
    'The script "s" looks for "/hel+o/i" with its slashes. Did you mean { "regex": "hel+o", "flags": "i" }?',
  ]);
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
