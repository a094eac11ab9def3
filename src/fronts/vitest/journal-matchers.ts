import { type InterfaceName, interfaceNames } from "../../core/interface.ts";
import type { JournalEntry } from "../../core/emulator/journal/entry.ts";
import { answerEnds } from "../../core/http/answer-end.ts";
import {
  type EmulatorError,
  invalidOption,
  refuseUnknown,
} from "../../core/errors/emulator-error.ts";
import { counted } from "../../core/errors/show.ts";
import { visibleLines } from "../../core/errors/visible-text.ts";
import { isObject, isPlain, type JsonObject } from "../../core/schema/json.ts";
import type { ExpectStatic } from "vitest";

/** Conditions on requests, which must all hold. */
export interface JournalCriteria {
  readonly interface?: InterfaceName;
  /** In upper or lower case. */
  readonly method?: string;
  /** The beginning of the path, as in `journal.list`, or a regular expression. */
  readonly path?: string | RegExp;
  /** The reply's status; 0 when a fault left the request without a reply. */
  readonly status?: number;
  /** How the answer ended: `complete`, `refused`, `cut`, …; `pending` while it is under way. */
  readonly ended?: JournalEntry["ended"];
  /**
   * A part of the request's body, as in `toMatchObject`; in `toHaveBeenAnswered`, of the reply's. For a stream it is
   * the text that was sent.
   */
  readonly body?: unknown;
  /** The exact number of such requests. Default: one or more. */
  readonly times?: number;
}

/** A criterion: which values it can have, and how requests are judged by it. */
interface Rule<Value> {
  /** Valid values, in words. */
  readonly words: string;
  readonly is: (value: unknown) => boolean;
  /** How much failing this criterion counts: a wrong path is worse than a wrong status. */
  readonly weight: number;
  /** Why an entry does not meet the criterion; undefined when it does. */
  readonly mismatch: (
    entry: JournalEntry,
    wanted: Value,
    tools: MatcherTools,
  ) => string | undefined;
}

type Rules = {
  readonly [Name in keyof JournalCriteria]-?: Rule<NonNullable<JournalCriteria[Name]>>;
};

const ends = ["pending", ...answerEnds] as const;

const rules: Rules = {
  interface: {
    words: interfaceNames.map((name) => JSON.stringify(name)).join(" or "),
    is: (value) => interfaceNames.some((name) => name === value),
    weight: 3,
    mismatch: (entry, wanted) => difference("interface", entry.interface, wanted),
  },
  path: {
    words: 'a text that begins with "/", or a regular expression',
    is: (value) => value instanceof RegExp || (typeof value === "string" && value.startsWith("/")),
    weight: 3,
    mismatch: ({ path }, wanted) => {
      // `search` instead of `test`, which would continue from the last match of a global expression.
      const isMet =
        typeof wanted === "string" ? path.startsWith(wanted) : path.search(wanted) !== -1;
      return isMet ? undefined : `path was ${path}, not ${String(wanted)}`;
    },
  },
  method: {
    words: "a text",
    is: (value) => typeof value === "string" && value !== "",
    weight: 2,
    mismatch: ({ method }, wanted) => difference("method", method, wanted.toUpperCase()),
  },
  status: {
    words: "a whole number",
    is: Number.isInteger,
    weight: 1,
    mismatch: ({ status }, wanted) => difference("status", status, wanted),
  },
  ended: {
    words: ends.map((end) => `"${end}"`).join(", "),
    is: (value) => ends.some((end) => end === value),
    weight: 1,
    mismatch: ({ ended }, wanted) => difference("ended", ended, wanted),
  },
  body: {
    words: "any value",
    is: () => true,
    weight: 1,
    mismatch: ({ body }, wanted, tools) => bodyMismatch(body, wanted, tools),
  },
  times: {
    words: "a whole number of 0 or more",
    is: (value) => Number.isInteger(value) && Number(value) >= 0,
    weight: 0,
    mismatch: () => undefined,
  },
};

