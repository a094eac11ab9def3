import type {
  Matchers,
  PlainValue,
  TextMatcher,
  ValueMatcher,
  When,
  WholeTextMatcher,
} from "../../chat/scripts/script.ts";
import { cut, didYouMean, quoteList, showText } from "../../errors/show.ts";
import { isObject } from "../../schema/json.ts";
import { closedObject, namedValues, optional, required } from "../../schema/objects.ts";
import type { JsonSchema, Schema } from "../../schema/schema.ts";
import { byLeadKey } from "../../schema/tagged-objects.ts";
import {
  byKind,
  count,
  flag,
  jsonValue,
  lazy,
  nonEmptyArray,
  nonEmptyText,
  number,
  text,
} from "../../schema/values.ts";

const matcherObject = byLeadKey({
  equals: closedObject({ equals: required(text, "The whole text.") }),
  contains: closedObject({ contains: required(text, "Part of the text.") }),
  regex: closedObject({
    regex: required(
      text,
      "A JavaScript regular expression. The reply's template has its named groups as `match`.",
    ),
    flags: optional(text, "Flags of the regular expression, such as `i`."),
  }),
  anyOf: closedObject({
    anyOf: required(
      nonEmptyArray(lazy((): Schema<TextMatcher> => textMatcher)),
      "At least one of these must match.",
    ),
  }),
});

/** How a text is matched. */
export const textMatcher: Schema<TextMatcher> = byKind(
  `a text, or an object with "equals", "contains", "regex" or "anyOf"`,
  { string: text, object: matcherObject },
);

/** The schemas of a value in matchers, and of a value that stands alone and must be equal. */
interface MatcherParts<Value, Plain> {
  readonly value: Schema<Value>;
  readonly plain: Schema<Plain>;
}

/**
 * A value that must be equal, or an object of matchers. Other objects are refused, since it is unclear whether they
 * must be equal or are misspelt.
 */
function valueMatcher<Value, Plain>({
  value,
  plain,
}: MatcherParts<Value, Plain>): Schema<Plain | Matchers<Value, Plain>> {
  const self: Schema<Plain | Matchers<Value, Plain>> = lazy(() => matcher);
  const keys = {
    equals: optional(value, "The whole value."),
    contains: optional(value, "Part of a text, or an element of an array or a part of it."),
    regex: optional(
      text,
      "A JavaScript regular expression. The reply's template has its named groups as `match`.",
    ),
    flags: optional(text, "Flags of the regular expression, such as `i`."),
    anyOf: optional(nonEmptyArray(self), "At least one of these must hold."),
    exists: optional(flag, "Whether the value is present. Null counts as present."),
    gt: optional(
      number({}),
      "The value must be a number greater than this. A header may have it as a text.",
    ),
    gte: optional(number({}), "The value must be a number of at least this."),
    lt: optional(number({}), "The value must be a number less than this."),
    lte: optional(number({}), "The value must be a number of at most this."),
    not: optional(
      self,
      "A matcher that must not hold. An absent value equals and contains nothing.",
    ),
  };
  const names = Object.keys(keys);
  const known: Schema<Matchers<Value, Plain>> = closedObject(keys);
  const matchers: Schema<Matchers<Value, Plain>> = {
    check: (given, run) => {
      const unknown = isObject(given)
        ? Object.keys(given).filter((key) => !names.includes(key))
        : [];
      const hasNone = isObject(given) && Object.keys(given).every((key) => key === "flags");
      const [key] = unknown;
      if (key !== undefined) run.refuse(noMatcher(key, names), key);
      else if (hasNone) run.refuse(emptyMatchers);
      else {
        known.check(given, run);
        if (isObject(given) && Object.hasOwn(given, "flags") && !Object.hasOwn(given, "regex")) {
          run.refuse(`"flags" belongs to a "regex", which is missing.`, "flags");
        }
      }
    },
    json: (refer) => ({
      ...known.json(refer),
      minProperties: 1,
      ...needsKey("flags", "regex"),
    }),
  };
  const matcher: Schema<Plain | Matchers<Value, Plain>> = {
    check: (given, run) => (isObject(given) ? matchers : plain).check(given, run),
    json: (refer) => ({ anyOf: [refer(plain), refer(matchers)] }),
  };
  return matcher;
}

/** The JSON Schema of an object in which a key needs another. */
export function needsKey(key: string, needed: string): JsonSchema {
  return { anyOf: [having(needed), { not: having(key) }] };
}

/** The JSON Schema of an object with a key. Linters want to see the property that is required. */
function having(key: string): JsonSchema {
  return { properties: { [key]: {} }, required: [key] };
}

const emptyMatchers = `An object here has matchers, such as {"contains": "a"}. Write {"equals": {}} for a value that is empty.`;

function noMatcher(key: string, names: readonly string[]): string {
  const equal = `Put an object that must be equal into "equals": {"equals": {${JSON.stringify(cut(key))}: …}}.`;
  return `${showText(key)} is no matcher.${didYouMean(key, names)} ${equal} Matchers: ${quoteList(names, "and")}.`;
}

/** Any value but an object. */
const plainValue: Schema<PlainValue> = {
  check: () => undefined,
  json: () => ({ type: ["string", "number", "boolean", "null", "array"] }),
};

/** How a value of the request's body is matched. */
export const bodyMatcher: Schema<ValueMatcher> = valueMatcher({
  value: jsonValue,
  plain: plainValue,
});

/** The conditions on requests to a model. */
export const wholeTextMatcher: Schema<WholeTextMatcher> = valueMatcher({
  value: text,
  plain: text,
});

/** Which requests to a model are meant. */
export const whenSchema: Schema<When> = closedObject({
  model: optional(
    nonEmptyText,
    "A glob for the request's model: `*` is any run of characters, `?` is one.",
  ),
  user: optional(textMatcher, "The last user message. A string matches any part."),
  system: optional(textMatcher, "Any system or developer message."),
  anyMessage: optional(textMatcher, "Any message."),
  assistant: optional(textMatcher, "The last assistant message; empty if it only has calls."),
  turn: optional(count, "How many assistant messages the conversation has so far."),
  step: optional(
    count,
    "How many assistant messages there are since the last user message: 0 for the first answer to it.",
  ),
  part: optional(
    nonEmptyText,
    "The last user message has a part of this type, such as `image_url`; `image`, `file` and `audio` stand for the types of any wire.",
  ),
  tool: optional(nonEmptyText, "The name of a tool in the request's `tools` or `functions`."),
  toolResult: optional(
    closedObject({
      name: optional(nonEmptyText, "The tool's name."),
      id: optional(wholeTextMatcher, "The id of the call."),
      content: optional(textMatcher, "The result's text."),
    }),
    "The last message is the result of this tool.",
  ),
  stream: optional(flag, "Whether the request asks for a stream."),
  header: optional(
    namedValues(wholeTextMatcher),
    "Header values by name, in upper or lower case. A text is the whole value; an object has matchers, all of which must hold.",
  ),
  request: optional(
    namedValues(bodyMatcher),
    "Values of the request body by dotted path, such as `response_format.type`; `-1` is the last of an array. Write a backslash before a dot in a key. A value is compared as it is; an object has matchers, all of which must hold.",
  ),
});
