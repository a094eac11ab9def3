import type { ReplyHeaders } from "../../http/reply.ts";
import type { LimitState } from "./rate-limiter.ts";

/** The headers that tell a client where its limits stand; none where nothing is limited. */
export function rateLimitHeaders(states: readonly LimitState[]): ReplyHeaders {
  const headers: Record<string, string> = {};
  for (const { kind, limit, remaining, resetMs } of states) {
    headers[`x-ratelimit-limit-${kind}`] = String(limit);
    headers[`x-ratelimit-remaining-${kind}`] = String(remaining);
    headers[`x-ratelimit-reset-${kind}`] = duration(resetMs);
  }
  return headers;
}

/** Milliseconds as the service writes them: `20ms`, `8.64s`, `6m0s`, `1h0m0s`. Rounded up. */
export function duration(ms: number): string {
  const whole = Math.ceil(ms);
  if (whole < 1000) return `${whole}ms`;
  const seconds = Math.ceil(whole / 10) / 100;
  if (seconds < 60) return `${seconds}s`;
  const total = Math.ceil(seconds);
  const minutes = Math.floor(total / 60) % 60;
  const hours = Math.floor(total / 3600);
  return `${hours > 0 ? `${hours}h` : ""}${minutes}m${total % 60}s`;
}
