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
  contains: closedObject({ contains: required(text, "A part of the text.") }),
  regex: closedObject({
    regex: required(
      text,
      "A regular expression (JavaScript's). Named groups are `match` in the reply's template.",
    ),
    flags: optional(text, "Flags of the regular expression, such as `i`."),
  }),
  anyOf: closedObject({
    anyOf: required(
      nonEmptyArray(lazy((): Schema<TextMatcher> => textMatcher)),
      "At least one of these matchers must hold.",
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
    "A glob for the request's model: `*` any run of characters, `?` one.",
  ),
  user: optional(textMatcher, "The last user message. A plain text means: contains it."),
  system: optional(textMatcher, "Any system or developer message."),
  anyMessage: optional(textMatcher, "Any message."),
  turn: optional(count, "How many assistant messages the conversation has so far."),
  tool: optional(nonEmptyText, "The name of a function offered in `tools`."),
  toolResult: optional(
    closedObject({
      name: optional(nonEmptyText, "The tool's name."),
      content: optional(textMatcher, "The result's text."),
    }),
    "The last message is the result of this tool.",
  ),
  stream: optional(flag, "Whether a stream is asked for."),
  header: optional(namedValues(text), "Header values by name; names in any case."),
  request: optional(
    namedValues(jsonValue),
    "Values of the request's body by dotted path, such as `response_format.type`. A dot in a key has a backslash before it.",
  ),
});
