import { interfaceOf } from "../../core/emulator/exchange.ts";
import type { JournalEntry } from "../../core/emulator/journal/entry.ts";
import { answerEnds } from "../../core/http/reply.ts";
import {
  type EmulatorError,
  invalidOption,
  refuseUnknown,
} from "../../core/errors/emulator-error.ts";
import { counted } from "../../core/errors/show.ts";
import { type MatcherTools, show } from "./matcher-tools.ts";

/** Conditions on requests, which must all hold. */
export interface JournalCriteria {
  /** `rest` is an alias of `tables`. */
  readonly interface?: "tables" | "rest" | "chat";
  /** In upper or lower case. */
  readonly method?: string;
  /** The beginning of the path, as in `journal.list`; or an expression for it. */
  readonly path?: string | RegExp;
  /** The reply's status; 0 when a fault left the request without a reply. */
  readonly status?: number;
  /** How the answer ended: `complete`, `refused`, `cut`, …; `pending` while it is under way. */
  readonly ended?: JournalEntry["ended"];
  /**
   * A part of the request's body, as in `toMatchObject`; for `toHaveBeenAnswered` of the reply's. A stream's is the text
   * that was sent.
   */
  readonly body?: unknown;
  /** The exact number of such requests. Default: one or more. */
  readonly times?: number;
}

/** The values of a criterion, and how requests meet it. */
interface Rule<Value> {
  /** Valid values, in words. */
  readonly words: string;
  readonly is: (value: unknown) => boolean;
  /** A request with another path is a worse match than one with another status. */
  readonly weight: number;
  /** Why an entry does not meet it; undefined when it does. */
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
    words: '"tables" or "chat"',
    is: (value) => value === "tables" || value === "rest" || value === "chat",
    weight: 3,
    mismatch: (entry, wanted) =>
      entry.interface === interfaceOf(wanted)
        ? undefined
        : `interface was ${entry.interface}, not ${wanted}`,
  },
  path: {
    words: 'a text that begins with "/", or a regular expression',
    is: (value) => value instanceof RegExp || (typeof value === "string" && value.startsWith("/")),
    weight: 3,
    mismatch: ({ path }, wanted) => {
      // `search` and not `test`, which continues from the last match of a global expression.
      const isMet =
        typeof wanted === "string" ? path.startsWith(wanted) : path.search(wanted) !== -1;
      return isMet ? undefined : `path was ${path}, not ${String(wanted)}`;
    },
  },
  method: {
    words: "a text",
    is: (value) => typeof value === "string" && value !== "",
    weight: 2,
    mismatch: ({ method }, wanted) =>
      method === wanted.toUpperCase()
        ? undefined
        : `method was ${method}, not ${wanted.toUpperCase()}`,
  },
  status: {
    words: "a whole number",
    is: Number.isInteger,
    weight: 1,
    mismatch: ({ status }, wanted) =>
      status === wanted ? undefined : `status was ${status}, not ${wanted}`,
  },
  ended: {
    words: ends.map((end) => `"${end}"`).join(", "),
    is: (value) => ends.some((end) => end === value),
    weight: 1,
    mismatch: ({ ended }, wanted) =>
      ended === wanted ? undefined : `ended was ${ended}, not ${wanted}`,
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

const cannot = "Cannot look for requests";

const ruleOf: ReadonlyMap<string, Rule<never>> = new Map(Object.entries(rules));

/** Throws `ERR_OPTION_INVALID` for a criterion that is unknown or impossible. */
export function checkCriteria(criteria: JournalCriteria, tools: MatcherTools): void {
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
export function judgeEntry(
  entry: JournalEntry,
  criteria: JournalCriteria,
  tools: MatcherTools,
): Judged {
  const unmet = [...ruleOf].flatMap(([name, { weight, mismatch }]) => {
    const wanted: unknown = criteria[name as keyof JournalCriteria];
    // The check made sure that the rule accepts it.
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
export function describeCriteria(criteria: JournalCriteria, tools: MatcherTools): string {
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

/** The parts that can be compared one by one. None if one side is not a container, or is a matcher of vitest. */
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

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
