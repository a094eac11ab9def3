import { isPresent, type JsonPath } from "../../schema/json.ts";
import { faultKinds } from "../faults/fault-kinds.ts";
import { checkWhen } from "./check-when.ts";
import { isTemplate } from "../../template/templates.ts";
import { checkHeaderNames } from "./header-names.ts";
import { isHeaderValue } from "./header-syntax.ts";
import { unrenderedIn } from "./script-templates.ts";
import type { Fault, Pace, Script, ScriptChoice, ScriptChunk, ScriptReply } from "./script.ts";
import type { ScriptProblem } from "./script-problem.ts";

type Headers = Readonly<Record<string, string>>;

/** The problems of a script that its schema does not find. */
export function checkScript(script: Script): readonly ScriptProblem[] {
  const all: readonly ScriptReply[] = script.replies;
  return [
    ...checkWhen(script, ["when"]),
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
    ...checkExtra(reply, [...path, "extra"]),
    ...checkStatus(reply, [...path, "status"]),
    ...checkPace(pace, [...path, "pace"]),
    ...checkHeaders(headers, [...path, "headers"]),
    ...(fault === undefined ? [] : checkFault(fault, [...path, "fault"])),
  ];
}

/** The keys of a reply that belong into each choice if the reply has `choices`. */
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

function checkExtra({ extra = {}, choices }: ScriptReply, path: JsonPath): ScriptProblem[] {
  const beside = (["message", "delta", "choice"] as const).filter(
    (key) => choices !== undefined && extra[key] !== undefined,
  );
  const noChoices =
    "choices cannot stand in extra.body: they are what the reply says; to replace the whole answer use body in place of the reply";
  return [
    ...beside.map((key) => ({
      path: [...path, key],
      message: `${key} of extra cannot stand beside choices; move it into the extra of each choice`,
    })),
    ...(extra.body !== undefined && Object.hasOwn(extra.body, "choices")
      ? [{ path: [...path, "body", "choices"], message: noChoices }]
      : []),
  ];
}

/** Statuses whose answers have no body. */
const bodiless: readonly (number | undefined)[] = [204, 205, 304];

function checkStatus({ status, body }: ScriptReply, path: JsonPath): ScriptProblem[] {
  if (status === undefined) return [];
  if (body === undefined) {
    const message =
      "status needs body: a reply is always 200, and error has a status of its own; add body, or remove status";
    return [{ path, message }];
  }
  const message = `status ${status} has no body in HTTP; give another status`;
  return bodiless.includes(status) ? [{ path, message }] : [];
}

const saysNothing =
  "the reply is empty: give it content, chunks, toolCalls, reasoning, refusal, error or body";
const saidTwice = "content and chunks both give the text; remove one of the two";

function checkChoice(choice: ScriptReply, path: JsonPath): ScriptProblem[] {
  const { content, chunks = [], toolCalls, refusal, reasoning, error, body, fault } = choice;
  const said = [content, choice.chunks, toolCalls, refusal, reasoning, error, body, fault];
  const isEmpty = said.every((part) => part === undefined);
  const isDouble = choice.chunks !== undefined && isPresent(content);
  return [
    ...(isEmpty ? [{ path, message: saysNothing }] : []),
    ...(isDouble ? [{ path: [...path, "content"], message: saidTwice }] : []),
    ...chunks.flatMap((chunk, index) => checkChunk(chunk, [...path, "chunks", index])),
  ];
}

function checkChunk(chunk: ScriptChunk, path: JsonPath): ScriptProblem[] {
  if (typeof chunk === "string") return [];
  if ("fault" in chunk && typeof chunk.fault === "object") {
    return checkFault(chunk.fault, [...path, "fault"]);
  }
  if (!("comment" in chunk) || chunk.times === undefined || chunk.everyMs !== undefined) return [];
  const message = "times needs everyMs, which says when the comment comes again; add everyMs";
  return [{ path: [...path, "times"], message }];
}

/** The problems of a pace. `path` is where it is given. */
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

/** Headers that frame the body, which the server sets itself. */
const framing = new Set(["content-length", "transfer-encoding", "connection"]);

/** The problems of headers that are to be sent. */
function checkHeaders(headers: Headers, path: JsonPath): readonly ScriptProblem[] {
  const values = Object.entries(headers).flatMap(([name, value]) => {
    const message = whyNotSent(name.toLowerCase(), value);
    return message === undefined ? [] : [{ path: [...path, name], message }];
  });
  return [...checkHeaderNames(Object.keys(headers), path), ...values];
}

function whyNotSent(name: string, value: string): string | undefined {
  if (framing.has(name)) return "is set by the server";
  return isHeaderValue(value) || isTemplate(value) ? undefined : "is not a valid header value";
}

/** The problems of a fault, of a reply or among chunks, that its schema does not find. */
function checkFault(fault: Fault, path: JsonPath): ScriptProblem[] {
  const { kind, afterChunks, afterMs, error } = fault;
  const { whyNoPlace } = faultKinds[kind];
  const given = (["afterChunks", "afterMs"] as const).filter((key) => fault[key] !== undefined);
  const isTwice = afterChunks !== undefined && afterMs !== undefined;
  const placedTwice = "afterChunks and afterMs both say when it happens; remove one of the two";
  const isError = error === undefined || kind === "error";
  const noError = `error belongs to the kind error, but the kind is ${kind}; remove one of the two`;
  return [
    ...(whyNoPlace === undefined
      ? []
      : given.map((key) => ({ path: [...path, key], message: `${key} ${whyNoPlace}` }))),
    ...(isTwice ? [{ path: [...path, "afterMs"], message: placedTwice }] : []),
    ...(isError ? [] : [{ path: [...path, "error"], message: noError }]),
  ];
}
