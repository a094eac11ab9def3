import { decodedParameter } from "../../http/url-parts.ts";
import { isSecretHeader, isSecretName } from "../../http/secret-names.ts";
import { type InterfaceName, interfaces } from "../../interface.ts";
import type { CallHeaders } from "../../http/call.ts";
import type { AnswerPlan, MissedScript, PlanTest, SeenCriterion } from "../../http/answerer.ts";

/** Replaces a key, a token or a password. */
export const redactedValue = "***";

/** A text without the emulator's own keys, wherever they stand as whole words. */
export function withoutKeys(text: string, keys: readonly string[]): string {
  return keys.reduce((shown, key) => {
    if (!shown.includes(key)) return shown;
    const literal = key.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
    // Whole words only: a key may be as short as "k".
    return shown.replaceAll(new RegExp(`(?<![\\w-])${literal}(?![\\w-])`, "g"), redactedValue);
  }, text);
}

/** Shorter keys are not redacted in bodies, since they may be ordinary words. */
const shortestSought = 6;

/** A body without the emulator's own keys. */
export function withoutOwnKeys(body: string, keys: readonly string[]): string {
  return withoutKeys(
    body,
    keys.filter(({ length }) => length >= shortestSought),
  );
}

/** The keys in a request's headers, without their schemes. */
export function keysIn(headers: CallHeaders): readonly string[] {
  return Object.entries(headers).flatMap(([name, value = ""]) => {
    const key = value.trim().split(/\s+/).at(-1) ?? "";
    return isSecretHeader(name) && key.length >= shortestSought ? [key] : [];
  });
}

/** What decides how a query is redacted. */
export interface QueryRedaction {
  /** The interface, which knows what its parameters mean. Default: none. */
  readonly of?: InterfaceName;
  /** The emulator's own keys, which are redacted in every value. */
  readonly keys?: readonly string[];
}

/**
 * A query as sent, without the values of parameters that are named like keys, and without values that contain one of
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
  if (end === -1) {
    const decoded = decodedParameter(parameter);
    return withoutKeys(decoded, keys) === decoded ? parameter : redactedValue;
  }
  const name = parameter.slice(0, end);
  const isSecret = of === undefined ? isSecretHeader : interfaces[of].isSecretParameter;
  const decoded = decodedParameter(name);
  const value = decodedParameter(parameter.slice(end + 1));
  const shown = withoutKeys(decoded, keys) === decoded ? name : redactedValue;
  const isHidden = isSecret(decoded) || shown !== name || withoutKeys(value, keys) !== value;
  return isHidden ? `${shown}=${redactedValue}` : parameter;
}

/** Headers by name, redacted: all values of headers that carry keys, and the emulator's own `keys` in all others. */
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

/** Redacts a value but keeps its scheme, which explains a wrong one. Any other first word may be part of the key. */
function redacted(value: string): string {
  const [, scheme] = /^(basic|bearer|digest|token|(?:api-?)?key) ./i.exec(value) ?? [];
  return scheme === undefined ? redactedValue : `${scheme} ${redactedValue}`;
}

/** Misses without the values of key headers, and without the emulator's own keys in any header. */
export function redactMisses(
  misses: readonly MissedScript[],
  keys: readonly string[],
): readonly MissedScript[] {
  return misses.map((miss) => ({ ...miss, failures: redactCriteria(miss.failures, keys) }));
}

/** Conditions without the values of key headers, and without the emulator's own keys in any header. */
export function redactCriteria<Seen extends SeenCriterion>(
  criteria: readonly Seen[],
  keys: readonly string[],
): readonly (Seen | SeenCriterion)[] {
  return criteria.map((one) => {
    const { criterion } = one;
    if (!criterion.startsWith("header.")) return one;
    if (isSecretHeader(criterion.slice(7))) {
      return { criterion, expected: redactedValue, seen: redactedValue };
    }
    return { ...one, seen: withoutKeys(one.seen, keys) };
  });
}

/** A value of JSON without the emulator's own keys. */
export function withoutOwnKeysIn<Value extends object>(
  value: Value,
  keys: readonly string[],
): Value {
  const text = JSON.stringify(value);
  const shown = withoutOwnKeys(text, keys);
  // The same value with other texts in it.
  return shown === text ? value : (JSON.parse(shown) as Value);
}

/**
 * A plan without the values of columns that hold secrets, and without the emulator's own keys: its values come from the
 * query.
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
