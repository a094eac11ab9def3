import { counted, cut, showValue } from "../../errors/show.ts";
import type { CallHeaders } from "../../http/call.ts";
import { type ChatRequest, toolNameOf } from "../request/chat-request.ts";
import type { Script, TextMatcher, When } from "../scripts/script.ts";
import { isExactGlob, matchesGlob } from "./glob.ts";
import { jsonEqual, valueAt } from "./json-path.ts";
import { type FormsOf, nearText, similarKey, similarName } from "./nearness.ts";
import { compileText, firstDefined, type MatchGroups, mergeGroups } from "./text-matcher.ts";

/** The input that scripts are matched against. */
export interface Subject {
  readonly request: ChatRequest;
  readonly headers: CallHeaders;
}

/** A request as criteria see it. */
export interface RequestView extends Subject {
  /** The number of assistant messages. */
  readonly turn: number;
  /** The text of the last user message, in a list; empty if there is none. */
  readonly userTexts: readonly string[];
  readonly systemTexts: readonly string[];
  readonly allTexts: readonly string[];
  /** The tool result in the last message. */
  readonly toolResult:
    | undefined
    | {
        /** Undefined when the message answers no known call. */
        readonly name: string | undefined;
        readonly text: string;
      };
}

/** Derives what criteria see from a request. */
export function viewOf({ request, headers }: Subject): RequestView {
  const { messages } = request;
  const systemTexts: string[] = [];
  let userTexts: readonly string[] = [];
  let turn = 0;
  for (const { role, text } of messages) {
    if (role === "user") userTexts = [text];
    else if (role === "assistant") turn++;
    else if (role === "system" || role === "developer") systemTexts.push(text);
  }
  const last = messages.at(-1);
  // `function` is the older name of the role.
  const isResult = last?.role === "tool" || last?.role === "function";
  const toolResult = isResult ? { name: toolNameOf(request, last), text: last.text } : undefined;
  const allTexts = messages.map(({ text }) => text);
  return { request, headers, turn, userTexts, systemTexts, allTexts, toolResult };
}

/** One condition of a script. */
export interface Criterion {
  /** Its place in `when`, such as `user` or `header.x-tenant`. */
  readonly name: string;
  /** The expected value, in words. */
  readonly expected: string;
  readonly holds: (view: RequestView) => boolean;
  /** The request's value, in words. */
  readonly seen: (view: RequestView) => string;
  /** How near a failed request comes, in words; undefined when it is not near. */
  readonly near?: (view: RequestView, formsOf: FormsOf) => string | undefined;
  /** The named groups of its regular expressions; absent for criteria that have none. */
  readonly groups?: (view: RequestView) => MatchGroups;
}

/** A compiled script. */
export interface CompiledScript {
  readonly script: Script;
  readonly criteria: readonly Criterion[];
  /** How many requests it can answer. */
  readonly mostMatches: number;
  /** The named groups of all matchers for a request that matches. */
  readonly groups: (view: RequestView) => MatchGroups;
}

/** Scripts are compiled once, on first use, so that a start with many scripts does not wait. */
const compiledScripts = new WeakMap<Script, CompiledScript>();

/** Compiles a checked script. */
export function compileScript(script: Script): CompiledScript {
  const known = compiledScripts.get(script);
  if (known !== undefined) return known;
  const criteria = compileCriteria(script.when ?? {});
  const compiled: CompiledScript = {
    script,
    criteria,
    mostMatches: mostMatches(script),
    groups: (view) => mergeGroups(criteria.map(({ groups }) => groups?.(view) ?? {})),
  };
  compiledScripts.set(script, compiled);
  return compiled;
}

/** How many requests a script can answer; Infinity without a limit. */
export function mostMatches({ times = Infinity, after, replies }: Script): number {
  return after === "end" ? Math.min(times, replies.length) : times;
}

/**
 * The criteria of a `when`, cheap ones first. For named groups of the same name, the earlier criterion wins. Throws a
 * SyntaxError for an invalid regular expression.
 */
export function compileCriteria(when: When): readonly Criterion[] {
  const { model, stream, turn, tool, header = {}, request = {}, toolResult } = when;
  const { user, system, anyMessage } = when;
  return [
    model !== undefined && modelCriterion(model),
    stream !== undefined && exactly("stream", stream, (view) => view.request.stream),
    turn !== undefined && exactly("turn", turn, (view) => view.turn),
    tool !== undefined && toolCriterion(tool),
    ...Object.entries(header).map(([name, value]) => headerCriterion(name, value)),
    ...Object.entries(request).map(([path, value]) => requestCriterion(path, value)),
    user !== undefined && textCriterion("user", user, ({ userTexts }) => userTexts),
    ...(toolResult === undefined ? [] : toolResultCriteria(toolResult)),
    system !== undefined && {
      ...textCriterion("system", system, ({ systemTexts }) => systemTexts),
      seen: ({ systemTexts }: RequestView) => showSome(systemTexts) || "no system message",
    },
    anyMessage !== undefined && {
      ...textCriterion("anyMessage", anyMessage, ({ allTexts }) => allTexts),
      seen: ({ allTexts }: RequestView) => `none among ${counted(allTexts.length, "message")}`,
    },
  ].filter((criterion) => criterion !== false);
}

