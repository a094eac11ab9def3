import { parseText } from "../../../core/http/json-body.ts";
import { isObject, type JsonObject } from "../../../core/schema/json.ts";
import { binaryText } from "../../../core/http/base64.ts";
import type { RecordedBody, RecordedRequest } from "../../../core/recordings/cassette.ts";
import { PlaceholderValues, placeholdersIn } from "./placeholders.ts";
import type { QueryPair } from "./query-pairs.ts";
import { bodyBytes, bodyText } from "../../../core/recordings/recorded-body.ts";
import {
  placesBelow,
  isPlace,
  isVolatile,
  type PlaceStep,
} from "../../../core/recordings/recording-path.ts";
import type { CompiledRules } from "../../../core/recordings/recording-rules.ts";
import { type ComparedValue, comparedText, comparedValue } from "./compared-body.ts";
import { canonicalJson, comparedHeader } from "./request-key.ts";
import { type ComparedAddress, comparedAddress, withoutVolatileTexts } from "./volatile-texts.ts";

/**
 * A place where two requests differ, and how much it counts; 1 is a whole value. A side without a value is undefined.
 */
export interface Difference {
  /** The place, in the form of the rules: `body.messages.0.content`. */
  readonly at: string;
  readonly recorded: string | undefined;
  readonly sent: string | undefined;
  readonly weight: number;
}

/** How much another method or path counts: far more than any value, since it makes a different request. */
const otherTarget = 50;

/**
 * The differences between a recorded and a sent request, as far as replay compares them. There are none if both have
 * the same key. A placeholder matches any value that the rules would have redacted there. They are computed one by one,
 * as the caller asks for them.
 */
export function* requestDifferences(
  recorded: RecordedRequest,
  sent: RecordedRequest,
  rules: CompiledRules,
): Generator<Difference, void> {
  const values = new PlaceholderValues(rules);
  const differences = new RequestDifferences(rules, values);
  if (recorded.method.toUpperCase() !== sent.method.toUpperCase()) {
    yield target("method", recorded.method, sent.method);
  }
  const [one, other] = [comparedAddress(recorded, rules), comparedAddress(sent, rules)];
  if (!isSamePath(one.path, other.path, values)) {
    yield target("path", recorded.path, sent.path);
  }
  yield* differences.ofTexts("query", byName(one.query), byName(other.query));
  const headers = ({ headers: own }: ComparedAddress): TextsByName => {
    const kept = rules.headers.filter((name) => Object.hasOwn(own, name));
    return new Map(kept.map((name) => [name, [comparedHeader(name, own[name] ?? "")]]));
  };
  yield* differences.ofTexts("header", headers(one), headers(other));
  yield* differences.ofBodies(recorded.body, sent.body);
  for (const { at, placeholder, value } of values.notFound()) {
    yield textDifference(placeholder, value, at);
  }
}

function target(at: string, recorded: string, sent: string): Difference {
  return { at, recorded, sent, weight: otherTarget * (2 - similarity(recorded, sent)) };
}

function isSamePath(
  recorded: readonly string[],
  sent: readonly string[],
  values: PlaceholderValues,
): boolean {
  return (
    recorded.length === sent.length &&
    recorded.every((segment, index) => values.fits(segment, sent[index] ?? "", "path"))
  );
}

/** The texts of parameters or headers, by name. A parameter may have several texts, or none, only a name. */
type TextsByName = ReadonlyMap<string, TextsOfName>;
type TextsOfName = readonly (string | undefined)[];

function byName(query: readonly QueryPair[]): TextsByName {
  const values = new Map<string, (string | undefined)[]>();
  for (const { name, value } of query) {
    values.set(name, [...(values.get(name) ?? []), value]);
  }
  return values;
}

type Places = readonly (readonly PlaceStep[])[];

/** The place of two values, and the places below that are ignored. */
interface Scope {
  readonly at: string;
  readonly ignored: Places;
}

/** Compares the parts of two requests. */
class RequestDifferences {
  readonly #rules: CompiledRules;
  readonly #values: PlaceholderValues;

  constructor(rules: CompiledRules, values: PlaceholderValues) {
    this.#rules = rules;
    this.#values = values;
  }

