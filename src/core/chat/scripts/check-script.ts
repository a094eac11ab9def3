import { faultKinds } from "../faults/fault-kinds.ts";
import { isPresent } from "../../schema/json.ts";
import type {
  Fault,
  Pace,
  Script,
  ScriptChoice,
  ScriptChunk,
  ScriptReply,
  TextMatcher,
  When,
} from "./script.ts";
import { compileText } from "../matching/text-matcher.ts";

/** What is wrong with a script of the right form, and at which keys. */
export interface ScriptProblem {
  /** Keys and places from the script down, such as `["when", "user", "regex"]`. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

type Path = ScriptProblem["path"];

/** Everything that is wrong with a script and that its form alone does not tell. */
export function checkScript(script: Script): readonly ScriptProblem[] {
  return [
    ...checkWhen(script.when ?? {}),
    ...(script.times === undefined ? [] : wholeNumber(script.times, 1, ["times"])),
    ...script.replies.flatMap((reply, index) => checkReply(reply, ["replies", index])),
  ];
}

function checkReply(reply: ScriptReply, path: Path): ScriptProblem[] {
  const { choices, error, fault, pace, headers = {} } = reply;
  return [
    ...(choices === undefined ? checkChoice(reply, path) : checkChoices(reply, choices, path)),
    ...(pace === undefined ? [] : checkPace(pace, [...path, "pace"])),
    ...checkHeaders(headers, [...path, "headers"]),
    ...(error === undefined ? [] : checkStatus(error.status, [...path, "error", "status"])),
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
  path: Path,
): ScriptProblem[] {
  const beside = choiceKeys.filter((key) => reply[key] !== undefined);
  return [
    ...(choices.length > 0 ? [] : [{ path: [...path, "choices"], message: "is empty" }]),
    ...beside.map((key) => ({
      path: [...path, key],
      message: `${key} cannot stand beside choices, each of which has its own; move it into them`,
    })),
    ...choices.flatMap((choice, index) => checkChoice(choice, [...path, "choices", index])),
  ];
}

function checkChoice(choice: ScriptReply, path: Path): ScriptProblem[] {
  const { content, chunks, toolCalls, refusal, reasoning, error, fault } = choice;
  const said = [content, chunks, toolCalls, refusal, reasoning, error, fault];
  const problems: ScriptProblem[] = [];
  if (said.every((part) => part === undefined)) {
    problems.push({
      path,
      message:
        "the reply says nothing: give it content, chunks, toolCalls, reasoning, refusal or error",
    });
  }
  if (chunks !== undefined && isPresent(content)) {
    problems.push({
      path: [...path, "content"],
      message: "content cannot stand beside chunks, which say the same in pieces; leave one out",
    });
  }
  return [...problems, ...checkChunks(chunks ?? [], [...path, "chunks"])];
}

function checkChunks(chunks: readonly ScriptChunk[], path: Path): ScriptProblem[] {
  return chunks.flatMap((chunk, index) => {
    if (typeof chunk === "string") return [];
    if ("wait" in chunk) return atLeastZero(chunk.wait, [...path, index, "wait"]);
    if (!("fault" in chunk) || typeof chunk.fault === "string") return [];
    return checkFault(chunk.fault, [...path, index, "fault"]);
  });
}

/** What is wrong with a pace, wherever it is given. */
export function checkPace(pace: Pace, path: Path): ScriptProblem[] {
  const { firstTokenMs, tokensPerSecond, gapMs, jitter, by } = pace;
  const problems: ScriptProblem[] = [];
  if (tokensPerSecond !== undefined && gapMs !== undefined) {
    problems.push({
      path: [...path, "gapMs"],
      message: "gapMs and tokensPerSecond say the same; leave one out",
    });
  }
  if (tokensPerSecond !== undefined && !(tokensPerSecond > 0 && tokensPerSecond < Infinity)) {
    problems.push({ path: [...path, "tokensPerSecond"], message: "has to be more than 0" });
  }
  if (jitter !== undefined && !(jitter >= 0 && jitter <= 1)) {
    problems.push({ path: [...path, "jitter"], message: "has to be from 0 to 1" });
  }
  return [
    ...problems,
    ...(firstTokenMs === undefined ? [] : atLeastZero(firstTokenMs, [...path, "firstTokenMs"])),
    ...(gapMs === undefined ? [] : atLeastZero(gapMs, [...path, "gapMs"])),
    ...(typeof by === "number" ? wholeNumber(by, 1, [...path, "by"]) : []),
  ];
}

function atLeastZero(value: number, path: Path): ScriptProblem[] {
  return value >= 0 && value < Infinity ? [] : [{ path, message: "has to be 0 or more" }];
}

function checkStatus(status: number, path: Path): ScriptProblem[] {
  return Number.isInteger(status) && status >= 400 && status <= 599
    ? []
    : [{ path, message: "has to be a status from 400 to 599" }];
}

/** Everything that is wrong with a `when` and that its form alone does not tell. */
function checkWhen(when: When): ScriptProblem[] {
  return [
    ...(["user", "system", "anyMessage"] as const).flatMap((key) =>
      checkMatcher(when[key], ["when", key]),
    ),
    ...checkMatcher(when.toolResult?.content, ["when", "toolResult", "content"]),
    ...checkWantedHeaders(when.header ?? {}, ["when", "header"]),
    ...checkPaths(Object.keys(when.request ?? {}), ["when", "request"]),
    ...(when.turn === undefined ? [] : wholeNumber(when.turn, 0, ["when", "turn"])),
  ];
}

function checkMatcher(matcher: TextMatcher | undefined, path: Path): ScriptProblem[] {
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

const paddedHeader = "has white space at its ends, which no header that arrives has; remove it";

function checkWantedHeaders(
  headers: Readonly<Record<string, string>>,
  path: Path,
): ScriptProblem[] {
  return [
    ...headerNameProblems(Object.keys(headers), path),
    ...Object.entries(headers).flatMap(([name, value]) =>
      value === value.trim() ? [] : [{ path: [...path, name], message: paddedHeader }],
    ),
  ];
}

/**
 * A place in an array as JavaScript writes it, where no service has a key of such a name: in that of an argument,
 * and in messages. Keys of the client's own, such as those of `metadata`, can have any name.
 */
const bracketed = /^(?:[^.\\[\]]+|(?:messages|tools)\..*)\[\d+\](?:\.|\[|$)/;

function checkPaths(requested: readonly string[], path: Path): ScriptProblem[] {
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

/** What is wrong with headers that a script sends. */
function checkHeaders(headers: Readonly<Record<string, string>>, path: Path): ScriptProblem[] {
  return [
    ...headerNameProblems(Object.keys(headers), path),
    ...Object.entries(headers).flatMap(([name, value]) => {
      const problem = sentProblem(name, value);
      return problem === undefined ? [] : [{ path: [...path, name], message: problem }];
    }),
  ];
}

function sentProblem(name: string, value: string): string | undefined {
  if (framing.has(name.toLowerCase())) return "is set by the server";
  return headerValue.test(value) ? undefined : "is not a value that a header can have";
}

/** Names that no header can have, and those that are one name to HTTP, which knows no case. */
function headerNameProblems(names: readonly string[], path: Path): ScriptProblem[] {
  const first = new Map<string, string>();
  return names.flatMap((name) => {
    const key = name.toLowerCase();
    const before = first.get(key);
    if (before === undefined) first.set(key, name);
    const problem = nameProblem(name, before);
    return problem === undefined ? [] : [{ path: [...path, name], message: problem }];
  });
}

function nameProblem(name: string, before: string | undefined): string | undefined {
  if (!headerName.test(name)) return "is not a name that a header can have";
  return before && `is the same header as "${before}", whatever its case; leave one of the two out`;
}

/** Everything that is wrong with a fault, of a reply or among chunks. */
export function checkFault(
  { kind, afterChunks, probability, error }: Fault,
  path: Path,
): ScriptProblem[] {
  const problems: ScriptProblem[] = [];
  const { whyNoPlace } = faultKinds[kind];
  const add = (key: string, message: string): void => {
    problems.push({ path: [...path, key], message });
  };
  if (afterChunks !== undefined) {
    const whole = Number.isSafeInteger(afterChunks) && afterChunks >= 0;
    if (!whole) add("afterChunks", "has to be a whole number, 0 or more");
    else if (whyNoPlace !== undefined) add("afterChunks", whyNoPlace);
  }
  if (probability !== undefined && !(probability >= 0 && probability <= 1)) {
    add("probability", "has to be from 0 to 1");
  }
  if (error !== undefined && kind !== "error") {
    add(
      "error",
      `error says what the kind error sends, but the kind is ${kind}; leave one of the two out`,
    );
  }
  return problems;
}

/** What is wrong with a number that has to be whole and `least` or more. */
function wholeNumber(value: number, least: number, path: Path): ScriptProblem[] {
  return Number.isSafeInteger(value) && value >= least
    ? []
    : [{ path, message: `has to be a whole number, ${least} or more` }];
}
