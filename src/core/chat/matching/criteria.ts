import { counted, cut, showValue } from "../../errors/show.ts";
import type { CallHeaders } from "../../http/call.ts";
import { type ChatMessage, type ChatRequest, toolNameOf } from "../request/chat-request.ts";
import type { TextMatcher, ValueMatcher, When } from "../scripts/script.ts";
import type { ScriptConditions } from "./script-conditions.ts";
import { isExactGlob, matchesGlob } from "./glob.ts";
import { stepsOf, valueAt } from "./json-path.ts";
import { type FormsOf, similarKey, similarName } from "./nearness.ts";
import { compileText, firstDefined, type MatchGroups, mergeGroups } from "./text-matcher.ts";
import { compileValue, jsonValues, type ValueSort, wholeTexts } from "./value-matcher.ts";

/** The input that scripts are matched against. */
export interface Subject {
  readonly request: ChatRequest;
  readonly headers: CallHeaders;
}

/** A request as criteria see it. */
export interface RequestView extends Subject {
  /** The number of assistant messages. */
  readonly turn: number;
  /** The number of assistant messages since the last user message. */
  readonly step: number;
  /** The text of the last user message, in a list; empty if there is none. */
  readonly userTexts: readonly string[];
  /** The types of the last user message's parts. */
  readonly userParts: readonly string[];
  /** The text of the last assistant message, in a list; empty if there is none. */
  readonly assistantTexts: readonly string[];
  readonly systemTexts: readonly string[];
  readonly allTexts: readonly string[];
  /** The tool result in the last message. */
  readonly toolResult:
    | undefined
    | {
        /** The tool's name. Undefined when the message answers no known call. */
        readonly name: string | undefined;
        readonly id: string | undefined;
        readonly text: string;
      };
}

/** Derives what criteria see from a request. */
export function viewOf({ request, headers }: Subject): RequestView {
  const { messages } = request;
  const systemTexts: string[] = [];
  let user: ChatMessage | undefined;
  let assistantTexts: readonly string[] = [];
  let turn = 0;
  let step = 0;
  for (const message of messages) {
    const { role, text } = message;
    if (role === "user") {
      user = message;
      step = 0;
    } else if (role === "assistant") {
      assistantTexts = [text];
      turn++;
      step++;
    } else if (role === "system" || role === "developer") {
      systemTexts.push(text);
    }
  }
  const last = messages.at(-1);
  // `function` is the older name of the role `tool`.
  const isResult = last?.role === "tool" || last?.role === "function";
  const toolResult = isResult
    ? { name: toolNameOf(request, last), id: last.toolCallId, text: last.text }
    : undefined;
  return {
    request,
    headers,
    turn,
    step,
    userTexts: user === undefined ? [] : [user.text],
    userParts: user?.parts ?? [],
    assistantTexts,
    systemTexts,
    allTexts: messages.map(({ text }) => text),
    toolResult,
  };
}

/** One condition of a script. */
export interface Criterion {
  /** The condition's place in `when`, such as `user` or `header.x-tenant`. */
  readonly name: string;
  /** The expected value, in words. */
  readonly expected: string;
  readonly holds: (view: RequestView) => boolean;
  /** The request's value, in words. */
  readonly seen: (view: RequestView) => string;
  /** How near a request comes that does not fulfil the condition, in words; undefined when it is not near. */
  readonly near?: (view: RequestView, formsOf: FormsOf) => string | undefined;
  /** The named groups of the condition's regular expressions. Absent if it has none. */
  readonly groups?: (view: RequestView) => MatchGroups;
}

/** A compiled script. */
export interface CompiledScript {
  readonly script: ScriptConditions;
  readonly criteria: readonly Criterion[];
  /** How many requests the script can answer. */
  readonly mostMatches: number;
  /** The named groups of all matchers for a request that matches. */
  readonly groups: (view: RequestView) => MatchGroups;
}

/** Scripts are compiled once, on first use, so that a start with many scripts does not wait. */
const compiledScripts = new WeakMap<ScriptConditions, CompiledScript>();

