import fc from "fast-check";
import { expect, test } from "vitest";
import { duration, rateLimitHeaders } from "../../src/chat/limits/rate-limit-headers.ts";
import { RateLimiter } from "../../src/chat/limits/rate-limiter.ts";

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
    { seed: 7, numRuns: 200 },
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
