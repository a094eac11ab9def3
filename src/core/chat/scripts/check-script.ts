import { checkFault } from "./check-fault.ts";
import { checkHeaders } from "./check-headers.ts";
import { checkWhen } from "./check-when.ts";
import { isPresent } from "../request/read.ts";
import type { Pace, Script, ScriptChoice, ScriptChunk, ScriptReply } from "./script.ts";
import type { ScriptProblem } from "./script-problem.ts";
import { wholeNumber } from "./whole-number.ts";

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
