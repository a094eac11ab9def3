import type { CallHeaders } from "../http/call.ts";
import { type ChatMessage, type ChatRequest, lastUserText, toolNameOf } from "./chat-request.ts";
import { matchesGlob } from "./glob.ts";
import { jsonEqual, valueAt } from "./json-path.ts";
import type { TextMatcher, When } from "./script.ts";
import { cut, show } from "./show.ts";
import { compileText, type MatchGroups } from "./text-matcher.ts";

/** What scripts are matched against. */
export interface Subject {
  readonly request: ChatRequest;
  readonly headers: CallHeaders;
}

/** One condition of a script. */
export interface Criterion {
  /** Where it stands in `when`, such as `user` or `header.x-tenant`. */
  readonly name: string;
  /** What it asks for, in words. */
  readonly expected: string;
  readonly holds: (subject: Subject) => boolean;
  /** What the request has there, in words. */
  readonly seen: (subject: Subject) => string;
  /** The named groups of its regular expressions; absent where a criterion can have none. */
  readonly groups?: (subject: Subject) => MatchGroups;
}

/**
 * The criteria of a `when`, cheap ones first. Where two have a named group of the same name, the earlier one's
 * counts. Throws a SyntaxError for a regular expression that is none.
 */
export function compileCriteria(when: When): readonly Criterion[] {
  return [
    ...(when.model === undefined ? [] : [modelCriterion(when.model)]),
    ...(when.stream === undefined ? [] : [streamCriterion(when.stream)]),
    ...(when.turn === undefined ? [] : [turnCriterion(when.turn)]),
    ...(when.tool === undefined ? [] : [toolCriterion(when.tool)]),
    ...Object.entries(when.header ?? {}).map(([name, value]) => headerCriterion(name, value)),
    ...Object.entries(when.request ?? {}).map(([path, value]) => requestCriterion(path, value)),
    ...(when.user === undefined ? [] : [userCriterion(when.user)]),
    ...(when.toolResult === undefined ? [] : toolResultCriteria(when.toolResult)),
    ...(when.system === undefined ? [] : [systemCriterion(when.system)]),
    ...(when.anyMessage === undefined ? [] : [anyMessageCriterion(when.anyMessage)]),
  ];
}

function modelCriterion(glob: string): Criterion {
  return {
    name: "model",
    expected: JSON.stringify(glob),
    holds: ({ request }) => matchesGlob(glob, request.model),
    seen: ({ request }) => show(request.model),
  };
}

function streamCriterion(stream: boolean): Criterion {
  return {
    name: "stream",
    expected: String(stream),
    holds: ({ request }) => request.stream === stream,
    seen: ({ request }) => String(request.stream),
  };
}

function turnOf({ request }: Subject): number {
  return request.messages.filter(({ role }) => role === "assistant").length;
}

function turnCriterion(turn: number): Criterion {
  return {
    name: "turn",
    expected: String(turn),
    holds: (subject) => turnOf(subject) === turn,
    seen: (subject) => String(turnOf(subject)),
  };
}

function toolCriterion(tool: string): Criterion {
  return {
    name: "tool",
    expected: `${JSON.stringify(tool)} among the tools`,
    holds: ({ request }) => request.tools.includes(tool),
    seen: ({ request }) =>
      request.tools.length === 0 ? "no tools" : cut(request.tools.join(", ")),
  };
}

function headerCriterion(name: string, value: string): Criterion {
  const key = name.toLowerCase();
  const seen = ({ headers }: Subject): string | undefined =>
    Object.hasOwn(headers, key) ? headers[key] : undefined;
  return {
    name: `header.${key}`,
    expected: JSON.stringify(value),
    holds: (subject) => seen(subject) === value,
    seen: (subject) => show(seen(subject)),
  };
}

function requestCriterion(path: string, value: unknown): Criterion {
  return {
    name: `request.${path}`,
    expected: JSON.stringify(value),
    holds: ({ request }) => jsonEqual(value, valueAt(request.body, path)),
    seen: ({ request }) => show(valueAt(request.body, path)),
  };
}

/** The last message when it is the result of a tool; `function` is the older name of the role. */
function lastToolMessage({ request }: Subject): ChatMessage | undefined {
  const last = request.messages.at(-1);
  return last?.role === "tool" || last?.role === "function" ? last : undefined;
}

function toolResultCriteria({ name, content }: NonNullable<When["toolResult"]>): Criterion[] {
  const isResult: Criterion = {
    name: "toolResult",
    expected: "the result of a tool as the last message",
    holds: (subject) => lastToolMessage(subject) !== undefined,
    seen: ({ request }) => `a message of role ${show(request.messages.at(-1)?.role)}`,
  };
  return [
    isResult,
    ...(name === undefined ? [] : [toolResultName(name)]),
    ...(content === undefined ? [] : [toolResultContent(content)]),
  ];
}

function toolResultNameOf(subject: Subject): string | undefined {
  const message = lastToolMessage(subject);
  return message === undefined ? undefined : toolNameOf(subject.request, message);
}

function toolResultName(name: string): Criterion {
  return {
    name: "toolResult.name",
    expected: JSON.stringify(name),
    holds: (subject) => toolResultNameOf(subject) === name,
    seen: (subject) => show(toolResultNameOf(subject)),
  };
}

/** The texts of which one has to fit, and the words for them when none does. */
type Texts = Pick<Criterion, "name" | "seen"> & {
  readonly texts: (subject: Subject) => readonly string[];
};

function textCriterion(matcher: TextMatcher, { name, texts, seen }: Texts): Criterion {
  const { description, holds, groups } = compileText(matcher);
  return {
    name,
    expected: `a text ${description}`,
    holds: (subject) => texts(subject).some(holds),
    seen,
    groups: (subject) => groups(texts(subject)),
  };
}

function toolResultContent(matcher: TextMatcher): Criterion {
  return textCriterion(matcher, {
    name: "toolResult.content",
    texts: (subject) => given(lastToolMessage(subject)?.text),
    seen: (subject) => show(lastToolMessage(subject)?.text),
  });
}

function userCriterion(matcher: TextMatcher): Criterion {
  return textCriterion(matcher, {
    name: "user",
    texts: ({ request }) => given(lastUserText(request)),
    seen: ({ request }) => show(lastUserText(request)),
  });
}

function systemTexts({ request }: Subject): readonly string[] {
  return request.messages
    .filter(({ role }) => role === "system" || role === "developer")
    .map(({ text }) => text);
}

function systemCriterion(matcher: TextMatcher): Criterion {
  return textCriterion(matcher, {
    name: "system",
    texts: systemTexts,
    seen: (subject) => systemTexts(subject).map(show).join(" and ") || "no system message",
  });
}

function anyMessageCriterion(matcher: TextMatcher): Criterion {
  return textCriterion(matcher, {
    name: "anyMessage",
    texts: ({ request }) => request.messages.map(({ text }) => text),
    seen: ({ request }) => `none among ${request.messages.length} messages`,
  });
}

function given(text: string | undefined): readonly string[] {
  return text === undefined ? [] : [text];
}
