import { interfaceOf } from "../../core/emulator/exchange.ts";
import type { RequestJournal } from "../../core/emulator/emulator.ts";
import { bodyMisfit } from "./body-misfit.ts";
import type { JournalCriteria } from "./criteria.ts";
import type { MatcherTools } from "./matcher-tools.ts";

/** A request and its answer, as the journal lists them. */
export type Entry = ReturnType<RequestJournal["list"]>[number];

/** One criterion that an entry does not meet. */
export interface UnmetCriterion {
  readonly message: string;
  /** A request of another path is further from what is meant than one with another status. */
  readonly weight: number;
}

/** What is looked for, as the matcher and its criteria say. */
export interface Wanted extends JournalCriteria {
  /** Only requests of which the client says that it had tried before. */
  readonly isRetry: boolean;
}

/** Why an entry is not what is looked for; none when it is. */
export function misfitsOf(
  entry: Entry,
  wanted: Wanted,
  tools: MatcherTools,
): readonly UnmetCriterion[] {
  const { method, path, status, body, isRetry } = wanted;
  const misfits: UnmetCriterion[] = [];
  const differs = (name: string, seen: unknown, expected: unknown, weight: number): void => {
    misfits.push({ message: `${name} was ${String(seen)}, not ${String(expected)}`, weight });
  };
  if (wanted.interface !== undefined && entry.interface !== interfaceOf(wanted.interface)) {
    differs("interface", entry.interface, wanted.interface, 3);
  }
  if (path !== undefined && !isPath(entry.path, path)) differs("path", entry.path, path, 3);
  if (method !== undefined && entry.method !== method.toUpperCase()) {
    differs("method", entry.method, method.toUpperCase(), 2);
  }
  if (status !== undefined && entry.status !== status) differs("status", entry.status, status, 1);
  const message = body === undefined ? undefined : bodyMisfit(entry.body, body, tools);
  if (message !== undefined) misfits.push({ message, weight: 1 });
  if (isRetry && !isAtLeastOne(entry.retryCount)) {
    differs("retryCount", entry.retryCount, "1 or more", 1);
  }
  return misfits;
}

function isPath(path: string, wanted: string | RegExp): boolean {
  // `search` and not `test`, which begins where it last ended when the expression is global.
  return typeof wanted === "string" ? path.startsWith(wanted) : path.search(wanted) !== -1;
}

function isAtLeastOne(retryCount: number | null): boolean {
  return retryCount !== null && retryCount > 0;
}
