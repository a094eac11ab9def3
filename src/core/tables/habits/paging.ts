import type { Meaning } from "./scope.ts";

/** Rows on a page where the client does not say: as many as most tools take. */
const usualSize = 10;

/** The window of a page. Pages count from 1 and have `size` rows. */
export function pageWindow(text: string, size: string | undefined): Meaning {
  const limit = wholeNumber(size) ?? usualSize;
  const page = Math.max(1, wholeNumber(text) ?? 1);
  return { limit, offset: (page - 1) * limit };
}

/** The window from one row up to, but not including, another one. */
export function rowWindow(start: string | undefined, end: string | undefined): Meaning {
  const from = wholeNumber(start);
  const to = wholeNumber(end);
  if (to === undefined) return { offset: from ?? start };
  return { limit: Math.max(0, to - (from ?? 0)), offset: from };
}

/** `[0,24]` or `0-24`, both ends included. */
export function rangeWindow(text: string): Meaning | undefined {
  const [, from, to] = /^\D*(\d+)\D+(\d+)\D*$/.exec(text) ?? [];
  return from === undefined ? undefined : rowWindow(from, String(Number(to) + 1));
}

export function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d{1,15}\s*$/.test(text) ? Number(text) : undefined;
}

/** Whether a limit asks for all rows: `all`, `-1`, `null`, nothing. */
export function asksForAll(limit: string): boolean {
  return /^(?:|all|any|none|null|undefined|no|off|false|-1|inf|infinity|unlimited|max|nan|\*)$/i.test(
    limit.trim(),
  );
}
