import { didYouMean } from "../errors/nearest-name.ts";
import type { ReplyHeaders } from "../http/reply.ts";
import { cut } from "../errors/show.ts";

/** Whose keys there are. */
export const organization = "org-backlot";

/** What a number has to be. */
export interface Bounds {
  readonly kind: "decimal" | "integer";
  readonly least: number;
  readonly greatest?: number;
}

/** The code for a number that is out of its bounds. */
export function rangeCode(value: number, { kind, least }: Bounds): string {
  return `${kind}_${value < least ? "below_min" : "above_max"}_value`;
}

/** What a number has to be, in words. */
export function describeBounds({ least, greatest }: Bounds): string {
  return greatest === undefined ? `${least} or more` : `from ${least} to ${greatest}`;
}

/** A limit per minute that a request goes over. */
export interface ReachedLimit {
  readonly kind: "requests" | "tokens";
  readonly model: string;
  readonly limit: number;
  readonly used: number;
  readonly requested: number;
  /** Infinite when the request alone is larger than the limit. */
  readonly waitMs: number;
  /** Whether time does not pass, so that no wait is long enough. */
  readonly clockStands?: boolean;
}

/** Whether the limit will have room for the request some time. */
export function isWorthWaiting({ waitMs, clockStands = false }: ReachedLimit): boolean {
  return Number.isFinite(waitMs) && !clockStands;
}

/** The limit, what was used of it, what was asked for, and how long to wait. */
export function describeLimit(reached: ReachedLimit): string {
  const { kind, model, limit, used, requested, waitMs } = reached;
  const figures =
    `Rate limit reached for \`${cut(model)}\` in organization ${organization} on ${kind} per minute: ` +
    `limit ${limit}, used ${used}, requested ${requested}. `;
  if (isWorthWaiting(reached)) return `${figures}Try again in ${(waitMs / 1000).toFixed(3)} s.`;
  if (!Number.isFinite(waitMs)) {
    return `${figures}The request alone is larger than the limit: no wait will do. Ask for less.`;
  }
  return `${figures}The clock was set to stand still: no wait will do. Reset the state, or let the clock run.`;
}

/** Tells clients when to try again. Both headers: some know only the one in whole seconds. */
export function retryAfter(waitMs: number): ReplyHeaders {
  return {
    "retry-after-ms": String(Math.ceil(waitMs)),
    "retry-after": String(Math.ceil(waitMs / 1000)),
  };
}

/** Shows enough of a key to recognise it, and not enough to use it. */
export function maskKey(key: string): string {
  const stars = "*".repeat(8);
  return key.length < 12 ? stars : `${key.slice(0, 3)}${stars}${key.slice(-4)}`;
}

/** Suggests one of the paths in a list such as `GET /models`: too many slashes are the usual mistake. */
export function nearestPath(path: string, valid: readonly string[]): string {
  const paths = valid.flatMap((line) => {
    const known = line.slice(line.indexOf("/"));
    return known.includes("{") || known === path ? [] : [known];
  });
  return didYouMean(path.replaceAll(/\/+/g, "/").replace(/\/$/, ""), paths);
}

/** Names in quotes, of which a message takes the first few. */
export function quoteNames(names: readonly string[]): string {
  const shown = names.slice(0, 5).map((name) => `"${cut(name)}"`);
  const more = names.length - shown.length;
  return more === 0 ? shown.join(", ") : `${shown.join(", ")} and ${more} more`;
}
