import type { RecordedAnswer } from "../../../../core/replay/cassette.ts";
import { bodyBytes } from "../../../../core/replay/recorded-body.ts";
import type { ChatRequest } from "../../../../core/chat/request/chat-request.ts";
import { asObject } from "../../../../core/schema/json.ts";
import type { ScriptChoice, ScriptReply } from "../../../../core/chat/scripts/script.ts";
import { counted } from "../../../../core/errors/counted.ts";
import { brokenChoiceScript, choiceScript, type Remark } from "./choice-script.ts";
import { readCompletion, textOf } from "./json-answer.ts";
import type { SaidAnswer, SaidChoice, SaidFault } from "./said.ts";
import { errorScript } from "./said-error.ts";
import { paceOf, waitOf } from "./said-pace.ts";
import { usageScript } from "./said-usage.ts";
import { readStream } from "./streamed-answer.ts";

/** The reply of a script that answers as a service did; undefined, and a remark, where no script can. */
export function replyScript(
  answer: RecordedAnswer,
  request: ChatRequest,
  remark: Remark,
): ScriptReply | undefined {
  const { status } = answer;
  if (status === 0) return silentScript(answer);
  const text = textIn(answer);
  if (status >= 400 && status <= 599) {
    return errorScript(answer, { value: parse(text), text }, remark);
  }
  if (status !== 200) {
    remark(`it was answered ${status}, which no script can say`);
    return undefined;
  }
  const said = isEventStream(answer) ? readStream(answer, remark) : readWhole(answer, text, remark);
  if (said === undefined) {
    remark("the answer is no chat completion");
    return undefined;
  }
  return completionScript(said, request, remark);
}

/** Nothing came at all. */
function silentScript({ end, afterMs }: RecordedAnswer): ScriptReply {
  const { how = "reset", atMs = afterMs } = end ?? {};
  return how === "hang"
    ? { fault: { kind: "hang" } }
    : { fault: { kind: "reset" }, ...waitOf(atMs) };
}

function isEventStream({ headers, stream }: RecordedAnswer): boolean {
  return stream !== undefined && (headers["content-type"] ?? "").includes("event-stream");
}

/** The text of an answer, whole or in parts. */
function textIn({ body, stream = [] }: RecordedAnswer): string {
  const decoder = new TextDecoder();
  const parts = body === undefined ? stream : [body];
  return parts.map((part) => decoder.decode(bodyBytes(part), { stream: true })).join("");
}

function readWhole(answer: RecordedAnswer, text: string, remark: Remark): SaidAnswer | undefined {
  const { atMs = answer.afterMs, how = "close" } = answer.end ?? {};
  const value = parse(text);
  const times = { first: atMs, last: atMs };
  if (value === undefined) return readBroken(answer, text, { times, how, remark });
  const choices = readCompletion(value, remark);
  if (choices === undefined) return undefined;
  const isFinished = choices.some(({ finishReason }) => finishReason !== undefined);
  return {
    model: textOf(asObject(value)?.["model"]),
    usage: asObject(value)?.["usage"],
    choices,
    times,
    fault: isFinished ? undefined : { fault: { kind: "noFinish" }, isAtEnd: false },
  };
}

/** A body that is no JSON since it broke off. What it would have said nobody knows. */
function readBroken(
  answer: RecordedAnswer,
  text: string,
  {
    times,
    how,
    remark,
  }: Pick<SaidAnswer, "times"> & { readonly how: string; readonly remark: Remark },
): SaidAnswer | undefined {
  if (!/^\s*\{/.test(text) && how === "close" && answer.end === undefined) return undefined;
  remark("the body breaks off: what there is of it is not in the script");
  const kinds = { close: "cut", reset: "reset", hang: "stall" } as const;
  const kind = how === "reset" || how === "hang" ? kinds[how] : kinds.close;
  const silent = { reasoning: undefined, refusal: undefined, calls: [], logprobs: undefined };
  const choice: SaidChoice = { ...silent, content: "", finishReason: undefined };
  const fault = { kind, ...(text === "" ? {} : { afterChunks: 1 }) };
  return {
    model: undefined,
    usage: undefined,
    choices: [choice],
    times,
    fault: { fault, isAtEnd: false },
  };
}

function completionScript(said: SaidAnswer, request: ChatRequest, remark: Remark): ScriptReply {
  const { model, choices, fault } = said;
  const wantsLogprobs = request.body["logprobs"] === true;
  const isBroken = fault?.isAtEnd === true;
  const scripts = choices.map((choice, index) =>
    isBroken
      ? brokenChoiceScript(choice, index === choices.length - 1 ? fault.fault : undefined, remark)
      : choiceScript(choice, wantsLogprobs, remark),
  );
  if (choices.length !== request.n && choices.length > 0) {
    remark(
      `${counted(request.n, "choice")} ${request.n === 1 ? "was" : "were"} asked for and ${choices.length} came: a script gives as many as are asked for`,
    );
  }
  // Then it stands among the chunks.
  const isSpoken = isBroken && (scripts.length > 0 || fault.fault.kind === "reset");
  return {
    ...spokenBy(scripts, fault),
    ...(model === undefined || model === "" || model === request.model ? {} : { model }),
    ...usageScript(said.usage, remark),
    ...paceOf(said),
    ...(fault === undefined || isSpoken ? {} : { fault: fault.fault }),
  };
}

function spokenBy(scripts: readonly ScriptChoice[], fault: SaidFault | undefined): ScriptReply {
  const [only] = scripts;
  if (only !== undefined) return scripts.length === 1 ? only : { choices: scripts };
  // A connection that breaks where nothing was sent breaks before the head, which was there.
  return fault?.fault.kind === "reset" ? { chunks: [{ comment: "" }, { fault: "reset" }] } : {};
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
