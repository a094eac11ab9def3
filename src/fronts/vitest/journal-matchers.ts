import { EmulatorError } from "../../core/errors/emulator-error.ts";
import { checkCriteria, describeCriteria, type JournalCriteria } from "./criteria.ts";
import { type MatcherTools, show } from "./matcher-tools.ts";
import { type Entry, misfitsOf } from "./misfits.ts";
import { hits, type Judged, nearMisses } from "./near-misses.ts";

/** What a matcher tells vitest. */
export interface MatcherVerdict {
  readonly pass: boolean;
  readonly message: () => string;
}

/** A matcher as `expect.extend` takes it. */
export type JournalMatcher = (
  this: MatcherTools,
  received: unknown,
  criteria?: JournalCriteria,
) => MatcherVerdict;

/** What these matchers add to `expect(emulator.journal)`, to that of a session, and to what a journal lists. */
export interface JournalMatchers {
  /** There was such a request; with `times`, exactly so many. A failure lists those that came closest. */
  readonly toHaveBeenAsked: (criteria?: JournalCriteria) => void;
  /** As `toHaveBeenAsked`, of requests of which the client says that it had tried before. */
  readonly toHaveBeenRetried: (criteria?: JournalCriteria) => void;
}

/** For `expect.extend`, which importing `backlot/vitest` has done already. */
export const journalMatchers: Readonly<Record<keyof JournalMatchers, JournalMatcher>> = {
  toHaveBeenAsked(received, criteria = {}) {
    return judge(this, { received, criteria, isRetry: false });
  },
  toHaveBeenRetried(received, criteria = {}) {
    return judge(this, { received, criteria, isRetry: true });
  },
};

interface Question {
  readonly received: unknown;
  readonly criteria: JournalCriteria;
  readonly isRetry: boolean;
}

function judge(tools: MatcherTools, { received, criteria, isRetry }: Question): MatcherVerdict {
  checkCriteria(criteria, tools);
  const entries = entriesOf(received, tools);
  const judged = entries.map((entry) => ({
    entry,
    misfits: misfitsOf(entry, { ...criteria, isRetry }, tools),
  }));
  const found = judged.filter(({ misfits }) => misfits.length === 0).length;
  const { times } = criteria;
  const what = `${isRetry ? "retried" : "asked"} ${describeCriteria(criteria, tools)}`;
  return {
    pass: times === undefined ? found > 0 : found === times,
    message: () => describeFailure(judged, { what, times, found, isNot: tools.isNot }),
  };
}

interface Failure {
  readonly what: string;
  readonly times: number | undefined;
  readonly found: number;
  readonly isNot: boolean;
}

function describeFailure(
  judged: readonly Judged[],
  { what, times, found, isNot }: Failure,
): string {
  const wanted = times === undefined ? "" : ` exactly ${timesOf(times)}`;
  const head = `expected the journal${isNot ? " not" : ""} to have been ${what}${wanted}`;
  if (judged.length === 0) return `${head}, but it is empty`;
  const seen = `${head}, but it was ${found === 0 ? "not" : timesOf(found)}`;
  const isTooMany = isNot || found > (times ?? 0);
  const misses = isTooMany ? [] : nearMisses(judged);
  if (misses.length > 0) return [`${seen}. What came closest:`, ...misses].join("\n");
  return found === 0 ? seen : [`${seen}:`, ...hits(judged)].join("\n");
}

function timesOf(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}

/** What a journal lists; or a list of its, which that of a server gives. */
function entriesOf(received: unknown, tools: MatcherTools): readonly Entry[] {
  if (isListed(received)) return received;
  const listed: unknown = isJournal(received) ? received.list() : undefined;
  if (isListed(listed)) return listed;
  const isServed = listed instanceof Promise;
  // The matcher's failure tells what is wrong; that of a server that has gone would come on top, from nowhere.
  if (isServed) listed.catch(() => {});
  const problem = isServed
    ? "the journal of a server takes its time"
    : `${show(received, tools)} is no journal`;
  const advice = isServed
    ? "Give expect what it lists: expect(await backlot.journal.list())."
    : "Give expect the journal of an emulator or of a session: expect(backlot.journal).";
  throw new EmulatorError("ERR_OPTION_INVALID", `Cannot look for requests: ${problem}. ${advice}`);
}

function isListed(value: unknown): value is readonly Entry[] {
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
