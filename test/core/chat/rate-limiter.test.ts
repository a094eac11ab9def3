import fc from "fast-check";
import { expect, test } from "vitest";
import { duration, RateLimiter, rateLimitHeaders } from "../../../src/core/chat/rate-limiter.ts";
import { tries } from "../../support/tries.ts";

test("takes as many requests at once as a minute may have, and then refuses", () => {
  const limiter = RateLimiter.full({ requestsPerMinute: 3 }, 0);
  const answers = [0, 0, 0, 0].map((now) => limiter.take(0, now)?.kind);
  expect(answers).toEqual([undefined, undefined, undefined, "requests"]);
});

test("says how long a refused request has to wait, after which it is taken", () => {
  const limiter = RateLimiter.full({ requestsPerMinute: 3 }, 0);
  for (let count = 0; count < 3; count++) limiter.take(0, 0);
  const wait = limiter.take(0, 5000)?.waitMs;
  expect(wait).toBe(15_000);
  expect(limiter.take(0, 20_000)).toBeUndefined();
});

test("counts the tokens of replies, which the next request has to wait for", () => {
  const limiter = RateLimiter.full({ tokensPerMinute: 100 }, 0);
  limiter.take(10, 0);
  limiter.spendTokens(150, 0);
  expect(limiter.take(20, 0)).toMatchObject({ kind: "tokens", remaining: 0, requested: 20 });
  expect(limiter.take(20, 0)?.waitMs).toBe(48_000);
});

test("refuses for ever what is more than a whole minute's tokens", () => {
  const limiter = RateLimiter.full({ tokensPerMinute: 100 }, 0);
  expect(limiter.take(101, 0)?.waitMs).toBe(Infinity);
});

test("counts nothing of a refused request", () => {
  const limiter = RateLimiter.full({ requestsPerMinute: 5, tokensPerMinute: 100 }, 0);
  limiter.take(101, 0);
  expect(limiter.states(0).map(({ remaining }) => remaining)).toEqual([5, 100]);
});

test("goes back to a snapshot", () => {
  const limiter = RateLimiter.full({ requestsPerMinute: 2 }, 0);
  const before = limiter.snapshot();
  limiter.take(0, 0);
  limiter.restore(before);
  expect(limiter.states(0)).toMatchObject([{ remaining: 2, resetMs: 0 }]);
});

test("never lets more through in any minute than two full limits", () => {
  const gaps = fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 60 });
  fc.assert(
    fc.property(gaps, fc.integer({ min: 1, max: 10 }), (waits, limit) => {
      const limiter = RateLimiter.full({ requestsPerMinute: limit }, 0);
      const taken: number[] = [];
      let now = 0;
      for (const wait of waits) {
        now += wait;
        if (limiter.take(0, now) === undefined) taken.push(now);
      }
      for (const start of taken) {
        const within = taken.filter((at) => at >= start && at < start + 60_000);
        expect(within.length).toBeLessThanOrEqual(2 * limit);
      }
    }),
    { numRuns: tries(200) },
  );
});

test("is not moved by a clock that runs backwards", () => {
  const limiter = RateLimiter.full({ requestsPerMinute: 1 }, 60_000);
  limiter.take(0, 60_000);
  expect(limiter.take(0, 0)?.kind).toBe("requests");
});

test.each([
  [0, "0ms"],
  [19.2, "20ms"],
  [1000, "1s"],
  [8640, "8.64s"],
  [59_999, "1m0s"],
  [360_000, "6m0s"],
  [3_600_000, "1h0m0s"],
])("writes %d milliseconds as %s", (ms, text) => {
  expect(duration(ms)).toBe(text);
});

test("tells of each limit in three headers", () => {
  const limiter = RateLimiter.full({ requestsPerMinute: 60 }, 0);
  limiter.take(0, 0);
  expect(rateLimitHeaders(limiter.states(0))).toEqual({
    "x-ratelimit-limit-requests": "60",
    "x-ratelimit-remaining-requests": "59",
    "x-ratelimit-reset-requests": "1s",
  });
});

test("knows no other limits than those it was given", () => {
  const limiter = RateLimiter.full({ tokensPerMinute: 5 }, 0);
  limiter.take(2, 0);
  expect(limiter.states(0)).toEqual([{ kind: "tokens", limit: 5, remaining: 3, resetMs: 24_000 }]);
  expect([...limiter.snapshot().keys()]).toEqual(["tokens"]);
  expect([limiter.isActive, RateLimiter.full({}, 0).isActive]).toEqual([true, false]);
});

test("lets a request wait that takes the whole of a limit", () => {
  const limiter = RateLimiter.full({ tokensPerMinute: 100 }, 0);
  expect(limiter.take(100, 0)).toBeUndefined();
  expect(limiter.take(100, 0)?.waitMs).toBe(60_000);
});

test("forks into one that stands where it does, and goes on by itself", () => {
  const limiter = RateLimiter.full({ requestsPerMinute: 3 }, 0);
  limiter.take(0, 0);
  const fork = limiter.fork();
  fork.take(0, 0);
  expect([limiter, fork].map((one) => one.states(0)[0]?.remaining)).toEqual([2, 1]);
});

test("takes levels by name, and leaves out those of limits that it does not have", () => {
  const limiter = RateLimiter.full({ requestsPerMinute: 3, tokensPerMinute: 100 }, 0);
  limiter.take(10, 0);
  limiter.restoreLevels({ requests: { left: 1, at: 0 }, words: { left: 5, at: 0 } });
  expect(limiter.states(0).map(({ remaining }) => remaining)).toEqual([1, 90]);
  expect([...limiter.snapshot().keys()]).toEqual(["requests", "tokens"]);
});

test("is full where nobody says how a limit stands", () => {
  const limiter = RateLimiter.full({ requestsPerMinute: 3 }, 0);
  limiter.take(0, 0);
  limiter.restore(new Map());
  expect(limiter.states(5)).toMatchObject([{ remaining: 3, resetMs: 0 }]);
});

test("lets requests through again at the usual rate where the clock was set back", () => {
  const limiter = RateLimiter.full({ requestsPerMinute: 60 }, 3_600_000);
  for (let count = 0; count < 60; count++) limiter.take(0, 3_600_000);
  expect(limiter.take(0, 1_000)).toMatchObject({ waitMs: 1_000 });
  expect(limiter.take(0, 1_500)).toMatchObject({ waitMs: 500 });
  expect(limiter.take(0, 2_000)).toBeUndefined();
});