function difference<Seen extends string | number>(
  name: string,
  seen: Seen,
  wanted: Seen,
): string | undefined {
  return seen === wanted ? undefined : `${name} was ${seen}, not ${wanted}`;
}

const cannot = "Cannot look for requests";

const ruleOf: ReadonlyMap<string, Rule<never>> = new Map(Object.entries(rules));

/** Throws `ERR_OPTION_INVALID` for a criterion that is unknown or impossible. */
function checkCriteria(criteria: JournalCriteria, tools: MatcherTools): void {
  if (typeof criteria !== "object" || criteria === null) {
    throw refusal(
      `${show(criteria, tools)} is not an object. Give criteria such as { method: "GET" }.`,
    );
  }
  refuseUnknown(criteria, [...ruleOf.keys()], { cannot, noun: "criterion" });
  for (const [name, value] of Object.entries(criteria)) {
    const known = ruleOf.get(name);
    if (known !== undefined && value !== undefined && !known.is(value)) {
      throw refusal(`${name} is ${show(value, tools)}. Use ${known.words}.`);
    }
  }
}

function refusal(problem: string): EmulatorError {
  return invalidOption(`${cannot}: ${problem}`);
}

/** An entry with the criteria that it fails. */
export interface Judged {
  readonly entry: JournalEntry;
  readonly mismatches: readonly string[];
  /** How bad the match is. */
  readonly distance: number;
}

/** Compares an entry with checked criteria. */
function judgeEntry(entry: JournalEntry, criteria: JournalCriteria, tools: MatcherTools): Judged {
  const unmet = [...ruleOf].flatMap(([name, { weight, mismatch }]) => {
    const wanted: unknown = criteria[name as keyof JournalCriteria];
    // `checkCriteria` has made sure that the rule accepts this value.
    const message = wanted === undefined ? undefined : mismatch(entry, wanted as never, tools);
    return message === undefined ? [] : [{ message, weight }];
  });
  return {
    entry,
    mismatches: unmet.map(({ message }) => message),
    distance: unmet.reduce((sum, { weight }) => sum + weight, 0),
  };
}

/** The criteria in words, without `times`. */
function describeCriteria(criteria: JournalCriteria, tools: MatcherTools): string {
  const { method, path, status, ended, body } = criteria;
  const request = [method?.toUpperCase(), path === undefined ? undefined : String(path)];
  const parts = [
    request.filter((part) => part !== undefined).join(" "),
    criteria.interface === undefined ? "" : `interface ${criteria.interface}`,
    status === undefined ? "" : `status ${status}`,
    ended === undefined ? "" : `ended ${ended}`,
    body === undefined ? "" : `body ${show(body, tools)}`,
  ];
  return parts.filter((part) => part !== "").join(", ") || "anything";
}

/** A place in a body, with the actual and the expected value. */
interface Place {
  readonly path: string;
  readonly seen: unknown;
  readonly wanted: unknown;
}

/** Why a body does not match, at the first difference; undefined when it matches, as in `toMatchObject`. */
function bodyMismatch(seen: unknown, wanted: unknown, tools: MatcherTools): string | undefined {
  const whole = { path: "body", seen, wanted };
  return fits(whole, tools) ? undefined : describeMismatch(whole, tools);
}

function fits({ seen, wanted }: Place, { equals, customTesters, utils }: MatcherTools): boolean {
  return equals(seen, wanted, [...customTesters, utils.iterableEquality, utils.subsetEquality]);
}

function describeMismatch(place: Place, tools: MatcherTools): string {
  const { path, seen, wanted } = place;
  if (Array.isArray(seen) && Array.isArray(wanted) && seen.length !== wanted.length) {
    return `${path} had ${counted(seen.length, "item")}, not ${wanted.length}`;
  }
  const inner = placesIn(place).find((part) => !fits(part, tools));
  if (inner !== undefined) return describeMismatch(inner, tools);
  const found = seen === undefined ? "missing" : show(seen, tools);
  return `${path} was ${found}, not ${show(wanted, tools)}`;
}

