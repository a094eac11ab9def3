import { isPresent, type JsonPath } from "../../schema/json.ts";
import { faultKinds } from "../faults/fault-kinds.ts";
import { compileText } from "../matching/text-matcher.ts";
import { isTemplate } from "../../template/templates.ts";
import { isHeaderName, isHeaderValue } from "./header-syntax.ts";
import { unrenderedIn } from "./script-templates.ts";
import type {
  Fault,
  Pace,
  Script,
  ScriptChoice,
  ScriptReply,
  TextMatcher,
  When,
} from "./script.ts";

/** A problem of a script with a valid form, and its keys from the script down. */
export interface ScriptProblem {
  readonly path: JsonPath;
  readonly message: string;
}

type Headers = Readonly<Record<string, string>>;

/** The problems of a script that its schema does not find. */
export function checkScript(script: Script): readonly ScriptProblem[] {
  const { when = {}, replies } = script;
  const all: readonly ScriptReply[] = replies;
  return [
    ...checkWhen(when, ["when"]),
    ...all.flatMap((reply, index) => checkReply(reply, ["replies", index])),
    ...unrenderedIn(script).map(({ path }) => ({ path, message: notRendered })),
  ];
}

const notRendered =
  "is never rendered, so a template cannot stand here; write the value itself (texts, arguments, headers and the message of an error can be templates)";

function checkReply(reply: ScriptReply, path: JsonPath): ScriptProblem[] {
  const { choices, fault, pace = {}, headers = {} } = reply;
  return [
    ...(choices === undefined ? checkChoice(reply, path) : checkChoices(reply, choices, path)),
    ...checkPace(pace, [...path, "pace"]),
    ...checkHeaders(headers, [...path, "headers"], whyNotSent),
    ...(fault === undefined ? [] : checkFault(fault, [...path, "fault"])),
  ];
}

/** The keys of a reply that each of its choices has for itself. */
const choiceKeys: readonly (keyof ScriptChoice)[] = [
  "content",
  "chunks",
  "toolCalls",
  "reasoning",
  "refusal",
  "logprobs",
  "finishReason",
];

function checkChoices(
  reply: ScriptReply,
  choices: readonly ScriptChoice[],
  path: JsonPath,
): ScriptProblem[] {
  const beside = choiceKeys.filter((key) => reply[key] !== undefined);
  return [
    ...beside.map((key) => ({
      path: [...path, key],
      message: `${key} cannot stand beside choices; move it into each choice`,
    })),
    ...choices.flatMap((choice, index) => checkChoice(choice, [...path, "choices", index])),
  ];
}

const saysNothing =
  "the reply is empty: give it content, chunks, toolCalls, reasoning, refusal or error";
const saidTwice = "content and chunks both give the text; remove one of the two";

function checkChoice(choice: ScriptReply, path: JsonPath): ScriptProblem[] {
  const { content, chunks = [], toolCalls, refusal, reasoning, error, fault } = choice;
  const said = [content, choice.chunks, toolCalls, refusal, reasoning, error, fault];
  const isEmpty = said.every((part) => part === undefined);
  const isDouble = choice.chunks !== undefined && isPresent(content);
  return [
    ...(isEmpty ? [{ path, message: saysNothing }] : []),
    ...(isDouble ? [{ path: [...path, "content"], message: saidTwice }] : []),
    ...chunks.flatMap((chunk, index) =>
      typeof chunk === "object" && "fault" in chunk && typeof chunk.fault === "object"
        ? checkFault(chunk.fault, [...path, "chunks", index, "fault"])
        : [],
    ),
  ];
}

/** The problems of a pace, wherever it is given. */
export function checkPace(
  { tokensPerSecond, gapMs, jitter }: Pace,
  path: JsonPath,
): ScriptProblem[] {
  const problem = (key: string, message: string): ScriptProblem[] => [
    { path: [...path, key], message },
  ];
  if (tokensPerSecond !== undefined && gapMs !== undefined) {
    return problem("gapMs", "gapMs and tokensPerSecond both set the speed; remove one of the two");
  }
  if (jitter === undefined || typeof gapMs !== "object") return [];
  return problem(
    "jitter",
    "jitter varies a fixed gap, but gapMs is drawn anew for each; remove it",
  );
}

