import { matchesGlob } from "../../../core/chat/matching/glob.ts";
import type { Script, TextMatcher, When } from "../../../core/chat/scripts/script.ts";
import { type DraftChat, type DraftMessage, fieldsText, firstChat } from "./conversation.ts";

/** A chat that a script answers, as far as its conditions tell one; undefined where they do not. */
export function exampleOf(
  { when = {} }: Pick<Script, "when">,
  models: readonly string[],
): DraftChat | undefined {
  const { model, system, tool, stream, request } = when;
  const messages = messagesFor(when);
  // Headers are not a part of the chat.
  if (messages === undefined || when.header !== undefined) return undefined;
  const head = system === undefined ? "" : textFor(system);
  if (head === undefined) return undefined;
  return {
    ...firstChat,
    model: model === undefined ? "" : modelFor(model, models),
    messages: head === "" ? messages : [{ role: "system", content: head }, ...messages],
    stream: stream ?? firstChat.stream,
    more: fieldsText({
      ...(tool === undefined ? {} : { tools: [{ type: "function", function: { name: tool } }] }),
      ...fieldsOf(request),
    }),
  };
}

function messagesFor(when: When): readonly DraftMessage[] | undefined {
  const { user, anyMessage, turn = 0, toolResult } = when;
  const asked = user ?? anyMessage;
  const content = asked === undefined ? "Hello" : textFor(asked);
  if (content === undefined) return undefined;
  const earlier = Array.from({ length: turn }, (): readonly DraftMessage[] => [
    { role: "user", content: "Hello" },
    { role: "assistant", content: "Hello." },
  ]);
  const messages = [...earlier.flat(), { role: "user", content } as const];
  if (toolResult === undefined) return messages;
  const result = toolResult.content === undefined ? "{}" : textFor(toolResult.content);
  if (result === undefined) return undefined;
  const called = { name: toolResult.name ?? "tool", arguments: "{}" };
  const call = { id: "call_1", type: "function", function: called };
  return [
    ...(turn > 0 ? messages.slice(2) : messages),
    { role: "assistant", content: "", toolCalls: [call] },
    { role: "tool", content: result, toolCallId: "call_1" },
  ];
}

/** A text that a matcher finds. */
function textFor(matcher: TextMatcher): string | undefined {
  if (typeof matcher === "string") return matcher;
  if ("equals" in matcher) return matcher.equals;
  if ("contains" in matcher) return matcher.contains;
  if ("regex" in matcher) return textMatching(matcher.regex, matcher.flags);
  return matcher.anyOf.map(textFor).find((text) => text !== undefined);
}

/** What the parts of a simple pattern stand for: the first of several ways, once each. */
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
    // The server may know expressions that this browser does not.
    return undefined;
  }
}

function modelFor(glob: string, models: readonly string[]): string {
  return models.find((id) => matchesGlob(glob, id)) ?? glob.replaceAll(/[*?]/g, "x");
}

/** The fields of a body from their dotted paths. */
function fieldsOf(request: When["request"] = {}): object {
  const fields: Record<string, unknown> = {};
  for (const [path, value] of Object.entries(request)) {
    const keys = path.split(/(?<!\\)\./).map((key) => key.replaceAll("\\.", "."));
    const last = keys.pop() ?? path;
    let place = fields;
    for (const key of keys) place = place[key] = { ...(place[key] as object | undefined) };
    place[last] = value;
  }
  return fields;
}