/**
 * The parts of two values that can be compared one by one. None if one of them is not a container, or is a matcher of
 * vitest.
 */
function placesIn({ path, seen, wanted }: Place): readonly Place[] {
  if (Array.isArray(seen) && Array.isArray(wanted)) {
    return wanted.map((item: unknown, index) => ({
      path: `${path}[${index}]`,
      seen: seen[index],
      wanted: item,
    }));
  }
  if (!isPlainObject(seen) || !isPlainObject(wanted)) return [];
  return Object.entries(wanted).map(([key, value]) => ({
    path: /^[A-Za-z_$][\w$]*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`,
    seen: Object.hasOwn(seen, key) ? seen[key] : undefined,
    wanted: value,
  }));
}

function isPlainObject(value: unknown): value is JsonObject {
  return isObject(value) && isPlain(value);
}

/** The `this` of a matcher in vitest. */
export type MatcherTools = ReturnType<ExpectStatic["getState"]>;

const longestShown = 160;
const shownDepth = 5;

/** A value on one line, shortened if long. */
export function show(value: unknown, { utils }: MatcherTools): string {
  const line = utils
    .stringify(value, shownDepth, { min: true })
    .replaceAll("\r", "\\r")
    .replaceAll("\n", "\\n");
  return line.length > longestShown ? `${line.slice(0, longestShown)}…` : line;
}

/** A matcher as `expect.extend` takes it. */
export type JournalMatcher = (
  this: MatcherTools,
  received: unknown,
  criteria?: JournalCriteria,
) => { readonly pass: boolean; readonly message: () => string };

/** Matchers for `expect(emulator.journal)`, a session's journal, and a journal's list. */
export interface JournalMatchers {
  /** Checks that there was such a request; with `times`, exactly that many. A failure lists the closest ones. */
  readonly toHaveBeenAsked: (criteria?: JournalCriteria) => void;
  /** Like `toHaveBeenAsked`, for requests that have ended. `body` is the reply's. */
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

/** The body of a reply; for a stream, the text that was sent. */
function answerOf({ response }: JournalEntry): unknown {
  const sent = response?.frames?.filter(({ sentMs }) => sentMs !== null);
  return sent?.map(({ data }) => data).join("") ?? response?.body ?? null;
}

/**
 * Makes a matcher. `mismatch` says why an entry does not match, whatever the criteria. The criteria are compared with
 * what `view` makes of the entry.
 */
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
      message: () => visibleLines(describeFailure(judged, what, { times, isNot: this.isNot })),
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
    const isUsual = ended === "complete" || ended === "refused";
    const answer = `${status === 0 ? "no answer" : status}${isUsual ? "" : ` ${ended}`}`;
    return `  #${id} ${method} ${path} → ${answer}${reasons}`;
  });
  const rest = judged.length - mostShown;
  return rest > 0 ? [...lines, `  … and ${rest} more`] : lines;
}

/** The entries of a journal, or a list of entries, such as a server's journal returns. */
function entriesOf(received: unknown, tools: MatcherTools): readonly JournalEntry[] {
  const listed: unknown = isJournal(received) ? received.list() : received;
  // A journal lists nothing but entries.
  if (Array.isArray(listed)) return listed as readonly JournalEntry[];
  if (listed instanceof Promise) {
    // The matcher's failure says what is wrong; an unhandled rejection of a server's journal would only confuse.
    listed.catch(() => {});
    throw refusal(
      "the journal of a server is asynchronous. Pass its list: expect(await backlot.journal.list()).",
    );
  }
  throw refusal(
    `${show(received, tools)} is not a journal. Pass the journal of an emulator or of a session: expect(backlot.journal).`,
  );
}

function isJournal(value: unknown): value is { readonly list: () => unknown } {
  // Chat scripts have `list`, too, but not `clear`.
  const isListed = isObject(value) && "clear" in value;
  return isListed && typeof value["list"] === "function";
}
