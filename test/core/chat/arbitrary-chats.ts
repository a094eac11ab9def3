import * as fc from "fast-check";
import type { Script, TextMatcher, When } from "../../../src/core/chat/scripts/script.ts";
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
      toolResult: fc.record({ name: toolName, content: textMatcher }, { requiredKeys: [] }),
      stream: fc.boolean(),
      header: fc.dictionary(fc.constantFrom("x-a", "X-B"), fc.constantFrom("1", "2")),
      request: fc.dictionary(
        fc.constantFrom("a", "b"),
        fc.constantFrom(1, "1", null, [1], { c: 1 }),
      ),
    }),
    fc.array(fc.constantFrom(0, 1, 1, 1, 2, 3, 3, 4, 5, 6, 7, 8, 9), {
      minLength: 1,
      maxLength: 3,
    }),
  )
  .map(([when, kept]) => {
    const entries = Object.entries(when);
    return Object.fromEntries(entries.filter((_, index) => kept.some((place) => place === index)));
  });

/** A script of a name that answers so many times. */
export const limits: fc.Arbitrary<Pick<Script, "times" | "after">> = fc.constantFrom<
  Pick<Script, "times" | "after">
>({}, { times: 1 }, { times: 1 }, { times: 2 }, { after: "end" });

const message: fc.Arbitrary<SentMessage> = fc.oneof(
  fc.record({ role: fc.constantFrom("user", "system", "developer", "assistant"), content: phrase }),
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
  fields: fc.dictionary(fc.constantFrom("a", "b"), fc.constantFrom(1, "1", null, [1], { c: 1 }, 2)),
  headers: fc.dictionary(fc.constantFrom("x-a", "x-b"), fc.constantFrom("1", "2")),
});
