import { isSecretHeader, isSecretName } from "../../http/secret-names.ts";
import type { CallHeaders } from "../../http/call.ts";
import type { AnswerPlan, MissedScript, PlanTest } from "../../http/answerer.ts";

/** What is shown instead of a key, a token or a password. */
export const redactedValue = "***";

/** A text without the emulator's own keys, wherever they stand in it as a whole. */
export function withoutKeys(text: string, keys: readonly string[]): string {
  return keys.reduce((shown, key) => {
    if (!shown.includes(key)) return shown;
    const literal = key.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
    // Not as a part of a longer word: a key may be as short as "k".
    return shown.replaceAll(new RegExp(`(?<![\\w-])${literal}(?![\\w-])`, "g"), redactedValue);
  }, text);
}

/** Shorter keys of clients are not looked for in texts: they may be words. */
const shortestSought = 6;

/** The keys that a request carries in its headers, each without its scheme. */
export function keysIn(headers: CallHeaders): readonly string[] {
  return Object.entries(headers).flatMap(([name, value = ""]) => {
    const key = value.trim().split(/\s+/).at(-1) ?? "";
    return isSecretHeader(name) && key.length >= shortestSought ? [key] : [];
  });
}

/** What a query is redacted by. */
export interface QueryRedaction {
  /** Whose parameters they are: those of the tables are columns, of which one may be called `key`. Default: nobody's. */
  readonly of?: "rest" | "chat";
  /** The emulator's own, which no value may have. */
  readonly keys?: readonly string[];
}

/**
 * A query as it was sent, the values of parameters left out whose names are those of keys, and those that have one of
 * the emulator's own.
 */
export function redactQuery(query: string, redaction: QueryRedaction = {}): string {
  if (query === "") return query;
  return query
    .split("&")
    .map((parameter) => redactParameter(parameter, redaction))
    .join("&");
}

function redactParameter(parameter: string, { of, keys = [] }: QueryRedaction): string {
  const end = parameter.indexOf("=");
  if (end === -1) return withoutKeys(parameter, keys);
  const name = parameter.slice(0, end);
  const isSecret = of === "rest" ? isSecretName : isSecretHeader;
  const value = decoded(parameter.slice(end + 1));
  const isHidden = isSecret(decoded(name)) || withoutKeys(value, keys) !== value;
  return isHidden ? `${name}=${redactedValue}` : parameter;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

/**
 * Headers by name, the values of those that carry keys left out. `keys` are the emulator's own, which are in none.
 */
export function redactHeaders(
  headers: CallHeaders,
  keys: readonly string[] = [],
): Readonly<Record<string, string>> {
  const shown = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, redactHeader(name, value, keys)] as const],
  );
  return Object.fromEntries(shown);
}

function redactHeader(name: string, value: string, keys: readonly string[]): string {
  if (isSecretHeader(name)) return redacted(value);
  // The address of a page, which may have keys in its query.
  return withoutKeys(name === "referer" ? redactUrl(value, keys) : value, keys);
}

function redactUrl(url: string, keys: readonly string[]): string {
  const mark = url.indexOf("?");
  if (mark === -1) return url;
  return `${url.slice(0, mark + 1)}${redactQuery(url.slice(mark + 1), { keys })}`;
}

/** Keeps the scheme, which says what was wrong when it is the wrong one. Any other first word may be part of the key. */
function redacted(value: string): string {
  const [, scheme] = /^(basic|bearer|digest|token|(?:api-?)?key) ./i.exec(value) ?? [];
  return scheme === undefined ? redactedValue : `${scheme} ${redactedValue}`;
}

/** Misses without the values of headers that carry keys, and without the emulator's own in any header. */
export function redactMisses(
  misses: readonly MissedScript[],
  keys: readonly string[],
): readonly MissedScript[] {
  return misses.map((miss) => {
    const failures = miss.failures.map((failure) => {
      const { criterion } = failure;
      if (!criterion.startsWith("header.")) return failure;
      if (isSecretHeader(criterion.slice(7))) {
        return { criterion, expected: redactedValue, seen: redactedValue };
      }
      return { ...failure, seen: withoutKeys(failure.seen, keys) };
    });
    return { ...miss, failures };
  });
}

/**
 * A plan without the values that columns are compared with which keep keys, and without the emulator's own: they come
 * from the query.
 */
export function redactPlan(plan: AnswerPlan, keys: readonly string[]): AnswerPlan {
  return { ...plan, tests: plan.tests.map((test) => redactTest(test, keys)) };
}

function redactTest(test: PlanTest, keys: readonly string[]): PlanTest {
  const { column, operator, value, values } = test;
  const texts = value === undefined ? (values ?? []) : [value];
  const isHidden = isSecretName(column) || texts.some((text) => withoutKeys(text, keys) !== text);
  return isHidden ? { column, operator, value: redactedValue } : test;
}