function checkWhen(when: When, path: JsonPath): ScriptProblem[] {
  return [
    ...(["user", "system", "anyMessage"] as const).flatMap((key) =>
      checkMatcher(when[key], [...path, key]),
    ),
    ...checkMatcher(when.toolResult?.content, [...path, "toolResult", "content"]),
    ...checkHeaders(when.header ?? {}, [...path, "header"], whyNeverReceived),
    ...checkPaths(Object.keys(when.request ?? {}), [...path, "request"]),
  ];
}

function checkMatcher(matcher: TextMatcher | undefined, path: JsonPath): ScriptProblem[] {
  if (matcher === undefined || typeof matcher === "string") return [];
  if ("anyOf" in matcher) {
    return matcher.anyOf.flatMap((item, index) => checkMatcher(item, [...path, "anyOf", index]));
  }
  if (!("regex" in matcher)) return [];
  try {
    compileText(matcher);
    return [];
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return [{ path: [...path, "regex"], message }];
  }
}

/**
 * An array index in JavaScript syntax, in an argument of the service or in messages. The client's own keys, such as
 * those of `metadata`, can have any name.
 */
const bracketed = /^(?:[^.\\[\]]+|(?:messages|tools)\..*)\[\d+\](?:\.|\[|$)/;

function checkPaths(requested: readonly string[], path: JsonPath): ScriptProblem[] {
  return requested.flatMap((name) => {
    if (!bracketed.test(name)) return [];
    const dotted = name.replaceAll(/\.?\[(\d+)\]/g, ".$1");
    const message = `is not a dotted path: array indexes have dots too; write "${dotted}"`;
    return [{ path: [...path, name], message }];
  });
}

/** Headers that frame the body, which only the server knows. */
const framing = new Set(["content-length", "transfer-encoding", "connection"]);

/** The problems of headers: duplicate names, ignoring case, and names and values that are not allowed. */
function checkHeaders(
  headers: Headers,
  path: JsonPath,
  whyNot: (name: string, value: string) => string | undefined,
): ScriptProblem[] {
  const first = new Map<string, string>();
  return Object.entries(headers).flatMap(([name, value]) => {
    const key = name.toLowerCase();
    const before = first.get(key);
    first.set(key, before ?? name);
    const problems = [whyNoName(name, before), whyNot(key, value)];
    return problems
      .filter((message) => message !== undefined)
      .map((message) => ({ path: [...path, name], message }));
  });
}

function whyNoName(name: string, before: string | undefined): string | undefined {
  if (!isHeaderName(name)) return "is not a valid header name";
  return before && `is the same header as "${before}" in another case; remove one of the two`;
}

function whyNeverReceived(_: string, value: string): string | undefined {
  return value === value.trim()
    ? undefined
    : "has white space at its ends, which received headers never have; remove it";
}

function whyNotSent(name: string, value: string): string | undefined {
  if (framing.has(name)) return "is set by the server";
  return isHeaderValue(value) || isTemplate(value) ? undefined : "is not a valid header value";
}

/** The problems of a fault, of a reply or among chunks, that its schema does not find. */
function checkFault({ kind, afterChunks, error }: Fault, path: JsonPath): ScriptProblem[] {
  const { whyNoPlace } = faultKinds[kind];
  const isMisplaced = afterChunks !== undefined && whyNoPlace !== undefined;
  const isError = error === undefined || kind === "error";
  const noError = `error belongs to the kind error, but the kind is ${kind}; remove one of the two`;
  return [
    ...(isMisplaced ? [{ path: [...path, "afterChunks"], message: whyNoPlace }] : []),
    ...(isError ? [] : [{ path: [...path, "error"], message: noError }]),
  ];
}
