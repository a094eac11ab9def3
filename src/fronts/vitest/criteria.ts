import { interfaceOf } from "../../core/emulator/exchange.ts";
import type { JournalEntry } from "../../core/emulator/journal/entry.ts";
import { EmulatorError } from "../../core/errors/emulator-error.ts";
import { didYouMean } from "../../core/errors/nearest-name.ts";
import { bodyMisfit } from "./body-misfit.ts";
import { type MatcherTools, show } from "./matcher-tools.ts";

/** Which requests are meant. All that are given must fit. */
export interface JournalCriteria {
  /** `rest` is another name of `tables`. */
  readonly interface?: "tables" | "rest" | "chat";
  /** In any case. */
  readonly method?: string;
  /** What the path begins with, as in `journal.list`; or what it matches. */
  readonly path?: string | RegExp;
  /** Of the reply; 0 where a fault left the request without one. */
  readonly status?: number;
  /** What the request's body has, among others, as in `toMatchObject`. */
  readonly body?: unknown;
  /** How many such requests there must be, exactly. Default: one or more. */
  readonly times?: number;
}

/** What a criterion may be, and which requests meet it. */
interface Rule<Value> {
  /** What it may be, in words. */
  readonly words: string;
  readonly is: (value: unknown) => boolean;
  /** A request of another path is further from what is meant than one with another status. */
  readonly weight: number;
  /** Why an entry does not meet it; undefined when it does. */
  readonly misfit: (entry: JournalEntry, wanted: Value, tools: MatcherTools) => string | undefined;
}

type Rules = {
  readonly [Name in keyof JournalCriteria]-?: Rule<NonNullable<JournalCriteria[Name]>>;
};

const rules: Rules = {
  interface: {
    words: '"tables" or "chat"',
    is: (value) => value === "tables" || value === "rest" || value === "chat",
    weight: 3,
    misfit: (entry, wanted) =>
      entry.interface === interfaceOf(wanted)
        ? undefined
        : `interface was ${entry.interface}, not ${wanted}`,
  },
  path: {
    words: 'a text that begins with "/", or a regular expression',
    is: (value) => value instanceof RegExp || (typeof value === "string" && value.startsWith("/")),
    weight: 3,
    misfit: ({ path }, wanted) => {
      // `search` and not `test`, which begins where it last ended when the expression is global.
      const fits =
        typeof wanted === "string" ? path.startsWith(wanted) : path.search(wanted) !== -1;
      return fits ? undefined : `path was ${path}, not ${String(wanted)}`;
    },
  },
  method: {
    words: "a text",
    is: (value) => typeof value === "string" && value !== "",
    weight: 2,
    misfit: ({ method }, wanted) =>
      method === wanted.toUpperCase()
        ? undefined
        : `method was ${method}, not ${wanted.toUpperCase()}`,
  },
  status: {
    words: "a whole number",
    is: Number.isInteger,
    weight: 1,
    misfit: ({ status }, wanted) =>
      status === wanted ? undefined : `status was ${status}, not ${wanted}`,
  },
  body: {
    words: "any value",
    is: () => true,
    weight: 1,
    misfit: ({ body }, wanted, tools) => bodyMisfit(body, wanted, tools),
  },
  times: {
    words: "a whole number of 0 or more",
    is: (value) => Number.isInteger(value) && Number(value) >= 0,
    weight: 0,
    misfit: () => undefined,
  },
};

const ruleOf: ReadonlyMap<string, Rule<never>> = new Map(Object.entries(rules));

/** Throws `ERR_OPTION_INVALID` for a criterion that is unknown or that no request can have. */
export function checkCriteria(criteria: JournalCriteria, tools: MatcherTools): void {
  if (typeof criteria !== "object" || criteria === null) {
    throw refusal(
      `${show(criteria, tools)} is no object. Give criteria such as { method: "GET" }.`,
    );
  }
  for (const [name, value] of Object.entries(criteria)) {
    const known = ruleOf.get(name);
    if (known === undefined) {
      const names = [...ruleOf.keys()];
      throw refusal(
        `there is no criterion "${name}".${didYouMean(name, names)} Criteria: ${names.join(", ")}.`,
      );
    }
    if (value !== undefined && !known.is(value)) {
      throw refusal(`${name} is ${show(value, tools)}. Use ${known.words}.`);
    }
  }
}

function refusal(problem: string): EmulatorError {
  return new EmulatorError("ERR_OPTION_INVALID", `Cannot look for requests: ${problem}`);
}

/** An entry with the criteria that it does not meet. */
export interface Judged {
  readonly entry: JournalEntry;
  readonly misfits: readonly string[];
  /** How far it is from what is meant. */
  readonly distance: number;
}

/** Holds an entry against criteria that were checked. */
export function judgeEntry(
  entry: JournalEntry,
  criteria: JournalCriteria,
  tools: MatcherTools,
): Judged {
  const unmet = [...ruleOf].flatMap(([name, { weight, misfit }]) => {
    const wanted: unknown = criteria[name as keyof JournalCriteria];
    // It was checked to be what its rule takes.
    const message = wanted === undefined ? undefined : misfit(entry, wanted as never, tools);
    return message === undefined ? [] : [{ message, weight }];
  });
  return {
    entry,
    misfits: unmet.map(({ message }) => message),
    distance: unmet.reduce((sum, { weight }) => sum + weight, 0),
  };
}

/** The criteria in words, without `times`. */
export function describeCriteria(criteria: JournalCriteria, tools: MatcherTools): string {
  const { method, path, status, body } = criteria;
  const request = [method?.toUpperCase(), path === undefined ? undefined : String(path)];
  const parts = [
    request.filter((part) => part !== undefined).join(" "),
    criteria.interface === undefined ? "" : `interface ${criteria.interface}`,
    status === undefined ? "" : `status ${status}`,
    body === undefined ? "" : `body ${show(body, tools)}`,
  ];
  return parts.filter((part) => part !== "").join(", ") || "anything";
}
