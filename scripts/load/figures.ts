import { existsSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import type { Figure } from "./scenario.ts";

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

export function kilobytes(bytes: number): string {
  return `${(bytes / 1e3).toFixed(1)} KB`;
}

export function milliseconds(ms: number): string {
  return ms >= 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${ms.toFixed(ms < 10 ? 1 : 0)} ms`;
}

/** The value that so many of a hundred are not above. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  const place = Math.ceil((percent / 100) * sorted.length) - 1;
  return sorted[Math.max(0, place)] ?? Number.NaN;
}

/** A figure that is promised to be no more than something. */
export function atMost(
  what: string,
  value: number,
  { most, show = String }: { readonly most: number; readonly show?: (value: number) => string },
): Figure {
  const promise = { text: `at most ${show(most)}`, isKept: value <= most };
  return { what, figure: show(value), promise };
}

/** How many processes want each core before we begin, above which no time is promised: they go by the others then. */
const mostLoad = 1;
const [loadBefore = 0] = loadavg();
export const isBusy: boolean = loadBefore / availableParallelism() > mostLoad;

/** A time that is promised to be no longer than something, on a machine that does nothing else. */
export function inTime(what: string, ms: number, mostMs: number): Figure {
  if (!isBusy) return atMost(what, ms, { most: mostMs, show: milliseconds });
  return { what, figure: `${milliseconds(ms)} (not judged: the machine is busy)` };
}

/** Like `inTime`, for a time without that in which other processes had the core, where the system tells it. */
export function inOwnTime(what: string, ms: number, mostMs: number): Figure {
  if (!existsSync("/proc/thread-self/schedstat")) return inTime(what, ms, mostMs);
  return atMost(what, ms, { most: mostMs, show: milliseconds });
}

/** A figure that is promised to be this. */
export function exactly(what: string, value: string | number, promised: string | number): Figure {
  return {
    what,
    figure: String(value),
    promise: { text: String(promised), isKept: value === promised },
  };
}
