import { matchesGlob } from "../../../core/chat/matching/glob.ts";
import { stepsOf } from "../../../core/chat/matching/json-path.ts";
import {
  compileValue,
  jsonValues,
  matchersOf,
  type ValueSort,
  wholeTexts,
} from "../../../core/chat/matching/value-matcher.ts";
import type { Script, TextMatcher, ValueMatcher, When } from "../../../core/chat/scripts/script.ts";
import {
  type DraftChat,
  type DraftMessage,
  fieldsText,
  firstChat,
  messageOf,
} from "./conversation.ts";

/** A chat that a script would answer; undefined if its conditions do not suggest one. */
export function exampleOf(
  { when = {} }: Pick<Script, "when">,
  models: readonly string[],
): DraftChat | undefined {
  const { model, system, tool, stream, request = {} } = when;
  const messages = messagesFor(when);
  const fields = fieldsOf(request);
  // The editor can neither set headers nor send other parts than texts.
  if (when.header !== undefined || when.part !== undefined) return undefined;
  if (messages === undefined || fields === undefined) return undefined;
  const head = system === undefined ? "" : textFor(system);
  if (head === undefined) return undefined;
  return {
    ...firstChat,
    model: model === undefined ? "" : modelFor(model, models),
    messages: head === "" ? messages : [messageOf("system", head), ...messages],
    stream: stream ?? firstChat.stream,
    more: fieldsText({
      ...(tool === undefined ? {} : { tools: [{ type: "function", function: { name: tool } }] }),
      ...fields,
    }),
  };
}

function messagesFor(when: When): readonly DraftMessage[] | undefined {
  const { user, anyMessage, toolResult, assistant } = when;
  const asked = user ?? anyMessage;
  const content = asked === undefined ? "Hello" : textFor(asked);
  const said = assistant === undefined ? "Hello." : textFor(assistant);
  const results = toolResult === undefined ? [] : resultFor(toolResult, assistant && said);
  if (content === undefined || said === undefined || results === undefined) return undefined;
  const { before, since } = answersFor(when);
  const answer = messageOf("assistant", said);
  const earlier = Array.from({ length: before }, () => [messageOf("user", "Hello"), answer]);
  const others = Array.from({ length: since }, () => answer);
  return [...earlier.flat(), messageOf("user", content), ...others, ...results];
}

/**
 * How many answers come before the last user message, and how many after it. The answer that calls for the last
 * result is not counted.
 */
function answersFor({ turn, step, toolResult, assistant }: When): {
  readonly before: number;
  readonly since: number;
} {
  const calling = toolResult === undefined ? 0 : 1;
  const since = Math.max(0, (step ?? 0) - calling);
  const all = turn ?? (assistant === undefined ? 0 : 1);
  return { before: Math.max(0, all - since - calling), since };
}

function resultFor(
  { name = "tool", id, content }: NonNullable<When["toolResult"]>,
  said = "",
): readonly DraftMessage[] | undefined {
  const result = content === undefined ? "{}" : textFor(content);
  const callId = id === undefined ? "call_1" : valueFor(id, wholeTexts)?.value;
  if (result === undefined || typeof callId !== "string") return undefined;
  const call = { id: callId, type: "function", function: { name, arguments: "{}" } };
  return [
    { items: [{ role: "assistant", content: said === "" ? null : said, tool_calls: [call] }] },
    { items: [{ role: "tool", content: result, tool_call_id: callId }] },
  ];
}

/**
 * A value that a matcher finds; the value is undefined if the matcher wants none there. Undefined without an object:
 * no value was found.
 */
function valueFor(matcher: ValueMatcher, sort: ValueSort): { readonly value: unknown } | undefined {
  const { equals, contains, regex, flags, anyOf = [], exists, ...more } = matchersOf(matcher);
  const { gt = -1, gte = gt + 1, lt = gte + 1, lte = lt - 1 } = more;
  const numbers = [gte, lte, (gt + lt) / 2];
  const candidates: readonly unknown[] = [
    equals,
    contains,
    [contains],
    regex === undefined ? undefined : textMatching(regex, flags),
    ...(sort === wholeTexts ? numbers.map(String) : numbers),
    ...anyOf.map((one) => valueFor(one, sort)?.value),
    exists === true ? "a" : undefined,
  ];
  const { holds } = compileValue(matcher, sort);
  const at = [...candidates, undefined].findIndex(holds);
  return at === -1 ? undefined : { value: candidates[at] };
}

/** A text that a matcher finds. */
function textFor(matcher: TextMatcher): string | undefined {
  if (typeof matcher === "string") return matcher;
  if ("equals" in matcher) return matcher.equals;
  if ("contains" in matcher) return matcher.contains;
  if ("regex" in matcher) return textMatching(matcher.regex, matcher.flags);
  return matcher.anyOf.map(textFor).find((text) => text !== undefined);
}

/**
 * Replacements for parts of a simple pattern: each part becomes a text that it matches, and of several alternatives the
 * first.
 */
const partsOfPatterns: readonly (readonly [RegExp, string])[] = [
  [/\(\?(?:<\w+>|:)/g, "("],
  [/\\b|(?<!\\)[$^]/g, ""],
  [/\\w|\\S|\[[^\]]*[a-z][^\]]*\]/gi, "a"],
  [/\\d|\[[^\]]*\d[^\]]*\]/g, "1"],
  [/\\s/g, " "],
  [/(?<!\\)\.[*+]\??/g, "a"],
  [/\|[^()|]*/g, ""],
  [/(?<!\\)[()]/g, ""],
  [/(?<!\\)(?:[*+?]|\{\d+(?:,\d*)?\})\??/g, ""],
  [/\\(.)/g, "$1"],
];

/** A text that a regular expression matches, if it is simple enough. */
function textMatching(source: string, flags = ""): string | undefined {
  const text = partsOfPatterns.reduce(
    (made, [part, other]) => made.replaceAll(part, other),
    source,
  );
  try {
    return new RegExp(source, flags).test(text) ? text : undefined;
  } catch {
    // The server's regular expressions may have features that this browser lacks.
    return undefined;
  }
}

function modelFor(glob: string, models: readonly string[]): string {
  return models.find((id) => matchesGlob(glob, id)) ?? glob.replaceAll(/[*?]/g, "x");
}

/** Fields that cannot be set from a path: those made from the chat's messages and tools, and those in arrays. */
const elsewhere = /^(?:messages|tools|functions|input)\b|(?:^|\.)-?\d+(?:\.|$)/;

/** The fields of a body from their dotted paths; undefined if one of them cannot be set. */
function fieldsOf(request: NonNullable<When["request"]>): object | undefined {
  const fields: Record<string, unknown> = {};
  for (const [path, matcher] of Object.entries(request)) {
    const found = elsewhere.test(path) ? undefined : valueFor(matcher, jsonValues);
    if (found === undefined) return undefined;
    if (found.value === undefined) continue;
    const keys = [...stepsOf(path)];
    const last = keys.pop() ?? path;
    let place = fields;
    for (const key of keys) place = place[key] = { ...(place[key] as object | undefined) };
    place[last] = found.value;
  }
  return fields;
}
