import { expect, test } from "vitest";
import { chatErrors } from "../../../src/core/chat/errors.ts";

const reached = { model: "atlas", limit: 3, remaining: 0, requested: 1 };

test("names the limit that is reached, and when to try again", () => {
  const error = chatErrors.rateLimited({ ...reached, kind: "requests", waitMs: 20_000 });
  expect(error).toEqual({
    status: 429,
    message:
      "Rate limit reached for atlas in organization org-backlot on requests per min (RPM): " +
      "Limit 3, Used 3, Requested 1. Please try again in 20s.",
    type: "requests",
    code: "rate_limit_exceeded",
    param: null,
    headers: { "retry-after": "20", "retry-after-ms": "20000" },
  });
});

test.each([
  [0.2, "1", "1"],
  [1_000.1, "1001", "2"],
])("tells to wait %d ms in whole units, rounded up", (waitMs, milliseconds, seconds) => {
  const { headers } = chatErrors.rateLimited({ ...reached, kind: "tokens", waitMs });
  expect(headers).toEqual({ "retry-after-ms": milliseconds, "retry-after": seconds });
});

test("says that no wait will do when a request alone is larger than the limit", () => {
  const error = chatErrors.rateLimited({
    ...reached,
    kind: "tokens",
    requested: 9,
    waitMs: Infinity,
  });
  expect(error).toMatchObject({ type: "tokens", headers: { "x-should-retry": "false" } });
  expect(Object.keys(error.headers ?? {})).toEqual(["x-should-retry"]);
  expect(error.message).toContain("The request alone is larger than the limit");
});

test("names the context's length and what was asked of it", () => {
  const error = chatErrors.contextLengthExceeded({
    limit: 8192,
    prompt: 8000,
    completion: 500,
    param: "messages",
  });
  expect(error).toMatchObject({
    status: 400,
    type: "invalid_request_error",
    code: "context_length_exceeded",
    param: "messages",
  });
  expect(error.message).toContain(
    "maximum context length is 8192 tokens. However, you requested 8500 tokens (8000 in the messages",
  );
});

test.each([
  ["sk-secret-secret-9876", "sk-********9876"],
  ["short", "********"],
  ["", "********"],
])("masks the key %j", (key, shown) => {
  expect(chatErrors.wrongKey(key).message).toContain(`API key provided: ${shown}.`);
});