/** Compiles a checked script. */
export function compileScript(script: ScriptConditions): CompiledScript {
  const known = compiledScripts.get(script);
  if (known !== undefined) return known;
  const conditions = compileCriteria(script.when ?? {});
  const criteria = endsWithReplies(script) ? [...conditions, endCriterion(script)] : conditions;
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
export function mostMatches({
  times = Infinity,
  after,
  count = "match",
  replies,
}: ScriptConditions): number {
  return after === "end" && count === "match" ? Math.min(times, replies.length) : times;
}

/** Whether a script has one reply for each step or turn of a conversation and matches none after the last reply. */
export function endsWithReplies({ after, count = "match" }: ScriptConditions): boolean {
  return after === "end" && count !== "match";
}

function endCriterion({ count = "match", replies: { length } }: ScriptConditions): Criterion {
  const read = (view: RequestView): number => (count === "step" ? view.step : view.turn);
  return {
    name: count,
    expected: `less than ${length}, since "after" is "end"`,
    holds: (view) => read(view) < length,
    seen: (view) => String(read(view)),
  };
}

/**
 * The criteria of a `when`, cheap ones first. For named groups of the same name, the earlier criterion wins. Throws a
 * SyntaxError for an invalid regular expression.
 */
export function compileCriteria(when: When): readonly Criterion[] {
  const { model, stream, turn, step, tool, part, header, request, toolResult } = when;
  const { user, assistant, system, anyMessage } = when;
  // The first search compiles all scripts, and most have one condition, so an absent condition must cost nothing.
  const criteria: Criterion[] = [];
  if (model !== undefined) criteria.push(modelCriterion(model));
  if (stream !== undefined) criteria.push(exactly("stream", stream, (view) => view.request.stream));
  if (turn !== undefined) criteria.push(exactly("turn", turn, (view) => view.turn));
  if (step !== undefined) criteria.push(exactly("step", step, (view) => view.step));
  if (tool !== undefined) criteria.push(toolCriterion(tool));
  if (part !== undefined) criteria.push(partCriterion(part));
  if (user !== undefined) criteria.push(textCriterion("user", user, userTextsOf));
  if (header !== undefined) criteria.push(...eachCriterion(header, headerCriterion));
  if (request !== undefined) criteria.push(...eachCriterion(request, requestCriterion));
  if (toolResult !== undefined) criteria.push(...toolResultCriteria(toolResult));
  if (assistant !== undefined) criteria.push(assistantCriterion(assistant));
  if (system !== undefined) criteria.push(systemCriterion(system));
  if (anyMessage !== undefined) criteria.push(anyMessageCriterion(anyMessage));
  return criteria;
}

function eachCriterion(
  matchers: Readonly<Record<string, ValueMatcher>>,
  criterionOf: (name: string, matcher: ValueMatcher) => Criterion,
): readonly Criterion[] {
  return Object.entries(matchers).map(([name, matcher]) => criterionOf(name, matcher));
}

function userTextsOf({ userTexts }: RequestView): readonly string[] {
  return userTexts;
}

function assistantCriterion(matcher: TextMatcher): Criterion {
  return textCriterion("assistant", matcher, ({ assistantTexts }) => assistantTexts, {
    seen: ({ assistantTexts: [text] }) =>
      text === undefined ? "no assistant message" : showValue(text),
  });
}

function systemCriterion(matcher: TextMatcher): Criterion {
  return textCriterion("system", matcher, ({ systemTexts }) => systemTexts, {
    seen: ({ systemTexts }) => showSome(systemTexts) || "no system message",
  });
}

function anyMessageCriterion(matcher: TextMatcher): Criterion {
  return textCriterion("anyMessage", matcher, ({ allTexts }) => allTexts, {
    seen: ({ allTexts }) => `none among ${counted(allTexts.length, "message")}`,
  });
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

/** The types of parts in chat completions and in Responses, by the name that stands for both. */
const partKinds: Readonly<Record<string, readonly string[]>> = {
  image: ["image_url", "input_image"],
  file: ["file", "input_file"],
  audio: ["input_audio"],
};

/** The usual values of a script's `part`. */
export const partTypeNames: readonly string[] = [
  ...Object.entries(partKinds).flat(2),
  "text",
  "input_text",
];

/** The types of parts that a script's `part` stands for. */
export function typesOfPart(part: string): readonly string[] {
  return Object.hasOwn(partKinds, part) ? [part, ...(partKinds[part] ?? [])] : [part];
}

function partCriterion(part: string): Criterion {
  const types = typesOfPart(part);
  return {
    name: "part",
    expected: `${JSON.stringify(part)} among the parts of the last user message`,
    holds: ({ userParts }) => userParts.some((type) => types.includes(type)),
    seen: ({ userParts }) => (userParts.length === 0 ? "no parts" : cut(userParts.join(", "))),
    near: ({ userParts }) => nearPart(part, userParts),
  };
}

/** A hint for a `part` that failed: the type that has another name in the other API, or a part with a similar name. */
function nearPart(part: string, seen: readonly string[]): string | undefined {
  const [kind, types] = Object.entries(partKinds).find(([, all]) => all.includes(part)) ?? [];
  const other = seen.find((type) => types?.includes(type));
  return other === undefined
    ? similarName(part, seen)
    : `${JSON.stringify(kind)} stands for ${showValue(other)} too`;
}

function headerCriterion(name: string, matcher: ValueMatcher): Criterion {
  const key = name.toLowerCase();
  return valueCriterion(`header.${key}`, matcher, {
    sort: wholeTexts,
    read: ({ headers }) => (Object.hasOwn(headers, key) ? headers[key] : undefined),
    nearName: ({ headers }) => similarName(key, Object.keys(headers)),
  });
}

function requestCriterion(path: string, matcher: ValueMatcher): Criterion {
  const steps = stepsOf(path);
  return valueCriterion(`request.${path}`, matcher, {
    sort: jsonValues,
    read: ({ request }) => valueAt(request.body, steps),
    nearName: ({ request }) => similarKey(request.body, steps),
  });
}

/** How a value of a request is read and compared, and how a similar name is found when the value is absent. */
interface ValuePlace {
  readonly sort: ValueSort;
  readonly read: (view: RequestView) => unknown;
  readonly nearName?: (view: RequestView) => string | undefined;
}

function valueCriterion(
  name: string,
  matcher: ValueMatcher,
  { sort, read, nearName }: ValuePlace,
): Criterion {
  const { description, holds, near, groups } = compileValue(matcher, sort);
  return {
    name,
    expected: description,
    holds: (view) => holds(read(view)),
    seen: (view) => showWhole(read(view)),
    near: (view, formsOf) => {
      const seen = read(view);
      return seen === undefined ? nearName?.(view) : near?.(seen, formsOf);
    },
    ...(groups !== undefined && { groups: (view: RequestView) => groups(read(view)) }),
  };
}

/** Shows the contents of arrays and objects too, since only the contents tell what differs. */
function showWhole(value: unknown): string {
  return typeof value === "object" && value !== null
    ? `${showValue(value)}, ${cut(JSON.stringify(value))}`
    : showValue(value);
}

function toolResultCriteria({
  name,
  id,
  content,
}: NonNullable<When["toolResult"]>): readonly Criterion[] {
  const criteria: Criterion[] = [
    {
      ...exactly("toolResult", true, (view) => view.toolResult !== undefined),
      expected: "the result of a tool as the last message",
      seen: ({ request }) => `a message of role ${showValue(request.messages.at(-1)?.role)}`,
    },
  ];
  if (name !== undefined) {
    criteria.push({
      ...exactly("toolResult.name", name, (view) => view.toolResult?.name),
      near: ({ toolResult }) =>
        toolResult?.name === undefined ? undefined : similarName(name, [toolResult.name]),
    });
  }
  if (id !== undefined) {
    criteria.push(
      valueCriterion("toolResult.id", id, {
        sort: wholeTexts,
        read: ({ toolResult }) => toolResult?.id,
      }),
    );
  }
  if (content !== undefined) {
    criteria.push(
      textCriterion("toolResult.content", content, ({ toolResult }) =>
        toolResult === undefined ? [] : [toolResult.text],
      ),
    );
  }
  return criteria;
}

/** A criterion that one of several texts fits a matcher. */
function textCriterion(
  name: string,
  matcher: TextMatcher,
  read: (view: RequestView) => readonly string[],
  { seen = (view) => showValue(read(view)[0]) }: Partial<Pick<Criterion, "seen">> = {},
): Criterion {
  const { description, holds, near, groups } = compileText(matcher);
  return {
    name,
    expected: `a text ${description}`,
    holds: (view) => read(view).some(holds),
    seen,
    // The newest text that is near.
    near: (view, formsOf) => firstDefined(read(view).toReversed(), (text) => near(text, formsOf)),
    groups: (view) => groups(read(view)),
  };
}

/** The most texts of a conversation that a message shows. There may be thousands. */
const mostShown = 3;

function showSome(texts: readonly string[]): string {
  const more = texts.length - mostShown;
  const shown = texts.slice(0, mostShown).map(showValue).join(" and ");
  return more > 0 ? `${shown} and ${more} more` : shown;
}
