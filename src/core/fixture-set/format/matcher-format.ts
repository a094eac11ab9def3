import type { TextMatcher, When } from "../../chat/scripts/script.ts";
import { closedObject, namedValues, optional, required } from "../../schema/objects.ts";
import { byLeadKey } from "../../schema/tagged-objects.ts";
import {
  byKind,
  count,
  flag,
  jsonValue,
  lazy,
  nonEmptyArray,
  nonEmptyText,
  text,
} from "../../schema/values.ts";
import type { Schema } from "../../schema/schema.ts";

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

/** Which requests a script answers. */
export const whenSchema: Schema<When> = closedObject({
  model: optional(
    nonEmptyText,
    "A glob for the request's model: `*` is any run of characters, `?` is one.",
  ),
  user: optional(textMatcher, "The last user message. A string matches any part."),
  system: optional(textMatcher, "Any system or developer message."),
  anyMessage: optional(textMatcher, "Any message."),
  turn: optional(count, "How many assistant messages the conversation has so far."),
  tool: optional(nonEmptyText, "The name of a function in the request's `tools`."),
  toolResult: optional(
    closedObject({
      name: optional(nonEmptyText, "The tool's name."),
      content: optional(textMatcher, "The result's text."),
    }),
    "The last message is the result of this tool.",
  ),
  stream: optional(flag, "Whether the request asks for a stream."),
  header: optional(namedValues(text), "Header values by name, in upper or lower case."),
  request: optional(
    namedValues(jsonValue),
    "Values of the request body by dotted path, such as `response_format.type`. Write a backslash before a dot in a key.",
  ),
});
