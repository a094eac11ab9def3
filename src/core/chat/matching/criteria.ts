import { counted } from "../../errors/counted.ts";
import { nearestName } from "../../errors/nearest-name.ts";
import type { TextMatcher, When } from "../scripts/script.ts";
import { cut, showValue } from "../../errors/show.ts";
import { matchesGlob } from "./glob.ts";
import { jsonEqual, stepsOf, valueAt } from "./json-path.ts";
import type { RequestView, Subject } from "./request-view.ts";
import {
  compileText,
  firstDefined,
  type MatchGroups,
  nearText,
  TextForms,
  type WantedText,
} from "./text-matcher.ts";

export type { Subject };

/** One condition of a script. */
export interface Criterion {
  /** Where it stands in `when`, such as `user` or `header.x-tenant`. */
  readonly name: string;
  /** What it asks for, in words. */
  readonly expected: string;
  readonly holds: (view: RequestView) => boolean;
  /** What the request has there, in words. */
  readonly seen: (view: RequestView) => string;
  /** How near a request that it does not hold for comes to it, in words; undefined when it is not near. */
  readonly near?: (view: RequestView) => string | undefined;
  /** The named groups of its regular expressions; absent where a criterion can have none. */
  readonly groups?: (view: RequestView) => MatchGroups;
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
    seen: ({ request }) => showValue(request.model),
    near: ({ request }) => nearGlob(glob, request.model),
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

function turnCriterion(turn: number): Criterion {
  return {
    name: "turn",
    expected: String(turn),
    holds: (view) => view.turn === turn,
    seen: (view) => String(view.turn),
  };
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
  const wanted: WantedText = { kind: "equals", forms: new TextForms(value) };
  return {
    name: `header.${key}`,
    expected: JSON.stringify(value),
    holds: (view) => view.header(key) === value,
    seen: (view) => showValue(view.header(key)),
    near: (view) => {
      const seen = view.header(key);
      return seen === undefined
        ? similarName(key, Object.keys(view.headers))
        : nearText(wanted, view.formsOf(seen));
    },
  };
}

function requestCriterion(path: string, value: unknown): Criterion {
  return {
    name: `request.${path}`,
    expected: JSON.stringify(value),
    holds: ({ request }) => jsonEqual(value, valueAt(request.body, path)),
    seen: ({ request }) => showWhole(valueAt(request.body, path)),
    near: ({ request }) => nearValue(value, { body: request.body, path }),
  };
}

/** Arrays and objects too, since only their contents tell what is not equal. */
function showWhole(value: unknown): string {
  return isCompound(value)
    ? `${showValue(value)}, ${cut(JSON.stringify(value))}`
    : showValue(value);
}

function toolResultCriteria({ name, content }: NonNullable<When["toolResult"]>): Criterion[] {
  const isResult: Criterion = {
    name: "toolResult",
    expected: "the result of a tool as the last message",
    holds: (view) => view.toolResult.isThere,
    seen: ({ request }) => `a message of role ${showValue(request.messages.at(-1)?.role)}`,
  };
  return [
    isResult,
    ...(name === undefined ? [] : [toolResultName(name)]),
    ...(content === undefined ? [] : [toolResultContent(content)]),
  ];
}

function toolResultName(name: string): Criterion {
  return {
    name: "toolResult.name",
    expected: JSON.stringify(name),
    holds: (view) => view.toolResult.name === name,
    seen: (view) => showValue(view.toolResult.name),
    near: (view) =>
      similarName(name, view.toolResult.name === undefined ? [] : [view.toolResult.name]),
  };
}

/** The texts of which one has to fit, and the words for them when none does. */
type Texts = Pick<Criterion, "name" | "seen"> & {
  readonly texts: (view: RequestView) => readonly string[];
};

function textCriterion(matcher: TextMatcher, { name, texts, seen }: Texts): Criterion {
  const { description, holds, near, groups } = compileText(matcher);
  return {
    name,
    expected: `a text ${description}`,
    holds: (view) => texts(view).some(holds),
    seen,
    // The newest text that is near at all.
    near: (view) => firstDefined(texts(view).toReversed(), (text) => near(view.formsOf(text))),
    groups: (view) => groups(texts(view)),
  };
}

function toolResultContent(matcher: TextMatcher): Criterion {
  return textCriterion(matcher, {
    name: "toolResult.content",
    texts: (view) => view.toolResult.texts,
    seen: (view) => showValue(view.toolResult.texts[0]),
  });
}

function userCriterion(matcher: TextMatcher): Criterion {
  return textCriterion(matcher, {
    name: "user",
    texts: (view) => view.userTexts,
    seen: (view) => showValue(view.userTexts[0]),
  });
}

function systemCriterion(matcher: TextMatcher): Criterion {
  return textCriterion(matcher, {
    name: "system",
    texts: (view) => view.systemTexts,
    seen: (view) => showSome(view.systemTexts) || "no system message",
  });
}

/** So many texts are shown of a list that may have thousands. */
const mostShown = 3;

function showSome(texts: readonly string[]): string {
  const more = texts.length - mostShown;
  const shown = texts.slice(0, mostShown).map(showValue).join(" and ");
  return more > 0 ? `${shown} and ${more} more` : shown;
}

function anyMessageCriterion(matcher: TextMatcher): Criterion {
  return textCriterion(matcher, {
    name: "anyMessage",
    texts: (view) => view.allTexts,
    seen: ({ request }) => `none among ${counted(request.messages.length, "message")}`,
  });
}

/** More names are not compared: a request may have any number, and each script asks. */
const mostNames = 64;

/** Names the one of several names that is similar to the one that was wanted. */
function similarName(wanted: string, present: readonly string[]): string | undefined {
  const similar = nearestName(
    wanted,
    present.slice(0, mostNames).filter((name) => isLike(name, wanted)),
  );
  if (similar === undefined) return undefined;
  return similar.toLowerCase() === wanted.toLowerCase() && similar !== wanted
    ? `${showValue(similar)} differs only in upper and lower case`
    : `${showValue(similar)} is a similar name`;
}

/** Names of one or two characters are alike only in another case: `f` is no misspelt `g`. */
function isLike(name: string, wanted: string): boolean {
  return Math.min(name.length, wanted.length) > 2 || name.toLowerCase() === wanted.toLowerCase();
}

/** Says how near a text comes to a glob that it does not fit. */
function nearGlob(glob: string, text: string): string | undefined {
  const star = glob.indexOf("*");
  if (star === -1) return similarName(glob, [text]);
  // What comes before the first star has to be there; the rest may be anything.
  const start = glob.slice(0, star);
  const beginning = text.slice(0, star);
  if (start.length < 3 || nearestName(start, [beginning]) === undefined) return undefined;
  return `it begins with ${showValue(beginning)}, which is similar to ${showValue(start)}`;
}

/** Says how near the request comes to having a value at a path of its body. */
function nearValue(
  wanted: unknown,
  { body, path }: { readonly body: unknown; readonly path: string },
): string | undefined {
  const seen = valueAt(body, path);
  if (seen === undefined) return similarKey(body, path);
  if (typeof seen === "string" && typeof wanted !== "string" && JSON.stringify(wanted) === seen) {
    return "it is a text";
  }
  if (typeof wanted === "string" && !isCompound(seen) && wanted === JSON.stringify(seen)) {
    return "it is no text";
  }
  if (typeof wanted === "string" && typeof seen === "string") return similarName(wanted, [seen]);
  const isPartOfArray = Array.isArray(seen) && seen.some((item) => jsonEqual(wanted, item));
  return isPartOfArray ? "it is one of the array's items" : undefined;
}

function isCompound(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

const dotInKey = "write a dot in a key with a backslash before it";

/** Names the key that a path may have meant, at the first step that leads nowhere. */
function similarKey(body: unknown, path: string): string | undefined {
  let current = body;
  const steps = stepsOf(path);
  for (const [index, name] of steps.entries()) {
    if (typeof current !== "object" || current === null || Array.isArray(current)) return undefined;
    const next = Object.hasOwn(current, name) ? Reflect.get(current, name) : undefined;
    if (next === undefined) {
      const rest = steps.slice(index).join(".");
      if (rest !== name && Object.hasOwn(current, rest))
        return `${showValue(rest)} is one key: ${dotInKey}`;
      return similarName(name, Object.keys(current));
    }
    current = next;
  }
  return undefined;
}
