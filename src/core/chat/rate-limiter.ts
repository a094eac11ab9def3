import type { ReplyHeaders } from "../http/reply.ts";

/** The limits per minute. Undefined: no limit. */
export interface RateLimits {
  readonly requestsPerMinute?: number;
  /** Tokens of requests and their replies. */
  readonly tokensPerMinute?: number;
}

/** The things that limits count. */
export type LimitKind = "requests" | "tokens";

/** The state of one limit. */
interface LimitState {
  readonly kind: LimitKind;
  readonly limit: number;
  /** How much can be requested now, rounded down. */
  readonly remaining: number;
  /** Milliseconds until the limit is full again. */
  readonly resetMs: number;
}

/** A request that exceeds a limit. */
export interface LimitRefusal extends LimitState {
  /** How much the request needs. */
  readonly requested: number;
  /** Milliseconds until there is enough; infinite if there never is. */
  readonly waitMs: number;
}

/** What is left of all limits at one moment. Immutable. */
export type RateLimiterSnapshot = ReadonlyMap<LimitKind, Level>;

/** What was left of a limit, and when. */
export interface Level {
  readonly left: number;
  /** Unix time in milliseconds. */
  readonly at: number;
}

const minute = 60_000;

/**
 * Counts requests and tokens against limits per minute. Each limit is a bucket that starts full and refills evenly,
 * once per minute. With a stopped clock nothing refills.
 */
export class RateLimiter {
  /** Whether there are any limits. */
  readonly isActive: boolean;
  readonly #limits: ReadonlyMap<LimitKind, number>;
  /** The levels. This map is replaced and never changed, since snapshots share it. */
  #levels: RateLimiterSnapshot;

  constructor(limits: ReadonlyMap<LimitKind, number>, levels: RateLimiterSnapshot) {
    this.isActive = limits.size > 0;
    this.#limits = limits;
    this.#levels = levels;
  }

  /** A limiter with full limits. */
  static full({ requestsPerMinute, tokensPerMinute }: RateLimits, now: number): RateLimiter {
    const limits = new Map<LimitKind, number>();
    if (requestsPerMinute !== undefined) limits.set("requests", requestsPerMinute);
    if (tokensPerMinute !== undefined) limits.set("tokens", tokensPerMinute);
    const levels = [...limits].map(([kind, limit]) => [kind, { left: limit, at: now }] as const);
    return new RateLimiter(limits, new Map(levels));
  }

  /** An independent limiter with the same levels. */
  fork(): RateLimiter {
    return new RateLimiter(this.#limits, this.#levels);
  }

  /** Counts a request with its tokens, or refuses it and counts nothing. */
  take(tokens: number, now: number): LimitRefusal | undefined {
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

  /** Counts the tokens of a reply. They may exceed what is left, so that later requests wait longer. */
  spendTokens(tokens: number, now: number): void {
    this.#spend("tokens", tokens, now);
  }

  /** The state of each limit. */
  states(now: number): readonly LimitState[] {
    return [...this.#limits].map(([kind, limit]) => {
      const left = this.#leftOf(kind, now);
      const resetMs = ((limit - left) / limit) * minute;
      return { kind, limit, remaining: Math.max(0, Math.floor(left)), resetMs };
    });
  }

  /** The levels at this moment, in constant time. */
  snapshot(): RateLimiterSnapshot {
    return this.#levels;
  }

  /** Restores a snapshot of this limiter. */
  restore(snapshot: RateLimiterSnapshot): void {
    this.#levels = snapshot;
  }

  /** Sets levels by limit name; ignores unknown limits. */
  restoreLevels(levels: Readonly<Record<string, Level>>): void {
    const known = [...this.#limits.keys()].flatMap((kind) => {
      const level = Object.hasOwn(levels, kind) ? levels[kind] : undefined;
      return level === undefined ? [] : [[kind, level] as const];
    });
    this.#levels = new Map([...this.#levels, ...known]);
  }

  /**
   * Lets limits refill from now on if the clock was set back. Otherwise they would not refill until the clock catches
   * up.
   */
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

/** The headers that show a client its limits; none without limits. */
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
