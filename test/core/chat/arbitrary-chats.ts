import * as fc from "fast-check";
import type {
  Matchers,
  Script,
  TextMatcher,
  ValueMatcher,
  When,
} from "../../../src/core/chat/scripts/script.ts";
import type { Sent, SentMessage } from "./naive-matching.ts";

// Few words, so that scripts and requests meet often, and so that one word is a part of another.
const word: fc.Arbitrary<string> = fc.constantFrom(
  "rain",
  "Rain",
  "rainy day",
  "ain",
  "sun",
  "é",
  "",
);
const phrase = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(" "));
const regex = fc.constantFrom(
  "rain|sun",
  "^rain",
  "rai?n",
  "(?<what>sun)+ rain",
  "day$",
  "r.in",
  "[rs]",
);
const toolName = fc.constantFrom("ping", "pong", "get");
const modelName = fc.constantFrom("atlas", "atlas-large", "gpt", "at*s");

const textMatcher: fc.Arbitrary<TextMatcher> = fc.letrec<{ matcher: TextMatcher }>((tie) => ({
  matcher: fc.oneof(
    { maxDepth: 2 },
    phrase,
    phrase.map((contains) => ({ contains })),
    phrase.map((equals) => ({ equals })),
    fc
      .record({ regex, flags: fc.constantFrom("", "i", "g", "iu", "u") })
      .map((matcher): TextMatcher => matcher),
    fc
      .array(tie("matcher"), { minLength: 1, maxLength: 3 })
      .map((anyOf): TextMatcher => ({ anyOf })),
  ),
})).matcher;

/** Objects of one or two matchers. */
function matchersOf<Value, Plain>(
  value: fc.Arbitrary<Value>,
  plain: fc.Arbitrary<Plain>,
): fc.Arbitrary<Plain | Matchers<Value, Plain>> {
  const bound = fc.constantFrom(0, 1, 2);
  return fc.letrec<{ matcher: Plain | Matchers<Value, Plain> }>((tie) => ({
    matcher: fc.oneof(
      { maxDepth: 2 },
      plain,
      fc
        .tuple(
          fc.record({
            equals: value,
            contains: value,
            regex,
            anyOf: fc.array(tie("matcher"), { minLength: 1, maxLength: 3 }),
            exists: fc.boolean(),
            gt: bound,
            gte: bound,
            lt: bound,
            lte: bound,
            not: tie("matcher"),
          }),
          fc.array(fc.nat(9), { minLength: 1, maxLength: 2 }),
        )
        .map(([all, kept]): Matchers<Value, Plain> => {
          const entries = Object.entries(all).filter((_, index) => kept.includes(index));
          return Object.fromEntries(entries);
        }),
    ),
  })).matcher;
}

const bodyMatcher: fc.Arbitrary<ValueMatcher> = matchersOf(
  fc.constantFrom(1, 2, "1", "rain", "ain", null, [1], { c: 1 }),
  fc.constantFrom(1, "1", "rain", null, [1]),
);
const textValue = fc.constantFrom("1", "2", "rain", "");
const wholeText = matchersOf(textValue, textValue);

/** Criteria of every kind, seldom more than two at once. */
export const whens: fc.Arbitrary<When> = fc
  .tuple(
    fc.record({
      model: fc.constantFrom(
        "atlas",
        "atlas*",
        "*",
        "?tlas",
        "gpt",
        "*-l*",
        "a**?",
        "a?*",
        "atlas?",
      ),
      user: textMatcher,
      system: textMatcher,
      anyMessage: textMatcher,
      turn: fc.nat(2),
      tool: toolName,
      toolResult: fc.record(
        { name: toolName, id: wholeText, content: textMatcher },
        { requiredKeys: [] },
      ),
      stream: fc.boolean(),
      header: fc.dictionary(fc.constantFrom("x-a", "X-B"), wholeText),
      request: fc.dictionary(fc.constantFrom("a", "b"), bodyMatcher),
      assistant: textMatcher,
      step: fc.nat(2),
      part: fc.constantFrom("image", "image_url"),
    }),
    fc.array(fc.constantFrom(0, 1, 1, 1, 2, 3, 3, 4, 5, 6, 7, 8, 9, 8, 9, 10, 11, 12), {
      minLength: 1,
      maxLength: 3,
    }),
  )
  .map(([when, kept]) => {
    const entries = Object.entries(when);
    return Object.fromEntries(entries.filter((_, index) => kept.some((place) => place === index)));
  });

/** A script of a name that answers so many times. */
export const limits: fc.Arbitrary<Pick<Script, "times" | "after" | "count">> = fc.constantFrom<
  Pick<Script, "times" | "after" | "count">
>(
  {},
  { times: 1 },
  { times: 1 },
  { times: 2 },
  { after: "end" },
  { after: "end", count: "step" },
  { after: "end", count: "turn", times: 2 },
);

const message: fc.Arbitrary<SentMessage> = fc.oneof(
  fc.record({ role: fc.constantFrom("user", "system", "developer", "assistant"), content: phrase }),
  fc.record({
    role: fc.constant("user"),
    content: phrase,
    parts: fc.constantFrom([], ["text", "image_url"], ["file"]),
  }),
  fc.record({
    role: fc.constant("assistant"),
    content: phrase,
    tool_calls: fc.array(fc.record({ id: fc.constantFrom("1", "2"), name: toolName }), {
      maxLength: 2,
    }),
  }),
  fc.record({
    role: fc.constant("tool"),
    content: phrase,
    tool_call_id: fc.constantFrom("1", "2", "3"),
  }),
);

/** Requests that know the words of the scripts. */
export const requests: fc.Arbitrary<Sent> = fc.record({
  model: modelName,
  messages: fc.array(message, { minLength: 1, maxLength: 5 }),
  stream: fc.boolean(),
  tools: fc.uniqueArray(toolName),
  fields: fc.dictionary(
    fc.constantFrom("a", "b"),
    fc.constantFrom(1, "1", "rain", null, [1], ["rain"], { c: 1 }, 2),
  ),
  headers: fc.dictionary(fc.constantFrom("x-a", "x-b"), textValue),
});
