import { isPresent, type JsonPath } from "../../schema/json.ts";
import { faultKinds } from "../faults/fault-kinds.ts";
import { compileText } from "../matching/text-matcher.ts";
import type {
  Fault,
  Pace,
  Script,
  ScriptChoice,
  ScriptReply,
  TextMatcher,
  When,
} from "./script.ts";

/** What is wrong with a script of the right form, and at which keys from the script down. */
export interface ScriptProblem {
  readonly path: JsonPath;
  readonly message: string;
}

type Headers = Readonly<Record<string, string>>;

/** Everything that is wrong with a script and that the schema of its form does not tell. */
export function checkScript({ when = {}, replies }: Script): readonly ScriptProblem[] {
  const all: readonly ScriptReply[] = replies;
  return [
    ...checkWhen(when, ["when"]),
    ...all.flatMap((reply, index) => checkReply(reply, ["replies", index])),
  ];
}

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
      message: `${key} cannot stand beside choices, each of which has its own; move it into them`,
    })),
    ...choices.flatMap((choice, index) => checkChoice(choice, [...path, "choices", index])),
  ];
}

const saysNothing =
  "the reply says nothing: give it content, chunks, toolCalls, reasoning, refusal or error";
const saidTwice = "content cannot stand beside chunks, which say the same in pieces; leave one out";

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

/** What is wrong with a pace, wherever it is given. */
export function checkPace({ tokensPerSecond, gapMs }: Pace, path: JsonPath): ScriptProblem[] {
  if (tokensPerSecond === undefined || gapMs === undefined) return [];
  const message = "gapMs and tokensPerSecond say the same; leave one out";
  return [{ path: [...path, "gapMs"], message }];
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
 * A place in an array as JavaScript writes it, where no service has a key of such a name: in that of an argument,
 * and in messages. Keys of the client's own, such as those of `metadata`, can have any name.
 */
const bracketed = /^(?:[^.\\[\]]+|(?:messages|tools)\..*)\[\d+\](?:\.|\[|$)/;

function checkPaths(requested: readonly string[], path: JsonPath): ScriptProblem[] {
  return requested.flatMap((name) => {
    if (!bracketed.test(name)) return [];
    const dotted = name.replaceAll(/\.?\[(\d+)\]/g, ".$1");
    const message = `is no dotted path: places in arrays have dots too; write "${dotted}"`;
    return [{ path: [...path, name], message }];
  });
}

/** RFC 9110, section 5.1: a token. */
const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** RFC 9110, section 5.5: visible characters, spaces and tabs, and what is not ASCII in one byte each. */
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;
/** They say how the body is framed, which the server alone knows. */
const framing = new Set(["content-length", "transfer-encoding", "connection"]);

/** What is wrong with headers by their names, which are the same in any case, and by what their use forbids. */
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
  if (!headerName.test(name)) return "is not a name that a header can have";
  return before && `is the same header as "${before}", whatever its case; leave one of the two out`;
}

function whyNeverReceived(_: string, value: string): string | undefined {
  return value === value.trim()
    ? undefined
    : "has white space at its ends, which no header that arrives has; remove it";
}

function whyNotSent(name: string, value: string): string | undefined {
  if (framing.has(name)) return "is set by the server";
  return headerValue.test(value) ? undefined : "is not a value that a header can have";
}

/** Everything that is wrong with a fault, of a reply or among chunks, and that the schema of its form does not tell. */
function checkFault({ kind, afterChunks, error }: Fault, path: JsonPath): ScriptProblem[] {
  const { whyNoPlace } = faultKinds[kind];
  const isMisplaced = afterChunks !== undefined && whyNoPlace !== undefined;
  const isError = error === undefined || kind === "error";
  const noError = `error says what the kind error sends, but the kind is ${kind}; leave one of the two out`;
  return [
    ...(isMisplaced ? [{ path: [...path, "afterChunks"], message: whyNoPlace }] : []),
    ...(isError ? [] : [{ path: [...path, "error"], message: noError }]),
  ];
}