/** A criterion that a value of the request equals the expected one. */
function exactly(name: string, wanted: unknown, read: (view: RequestView) => unknown): Criterion {
  return {
    name,
    expected: JSON.stringify(wanted),
    holds: (view) => read(view) === wanted,
    seen: (view) => showValue(read(view)),
  };
}

function modelCriterion(glob: string): Criterion {
  const exact = exactly("model", glob, ({ request }) => request.model);
  if (isExactGlob(glob)) {
    return { ...exact, near: ({ request }) => similarName(glob, [request.model]) };
  }
  const { name, expected, seen } = exact;
  return { name, expected, seen, holds: ({ request }) => matchesGlob(glob, request.model) };
}

function toolCriterion(tool: string): Criterion {
  return {
    name: "tool",
    expected: `${JSON.stringify(tool)} among the tools`,
    holds: ({ request }) => request.tools.includes(tool),
    seen: ({ request }) =>
      request.tools.length === 0 ? "no tools" : cut(request.tools.join(", ")),
    near: ({ request }) => similarName(tool, request.tools),
  };
}

function headerCriterion(name: string, value: string): Criterion {
  const key = name.toLowerCase();
  const read = ({ headers }: RequestView): string | undefined =>
    Object.hasOwn(headers, key) ? headers[key] : undefined;
  return {
    ...exactly(`header.${key}`, value, read),
    near: (view, formsOf) => {
      const seen = read(view);
      return seen === undefined
        ? similarName(key, Object.keys(view.headers))
        : nearText({ kind: "equals", text: value }, seen, formsOf);
    },
  };
}

function requestCriterion(path: string, value: unknown): Criterion {
  const name = `request.${path}`;
  const read = ({ request }: RequestView): unknown => valueAt(request.body, path);
  const exact = exactly(name, value, read);
  return {
    ...exact,
    holds: (view) => jsonEqual(value, read(view)),
    seen: (view) => showWhole(read(view)),
    near: (view) => {
      const seen = read(view);
      if (seen === undefined) return similarKey(view.request.body, path);
      return typeof value === "string" && typeof seen === "string"
        ? similarName(value, [seen])
        : undefined;
    },
  };
}

/** Shows contents for arrays and objects too: only they tell what differs. */
function showWhole(value: unknown): string {
  return typeof value === "object" && value !== null
    ? `${showValue(value)}, ${cut(JSON.stringify(value))}`
    : showValue(value);
}

function toolResultCriteria({
  name,
  content,
}: NonNullable<When["toolResult"]>): (Criterion | false)[] {
  const isResult: Criterion = {
    ...exactly("toolResult", true, (view) => view.toolResult !== undefined),
    expected: "the result of a tool as the last message",
    seen: ({ request }) => `a message of role ${showValue(request.messages.at(-1)?.role)}`,
  };
  return [
    isResult,
    name !== undefined && {
      ...exactly("toolResult.name", name, (view) => view.toolResult?.name),
      near: ({ toolResult }: RequestView) =>
        toolResult?.name === undefined ? undefined : similarName(name, [toolResult.name]),
    },
    content !== undefined &&
      textCriterion("toolResult.content", content, ({ toolResult }) =>
        toolResult === undefined ? [] : [toolResult.text],
      ),
  ];
}

/** A criterion that one of several texts fits a matcher. */
function textCriterion(
  name: string,
  matcher: TextMatcher,
  read: (view: RequestView) => readonly string[],
): Criterion {
  const { description, holds, near, groups } = compileText(matcher);
  return {
    name,
    expected: `a text ${description}`,
    holds: (view) => read(view).some(holds),
    seen: (view) => showValue(read(view)[0]),
    // The newest text that is near at all.
    near: (view, formsOf) => firstDefined(read(view).toReversed(), (text) => near(text, formsOf)),
    groups: (view) => groups(read(view)),
  };
}

/** The most texts shown of a list that may have thousands. */
const mostShown = 3;

function showSome(texts: readonly string[]): string {
  const more = texts.length - mostShown;
  const shown = texts.slice(0, mostShown).map(showValue).join(" and ");
  return more > 0 ? `${shown} and ${more} more` : shown;
}
