import { EmulatorError } from "../../core/errors/emulator-error.ts";
import { didYouMean } from "../../core/errors/nearest-name.ts";
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

/** What a criterion may be, also in words. */
interface Rule {
  readonly words: string;
  readonly is: (value: unknown) => boolean;
}

const allowed: Readonly<Record<keyof JournalCriteria, Rule>> = {
  interface: {
    words: '"tables" or "chat"',
    is: (value) => value === "tables" || value === "rest" || value === "chat",
  },
  method: { words: "a text", is: (value) => typeof value === "string" && value !== "" },
  path: {
    words: 'a text that begins with "/", or a regular expression',
    is: (value) => value instanceof RegExp || (typeof value === "string" && value.startsWith("/")),
  },
  status: { words: "a whole number", is: Number.isInteger },
  body: { words: "any value", is: () => true },
  times: {
    words: "a whole number of 0 or more",
    is: (value) => Number.isInteger(value) && Number(value) >= 0,
  },
};

const rules: ReadonlyMap<string, Rule> = new Map(Object.entries(allowed));

/** Throws `ERR_OPTION_INVALID` for a criterion that is unknown or that no request can have. */
export function checkCriteria(criteria: JournalCriteria, tools: MatcherTools): void {
  if (typeof criteria !== "object" || criteria === null) {
    throw refusal(
      `${show(criteria, tools)} is no object. Give criteria such as { method: "GET" }.`,
    );
  }
  for (const [name, value] of Object.entries(criteria)) {
    const known = rules.get(name);
    if (known === undefined) {
      const names = [...rules.keys()];
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
