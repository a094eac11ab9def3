import { expect, test } from "vitest";
import type { Step } from "../../../src/core/chat/completion/completion.ts";
import { timelineOf } from "../../../src/core/chat/wire/known-timelines.ts";

const steps: readonly Step[] = [{ kind: "content", text: "One two", whole: false }];
const random = (): number => 0.75;

test("streams of the same steps and pace share their pieces", () => {
  const first = timelineOf(steps, { gapMs: 10, by: "word" }, { random });

  expect(timelineOf(steps, { gapMs: 10, by: "word" }, { random })).toBe(first);
});

test.each([
  { gapMs: 20, by: "word" },
  { tokensPerSecond: 10, by: "word" },
  { gapMs: 10, by: "word", firstTokenMs: 5 },
  { gapMs: 10, by: 2 },
  { gapMs: 10, by: "word", jitter: 0.5 },
] as const)("lays the same steps out anew at the pace %o", (pace) => {
  const first = timelineOf(steps, { gapMs: 10, by: "word" }, { random });

  expect(timelineOf(steps, pace, { random })).not.toEqual(first);
});

test("lays a stream out anew where fewer pieces are allowed", () => {
  const pace = { by: "character" } as const;
  timelineOf(steps, pace, { random });

  expect(timelineOf(steps, pace, { random, mostPieces: 2 }).pieces).toHaveLength(2);
});

test("draws the gaps of each stream anew where the pace has a jitter", () => {
  const pace = { gapMs: 10, by: "word", jitter: 1 } as const;
  const first = timelineOf(steps, pace, { random: () => 0.25 });

  expect(timelineOf(steps, pace, { random })).not.toEqual(first);
});
