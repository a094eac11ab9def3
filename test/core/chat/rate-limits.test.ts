import { expect, test } from "vitest";
import { RateLimiter, type RateLimits } from "../../../src/core/chat/rate-limiter.ts";
import { bodyOf, chatBody, chatContext, now, post, replying, script } from "./support.ts";

function limited(limits: RateLimits): { readonly limiter: RateLimiter } {
  return { limiter: RateLimiter.full(limits, now) };
}

test("tells with every reply where the limits stand, and counts the reply's tokens", async () => {
  const context = replying(
    { content: "Hello there" },
    limited({ requestsPerMinute: 3, tokensPerMinute: 60 }),
  );
  const reply = await post(context);
  const { prompt_tokens: prompt, completion_tokens: completion } = bodyOf(reply).usage;
  const left = 60 - prompt - completion;
  expect(completion).toBeGreaterThan(0);
  expect(reply.headers).toMatchObject({
    "x-ratelimit-limit-requests": "3",
    "x-ratelimit-remaining-requests": "2",
    "x-ratelimit-reset-requests": "20s",
    "x-ratelimit-limit-tokens": "60",
    "x-ratelimit-remaining-tokens": String(left),
  });
});

test("refuses the request that goes beyond a limit, and tells how much was used", async () => {
  const context = chatContext(limited({ requestsPerMinute: 3 }));
  for (let count = 0; count < 3; count++) await post(context);
  const reply = await post(context);
  expect(reply).toMatchObject({
    status: 429,
    headers: { "x-ratelimit-remaining-requests": "0", "retry-after-ms": "20000" },
  });
  expect(bodyOf(reply).error.message).toContain(
    "Rate limit reached for atlas in organization org-backlot on requests per min (RPM): " +
      "Limit 3, Used 3, Requested 1. Please try again in 20s.",
  );
});

test("tells how much was used of a limit of which something is left", async () => {
  const context = chatContext(limited({ tokensPerMinute: 8 }));
  context.limiter?.take(2, now);
  const words = "one two three four five six seven";
  const { error } = bodyOf(await post(context, chatBody({}, words)));
  expect(error.message).toContain("on tokens per min (TPM): Limit 8, Used 2, Requested 7.");
});

test("a script's own headers win over those of limits", async () => {
  const headers = { "x-ratelimit-remaining-requests": "99" };
  const scripts = [script("only", { content: "Hi", headers })];
  const reply = await post(chatContext({ scripts, ...limited({ requestsPerMinute: 3 }) }));
  expect(reply.headers).toMatchObject({ ...headers, "x-ratelimit-limit-requests": "3" });
});