  *ofTexts(
    head: "query" | "header",
    recorded: TextsByName,
    sent: TextsByName,
  ): Generator<Difference, void> {
    for (const [name, other] of this.#namePairs(recorded.keys(), sent.keys(), head)) {
      if (isVolatile(this.#rules.volatile, head, name)) continue;
      const at = `${head}.${name}`;
      const [one, two] = [recorded.get(name), sent.get(other)];
      const isSame =
        one?.length === two?.length &&
        one?.every((text, index) => {
          const second = two?.[index];
          return text === undefined || second === undefined
            ? text === second
            : this.#values.fits(text, second, at);
        });
      if (isSame === true) continue;
      // For a parameter the name is shown, too, since there may be nothing else.
      const shown = (own: string, texts: TextsOfName | undefined): string | undefined =>
        head === "header"
          ? texts?.[0]
          : texts?.map((text) => (text === undefined ? own : `${own}=${text}`)).join("&");
      const [left, right] = [shown(name, one), shown(other, two)];
      if (left === undefined || right === undefined) yield lone(at, left, right);
      else yield textDifference(left, right, at);
    }
  }

  *ofBodies(
    recorded: RecordedBody | undefined,
    sent: RecordedBody | undefined,
  ): Generator<Difference, void> {
    const ignored = this.#rules.volatile.flatMap(({ head, steps }) =>
      head === "body" ? [steps] : [],
    );
    if (isPlace(ignored) || (recorded === undefined && sent === undefined)) return;
    const at = "body";
    if (recorded === undefined || sent === undefined) {
      yield lone(at, this.#shown(recorded), this.#shown(sent));
      return;
    }
    const own = comparedValue(recorded, this.#rules);
    const other =
      own === undefined
        ? undefined
        : (comparedValue(sent, this.#rules) ?? this.#inexact(own, sent));
    if (own !== undefined && own.kind === other?.kind) {
      yield* this.#ofValues(own.value, other.value, { at, ignored });
      return;
    }
    yield* this.#ofUnparsed(recorded, sent);
  }

  #shown(body: RecordedBody | undefined): unknown {
    if (body === undefined) return undefined;
    return comparedValue(body, this.#rules)?.value ?? bodyText(body) ?? body;
  }

  *#ofUnparsed(recorded: RecordedBody, sent: RecordedBody): Generator<Difference, void> {
    const [left, right] = [comparedText(recorded, this.#rules), comparedText(sent, this.#rules)];
    const areBytes = left === undefined && right === undefined;
    const [one, two] = areBytes
      ? [binaryText(bodyBytes(recorded)), binaryText(bodyBytes(sent))]
      : [left, right];
    if (one !== undefined && two !== undefined && this.#values.fits(one, two, "body")) return;
    yield textDifference(left ?? noText, right ?? noText, "body");
  }

  /**
   * The value of a JSON number with too many digits, such as a card number, if the recording has a placeholder there.
   */
  #inexact({ kind, value }: ComparedValue, sent: RecordedBody): ComparedValue | undefined {
    if (kind !== "json") return undefined;
    if (placeholdersIn(JSON.stringify(value), this.#rules).length === 0) return undefined;
    const read = parseText(bodyText(sent) ?? "");
    if (read.kind !== "json") return undefined;
    return { kind, value: withoutVolatileTexts(read.value, this.#rules) };
  }

  *#ofValues(recorded: unknown, sent: unknown, scope: Scope): Generator<Difference, void> {
    if (isPlace(scope.ignored)) return;
    if (Array.isArray(recorded) && Array.isArray(sent)) {
      yield* this.#ofElements(recorded, sent, scope);
    } else if (isObject(recorded) && isObject(sent)) {
      yield* this.#ofMembers(recorded, sent, scope);
    } else if (typeof recorded === "string" && typeof sent === "string") {
      if (!this.#values.fits(recorded, sent, scope.at))
        yield textDifference(recorded, sent, scope.at);
    } else if (recorded !== sent) {
      // In the recording, a number or an object that was redacted as a whole is a text.
      const text = typeof recorded === "string" && sent !== null ? canonicalJson(sent) : "";
      if (text !== "" && this.#values.fits(String(recorded), text, scope.at)) return;
      yield { at: scope.at, recorded: shortJson(recorded), sent: shortJson(sent), weight: 2 };
    }
  }

  *#ofMembers(recorded: JsonObject, sent: JsonObject, scope: Scope): Generator<Difference, void> {
    const pairs = this.#namePairs(Object.keys(recorded), Object.keys(sent), scope.at);
    for (const [name, other] of pairs) {
      const inner = within(scope, name);
      const [hasOne, hasOther] = [Object.hasOwn(recorded, name), Object.hasOwn(sent, other)];
      if (hasOne && hasOther) yield* this.#ofValues(recorded[name], sent[other], inner);
      else if (!isPlace(inner.ignored)) {
        yield hasOne
          ? lone(inner.at, recorded[name], undefined)
          : lone(inner.at, undefined, sent[other]);
      }
    }
  }

  /**
   * Compares arrays. An inserted or removed element, such as a message of a conversation, counts as one difference, and
   * later elements are compared with their counterparts.
   */
  *#ofElements(
    recorded: readonly unknown[],
    sent: readonly unknown[],
    scope: Scope,
  ): Generator<Difference, void> {
    const shared = Math.min(recorded.length, sent.length);
    const isSame = (index: number, other: number): boolean =>
      this.#values.attempt(() => {
        const inner = within(scope, String(other));
        return this.#ofValues(recorded[index], sent[other], inner).next().done === true;
      });
    let start = 0;
    while (start < shared && isSame(start, start)) start++;
    let end = 0;
    while (end < shared - start && isSame(recorded.length - 1 - end, sent.length - 1 - end)) {
      end++;
    }
    const paired = shared - end;
    for (let index = start; index < paired; index++) {
      yield* this.#ofValues(recorded[index], sent[index], within(scope, String(index)));
    }
    // From here on, only one of the arrays has elements left.
    const [left, right] = [recorded, sent].map((items) => items.slice(0, items.length - end));
    for (let index = paired; index < Math.max(recorded.length, sent.length) - end; index++) {
      yield lone(within(scope, String(index)).at, left?.[index], right?.[index]);
    }
  }

  /**
   * Pairs the names of both sides: equal names, or a recorded one with a placeholder and the first sent one that fits
   * it.
   */
  #namePairs(
    recorded: Iterable<string>,
    sent: Iterable<string>,
    at: string,
  ): ReadonlyMap<string, string> {
    const left = new Set(sent);
    const own = [...recorded];
    const pairs = new Map(own.map((name) => [name, name]));
    const missing = own.filter((name) => !left.delete(name));
    for (const name of missing) {
      if (placeholdersIn(name, this.#rules).length === 0) continue;
      const other = [...left].find((candidate) => this.#values.fits(name, candidate, at));
      if (other === undefined) continue;
      pairs.set(name, other);
      left.delete(other);
    }
    for (const name of left) pairs.set(name, name);
    return pairs;
  }
}

const noText = "bytes that are not text";

/** The difference between two texts. */
function textDifference(recorded: string, sent: string, at: string): Difference {
  const { start } = commonEnds(recorded, sent);
  const [one, other] = [excerpt(recorded, start), excerpt(sent, start)];
  return { at, recorded: one, sent: other, weight: 2 - similarity(recorded, sent) };
}

/** The difference for a value that only one side has. */
function lone(at: string, recorded: unknown, sent: unknown): Difference {
  return {
    at,
    recorded: recorded === undefined ? undefined : shortJson(recorded),
    sent: sent === undefined ? undefined : shortJson(sent),
    weight: 2,
  };
}

function within({ at, ignored }: Scope, key: string): Scope {
  const step = key.replaceAll(/[\\.*[\]]/g, "\\$&");
  return { at: `${at}.${step}`, ignored: placesBelow(ignored, key) };
}

/** Characters shown around the point where two texts diverge. */
const before = 20;
const after = 60;

/** The lengths of the common beginning and end of two texts. */
function commonEnds(left: string, right: string): { readonly start: number; readonly end: number } {
  const shorter = Math.min(left.length, right.length);
  let start = 0;
  while (start < shorter && left.charCodeAt(start) === right.charCodeAt(start)) start++;
  let end = 0;
  while (
    end < shorter - start &&
    left.charCodeAt(left.length - 1 - end) === right.charCodeAt(right.length - 1 - end)
  ) {
    end++;
  }
  return { start, end };
}

/** How similar two texts are, from 0 to 1. */
function similarity(left: string, right: string): number {
  const longer = Math.max(left.length, right.length);
  if (longer === 0) return 1;
  const { start, end } = commonEnds(left, right);
  return (start + end) / longer;
}

/** A text in quotes; a long one is cut around its difference from another. */
function excerpt(text: string, place: number): string {
  const from = text.length <= before + after ? 0 : Math.max(0, place - before);
  const to = from + before + after;
  const cut = text.slice(from, to);
  return `${from > 0 ? "…" : ""}${JSON.stringify(cut)}${to < text.length ? "…" : ""}`;
}

/** A value as JSON; the beginning of a long one. */
function shortJson(value: unknown): string {
  const json = JSON.stringify(value) ?? "nothing";
  if (json.length <= before + after) return json;
  // `Array.from` makes a copy: a slice would keep the whole text in memory for as long as the journal has the
  // difference.
  return `${Array.from(json.slice(0, before + after)).join("")}…`;
}
