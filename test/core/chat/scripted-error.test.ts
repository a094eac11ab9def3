import { expect, test } from "vitest";
import { openaiProfile } from "../../../src/core/chat/profiles.ts";
import type { ScriptError } from "../../../src/core/chat/scripts/script.ts";
import { bodyOf, chatBody, post, replying } from "./support.ts";

/** What a real service answers with and no request alone can cause: it is about accounts, places, models and load. */
const producible: readonly Omit<ScriptError, "message">[] = [
  { status: 400, code: "unsupported_parameter", param: "max_tokens" },
  { status: 400, code: "unsupported_value", param: "temperature" },
  { status: 400, code: "unsupported_value", param: "messages[0].role" },
  { status: 400, code: "array_below_min_length", param: "messages" },
  { status: 400, code: "content_filter", param: "prompt" },
  { status: 401, code: null },
  { status: 403, type: "request_forbidden", code: "unsupported_country_region_territory" },
  { status: 409, code: null },
  { status: 422, code: null },
  { status: 429, type: "insufficient_quota", code: "insufficient_quota" },
  { status: 429, type: "tokens", code: "rate_limit_exceeded", retryAfterMs: 1_500 },
  { status: 500, code: null },
  { status: 503, code: null },
  { status: 503, type: "service_unavailable_error", code: "slow_down" },
  { status: 503, type: "service_unavailable_error", code: "server_is_overloaded" },
];

test.each(producible)("says what the script says: $status $type $code", async (error) => {
  const { status, code, param = null, type = usualType(status) } = error;
  const context = replying({ error: { ...error, message: "As scripted" } });
  const reply = await post({ ...context, profile: openaiProfile }, chatBody());
  expect(reply.status).toBe(status);
  expect(bodyOf(reply)).toEqual({ error: { message: "As scripted", type, param, code } });
});

function usualType(status: number): string {
  return status >= 500 ? "server_error" : "invalid_request_error";
}

test.each([
  [0, "0", "0"],
  [1, "1", "1"],
  [1_000, "1000", "1"],
  [1_000.5, "1001", "2"],
])("tells to wait %d ms in both headers", async (retryAfterMs, milliseconds, seconds) => {
  const reply = await post(replying({ error: { status: 503, message: "Busy", retryAfterMs } }));
  expect(reply.headers).toMatchObject({ "retry-after-ms": milliseconds, "retry-after": seconds });
});

test.each([
  [1, 30],
  [2, 15],
  [0, 0],
])("waits as its pace says at the speed %d", async (speed, delayMs) => {
  const error = { status: 500, message: "No" };
  const reply = await post(replying({ error, pace: { firstTokenMs: 30 } }, { speed }));
  expect(reply).toMatchObject({ status: 500, delayMs });
  expect(Object.keys(reply.headers).join()).not.toContain("retry");
});
