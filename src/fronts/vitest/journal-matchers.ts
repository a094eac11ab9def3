import type { JournalEntry } from "../../core/emulator/journal/entry.ts";
import { invalidOption } from "../../core/errors/emulator-error.ts";
import {
  checkCriteria,
  describeCriteria,
  type JournalCriteria,
  type Judged,
  judgeEntry,
} from "./criteria.ts";
import { type MatcherTools, show } from "./matcher-tools.ts";

/** A matcher as `expect.extend` takes it. */
export type JournalMatcher = (
  this: MatcherTools,
  received: unknown,
  criteria?: JournalCriteria,
) => { readonly pass: boolean; readonly message: () => string };

/** Matchers for `expect(emulator.journal)`, a session's journal, and a journal's list. */
export interface JournalMatchers {
  /** There was such a request; with `times`, exactly that many. A failure lists the closest ones. */
  readonly toHaveBeenAsked: (criteria?: JournalCriteria) => void;
  /** Like `toHaveBeenAsked`, for requests that are over; `body` is that of the reply. */
  readonly toHaveBeenAnswered: (criteria?: JournalCriteria) => void;
  /** Like `toHaveBeenAsked`, for requests that the client marks as retries. */
  readonly toHaveBeenRetried: (criteria?: JournalCriteria) => void;
}

/** For `expect.extend`, which importing `backlot/vitest` already does. */
export const journalMatchers: Readonly<Record<keyof JournalMatchers, JournalMatcher>> = {
  toHaveBeenAsked: matcher("asked", () => undefined),
  toHaveBeenAnswered: matcher(
    "answered",
    ({ ended }) => (ended === "pending" ? "it is under way" : undefined),
    (entry) => ({ ...entry, body: answerOf(entry) }),
  ),
  toHaveBeenRetried: matcher("retried", ({ retryCount }) =>
    retryCount !== null && retryCount > 0
      ? undefined
      : `retryCount was ${retryCount}, not 1 or more`,
  ),
};

/** The body of a reply. That of a stream is the text of what was sent. */
function answerOf({ response }: JournalEntry): unknown {
  const sent = response?.frames?.filter(({ sentMs }) => sentMs !== null);
  return sent?.map(({ data }) => data).join("") ?? response?.body ?? null;
}

/** Makes a matcher. `mismatch` is why it does not find an entry whatever the criteria, which are held to what `view` makes of it. */
function matcher(
  verb: string,
  mismatch: (entry: JournalEntry) => string | undefined,
  view = (entry: JournalEntry): JournalEntry => entry,
): JournalMatcher {
  return function (received, criteria = {}) {
    checkCriteria(criteria, this);
    const judged = entriesOf(received, this).map((entry): Judged => {
      const { mismatches, distance } = judgeEntry(view(entry), criteria, this);
      const other = mismatch(entry);
      if (other === undefined) return { entry, mismatches, distance };
      return { entry, mismatches: [...mismatches, other], distance: distance + 1 };
    });
    const found = judged.filter(({ mismatches }) => mismatches.length === 0).length;
    const { times } = criteria;
    const what = `${verb} ${describeCriteria(criteria, this)}`;
    return {
      pass: times === undefined ? found > 0 : found === times,
      message: () => describeFailure(judged, what, { times, isNot: this.isNot }),
    };
  };
}

function describeFailure(
  judged: readonly Judged[],
  what: string,
  { times, isNot }: { readonly times: number | undefined; readonly isNot: boolean },
): string {
  const missed = judged.filter(({ mismatches }) => mismatches.length > 0);
  const found = judged.length - missed.length;
  const wanted = times === undefined ? "" : ` exactly ${timesOf(times)}`;
  const head = `expected the journal${isNot ? " not" : ""} to have been ${what}${wanted}`;
  if (judged.length === 0) return `${head}, but it is empty`;
  const seen = `${head}, but it was ${found === 0 ? "not" : timesOf(found)}`;
  const isTooMany = isNot || found > (times ?? 0);
  if (!isTooMany && missed.length > 0) {
    const nearest = missed.toSorted((one, other) => one.distance - other.distance);
    return [`${seen}. The closest requests:`, ...linesOf(nearest)].join("\n");
  }
  if (found === 0) return seen;
  return [`${seen}:`, ...linesOf(judged.filter((one) => !missed.includes(one)))].join("\n");
}

function timesOf(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}

const mostShown = 5;

/** Entries, one line each, with the criteria that they fail. */
function linesOf(judged: readonly Judged[]): readonly string[] {
  const lines = judged.slice(0, mostShown).map(({ entry, mismatches }) => {
    const { id, method, path, status, ended } = entry;
    const reasons = mismatches.length === 0 ? "" : `: ${mismatches.join("; ")}`;
    return `  #${id} ${method} ${path} → ${status === 0 ? "no answer" : status}${isUsual(ended) ? "" : ` ${ended}`}${reasons}`;
  });
  const rest = judged.length - mostShown;
  return rest > 0 ? [...lines, `  … and ${rest} more`] : lines;
}

/** Whether the status says it already. */
function isUsual(ended: JournalEntry["ended"]): boolean {
  return ended === "complete" || ended === "refused";
}

/** The entries of a journal, or a list of them, as a server's journal returns. */
function entriesOf(received: unknown, tools: MatcherTools): readonly JournalEntry[] {
  if (isListed(received)) return received;
  const listed: unknown = isJournal(received) ? received.list() : undefined;
  if (isListed(listed)) return listed;
  const isServed = listed instanceof Promise;
  // The matcher's failure says what is wrong; an unhandled rejection of a server's journal would only confuse.
  if (isServed) listed.catch(() => {});
  const problem = isServed
    ? "the journal of a server is asynchronous"
    : `${show(received, tools)} is not a journal`;
  const advice = isServed
    ? "Pass its list: expect(await backlot.journal.list())."
    : "Pass the journal of an emulator or of a session: expect(backlot.journal).";
  throw invalidOption(`Cannot look for requests: ${problem}. ${advice}`);
}

function isListed(value: unknown): value is readonly JournalEntry[] {
  return Array.isArray(value) && value.every(isEntry);
}

function isEntry(value: unknown): boolean {
  return typeof value === "object" && value !== null && "path" in value && "answeredBy" in value;
}

function isJournal(value: unknown): value is { readonly list: () => unknown } {
  return (
    typeof value === "object" &&
    value !== null &&
    "list" in value &&
    typeof value.list === "function" &&
    // Chat scripts can be listed as well.
    "clear" in value
  );
}
