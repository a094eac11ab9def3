import type { ReplyHeaders } from "../http/reply.ts";

/** How much may be asked for in a minute. What is left out has no limit. */
export interface RateLimits {
  readonly requestsPerMinute?: number;
  /** Tokens of requests and their replies. */
  readonly tokensPerMinute?: number;
}

/** What is counted. */
export type LimitKind = "requests" | "tokens";

/** Where one limit stands. */
interface LimitState {
  readonly kind: LimitKind;
  readonly limit: number;
  /** What may be asked for at once, in whole units. */
  readonly remaining: number;
  /** Milliseconds until all of the limit is there again. */
  readonly resetMs: number;
}

/** A request that has to wait. */
interface Refusal extends LimitState {
  /** How much the request needs. */
  readonly requested: number;
  /** Milliseconds until there is enough; infinite when there never is. */
  readonly waitMs: number;
}

/** The levels of all limits at one moment. Never changed. */
export type RateLimiterSnapshot = ReadonlyMap<LimitKind, Level>;

/** How much is left of a limit, and when that was so. */
export interface Level {
  readonly left: number;
  /** Unix time in milliseconds. */
  readonly at: number;
}

const minute = 60_000;

/**
 * Counts requests and tokens against limits per minute. Each limit is a bucket that is full at first and fills
 * evenly, a whole one a minute. Where the clock stands nothing comes back.
 */
export class RateLimiter {
  /** Whether anything is limited at all. */
  readonly isActive: boolean;
  readonly #limits: ReadonlyMap<LimitKind, number>;
  /** Replaced, never changed, since snapshots share it. */
  #levels: RateLimiterSnapshot;

  constructor(limits: ReadonlyMap<LimitKind, number>, levels: RateLimiterSnapshot) {
    this.isActive = limits.size > 0;
    this.#limits = limits;
    this.#levels = levels;
  }

  /** A limiter whose limits are all there. */
  static full({ requestsPerMinute, tokensPerMinute }: RateLimits, now: number): RateLimiter {
    const limits = new Map<LimitKind, number>();
    if (requestsPerMinute !== undefined) limits.set("requests", requestsPerMinute);
    if (tokensPerMinute !== undefined) limits.set("tokens", tokensPerMinute);
    const levels = [...limits].map(([kind, limit]) => [kind, { left: limit, at: now }] as const);
    return new RateLimiter(limits, new Map(levels));
  }

  /** A limiter of its own that stands where this one does. */
  fork(): RateLimiter {
    return new RateLimiter(this.#limits, this.#levels);
  }

  /** Counts a request of so many tokens, or refuses it and counts nothing. */
  take(tokens: number, now: number): Refusal | undefined {
    this.#followBack(now);
    const needs = { requests: 1, tokens };
    for (const state of this.states(now)) {
      const requested = needs[state.kind];
      const missing = requested - this.#leftOf(state.kind, now);
      if (missing > 0) return { ...state, requested, waitMs: waitFor(missing, requested, state) };
    }
    this.#spend("requests", 1, now);
    this.#spend("tokens", tokens, now);
    return undefined;
  }

  /** Counts tokens of a reply. They are spent already, so that the next request may have to wait longer. */
  spendTokens(tokens: number, now: number): void {
    this.#spend("tokens", tokens, now);
  }

  /** Where each limit stands. */
  states(now: number): readonly LimitState[] {
    return [...this.#limits].map(([kind, limit]) => {
      const left = this.#leftOf(kind, now);
      const resetMs = ((limit - left) / limit) * minute;
      return { kind, limit, remaining: Math.max(0, Math.floor(left)), resetMs };
    });
  }

  /** All of it at this moment, in O(1). */
  snapshot(): RateLimiterSnapshot {
    return this.#levels;
  }

  /** Goes back to a snapshot of this limiter. */
  restore(snapshot: RateLimiterSnapshot): void {
    this.#levels = snapshot;
  }

  /** Sets levels by the names of their limits; those of limits that are not there mean nothing. */
  restoreLevels(levels: Readonly<Record<string, Level>>): void {
    const known = [...this.#limits.keys()].flatMap((kind) => {
      const level = Object.hasOwn(levels, kind) ? levels[kind] : undefined;
      return level === undefined ? [] : [[kind, level] as const];
    });
    this.#levels = new Map([...this.#levels, ...known]);
  }

  /** Where the clock was set back, what comes back counts from now on: else nothing would until it is as late again. */
  #followBack(now: number): void {
    for (const [kind, { left, at }] of this.#levels) {
      if (at > now) this.#levels = new Map(this.#levels).set(kind, { left, at: now });
    }
  }

  #leftOf(kind: LimitKind, now: number): number {
    const limit = this.#limits.get(kind) ?? 0;
    const { left, at } = this.#levels.get(kind) ?? { left: limit, at: now };
    return Math.min(limit, left + (Math.max(0, now - at) / minute) * limit);
  }

  #spend(kind: LimitKind, amount: number, now: number): void {
    if (!this.#limits.has(kind)) return;
    const left = this.#leftOf(kind, now) - amount;
    this.#levels = new Map(this.#levels).set(kind, { left, at: now });
  }
}

function waitFor(missing: number, requested: number, { limit }: LimitState): number {
  return requested > limit ? Infinity : Math.ceil((missing / limit) * minute);
}

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
