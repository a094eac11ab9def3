import { expect, test } from "vitest";
import type { Delay } from "../../../src/core/chat/delay.ts";
import type { ScriptReply } from "../../../src/core/chat/scripts/script.ts";
import type { ChatContext } from "../../../src/core/chat/context.ts";
import { chatBody, chatContext, post, replying, streamOf } from "./support.ts";

/** When each frame of a stream is due. */
async function times(reply: ScriptReply, options: Partial<ChatContext> = {}): Promise<number[]> {
  const answer = await post(replying(reply, options), chatBody({ stream: true }));
  const { frames, end } = streamOf(answer);
  expect(end.at).toBe(frames.at(-1)?.at);
  return frames.map(({ at }) => at);
}

/** Numbers that look random and are the same each time. */
function fixedRandom(): () => number {
  let state = 1;
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}

test("sends the role with the first token, and the end with the last", async () => {
  const pace = { firstTokenMs: 200, gapMs: 50 };
  expect(await times({ content: "a b c", pace })).toEqual([200, 200, 250, 300, 300, 300]);
});

test("takes tokens per second without rounding errors that add up", async () => {
  const content = Array.from({ length: 31 }, () => "x").join(" ");
  const all = await times({ content, pace: { tokensPerSecond: 3 } });
  expect(all.at(-1)).toBe(10_000);
});

test("makes each gap longer or shorter by at most the jitter, never running backwards", async () => {
  let turn = 0;
  const random = (): number => [0, 0.999, 0.5][turn++ % 3] ?? 0;
  const pace = { gapMs: 100, jitter: 1 };
  const all = await times({ content: "a b c d e f g", pace }, { random });
  const gaps = all.slice(1).map((at, index) => at - (all[index] ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(0);
  expect(gaps.slice(1, 4).map(Math.round)).toEqual([0, 200, 100]);
});

test("gives the same times for the same random numbers", async () => {
  const reply = { content: "a b c d", pace: { gapMs: 10, jitter: 0.5 } };
  const first = await times(reply, { random: fixedRandom() });
  expect(await times(reply, { random: fixedRandom() })).toEqual(first);
});

test("waits between chunks on top of the pace", async () => {
  const chunks = ["a", { wait: 1000 }, { comment: "still here" }, "b", { wait: 500 }];
  const all = await times({ chunks, pace: { firstTokenMs: 10, gapMs: 5 } });
  expect(all).toEqual([10, 10, 1010, 1015, 1515, 1515]);
});

/** What 10,000 drawn first tokens and gaps come to: their middle, and their 99th percentile. */
async function drawn(delay: Delay): Promise<{ readonly p50: number; readonly p99: number }> {
  const content = Array.from({ length: 10_000 }, () => "x").join(" ");
  const all = await times({ content, pace: { gapMs: delay } }, { random: fixedRandom() });
  const gaps = all.slice(1, -2).map((at, index) => at - (all[index] ?? 0));
  const sorted = gaps.toSorted((left, right) => left - right);
  const at = (share: number): number => sorted[Math.floor(share * sorted.length)] ?? NaN;
  return { p50: at(0.5), p99: at(0.99) };
}

test.each<[string, Delay, number, number]>([
  ["percentiles", { p50: 20, p99: 80 }, 20, 80],
  ["log-normal", { median: 20, sigma: 0.5 }, 20, 20 * Math.exp(0.5 * 2.326)],
  ["normal", { mean: 20, stdDev: 5 }, 20, 20 + 5 * 2.326],
  ["exponential", { exponential: 20 }, 20 * Math.log(2), 20 * Math.log(100)],
  ["uniform", { min: 10, max: 30 }, 20, 29.8],
])("draws each gap: %s", async (_, delay, p50, p99) => {
  const found = await drawn(delay);
  expect(found.p50 / p50).toBeCloseTo(1, 1);
  expect(found.p99 / p99).toBeCloseTo(1, 1);
});

test("draws the first token anew for each reply, the same times from the same seed", async () => {
  const reply = { content: "a b", pace: { firstTokenMs: { p50: 200, p99: 900 } } };
  const context = replying(reply, { random: fixedRandom() });
  const firstOf = async (): Promise<number | undefined> =>
    streamOf(await post(context, chatBody({ stream: true }))).frames[0]?.at;
  const firsts = [await firstOf(), await firstOf(), await firstOf()];
  expect(new Set(firsts).size).toBe(3);
  expect((await times(reply, { random: fixedRandom() }))[0]).toBe(firsts[0]);
});

const slow = { firstTokenMs: 200, gapMs: 50 };

test("gives a stream without a pace of its own the usual one", async () => {
  expect(await times({ content: "a b c" }, { pace: slow })).toEqual([200, 200, 250, 300, 300, 300]);
});

test.each<[string, ScriptReply]>([
  ["a pace of its own", { content: "a b", pace: {} }],
  ["chunks", { chunks: ["a", " b"] }],
])("does not slow a stream with %s down", async (_, reply) => {
  expect(await times(reply, { pace: slow })).toEqual([0, 0, 0, 0, 0]);
});

test.each<[ScriptReply, boolean]>([
  [{ choices: [{ content: "a" }, { content: "b" }] }, true],
  [{ choices: [{ content: "a" }, { chunks: ["b"] }] }, false],
])("slows choices down where none of them has chunks: %j", async (reply, isSlow) => {
  const context = replying(reply, { pace: slow });
  const { end } = streamOf(await post(context, chatBody({ stream: true, n: 2 })));
  expect(end.at > 0).toBe(isSlow);
});

test("gives an echo that is streamed the usual pace", async () => {
  const reply = await post(chatContext({ pace: slow }), chatBody({ stream: true }));
  expect(streamOf(reply).end.at).toBeGreaterThan(200);
});

test("holds neither a JSON reply nor an error back by the usual pace", async () => {
  const error = { status: 429, message: "Slow" };
  expect(await post(chatContext({ pace: slow }))).toMatchObject({ status: 200, delayMs: 0 });
  expect(await post(replying({ content: "a b" }, { pace: slow }))).toMatchObject({ delayMs: 0 });
  const failed = await post(replying({ error }, { pace: slow }), chatBody({ stream: true }));
  expect(failed).toMatchObject({ status: 429, delayMs: 0 });
});

test("sends a comment that comes first before the first token is due", async () => {
  const all = await times({ chunks: [{ comment: "x" }, "a"], pace: { firstTokenMs: 100 } });
  expect(all).toEqual([0, 100, 100, 100, 100]);
});

test.each([
  [2, 50],
  [0.5, 200],
  [0, 0],
])("divides all times by the speed %d", async (speed, last) => {
  const all = await times({ content: "a b", pace: { gapMs: 100 } }, { speed });
  expect(all.at(-1)).toBe(last);
});

test("delays a JSON reply by the time its stream would take", async () => {
  const reply = { chunks: ["a", { wait: 100 }, "b"], pace: { firstTokenMs: 20, gapMs: 4 } };
  expect(await post(replying(reply))).toMatchObject({ status: 200, delayMs: 124 });
  expect(await post(replying(reply, { speed: 4 }))).toMatchObject({ delayMs: 31 });
  expect(await post(replying(reply, { speed: 0 }))).toMatchObject({ delayMs: 0 });
});

test.each([
  ["word", 3],
  ["character", 13],
  [5, 3],
] as const)("cuts by %s", async (by, pieces) => {
  const all = await times({ content: "one two three", pace: { by } });
  expect(all.length).toBe(pieces + 3);
});
