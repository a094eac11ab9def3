import { usualKind } from "../../../core/chat/complete-chat.ts";
import type { ChatRequest } from "../../../core/chat/request/chat-request.ts";
import type { ScriptChoice, ScriptReply } from "../../../core/chat/scripts/script.ts";
import { counted } from "../../../core/errors/counted.ts";
import type { RecordedAnswer } from "../../../core/replay/cassette.ts";
import { bodyBytes } from "../../../core/replay/recorded-body.ts";
import { asObject, isPresent } from "../../../core/schema/json.ts";
import { brokenChoiceScript, choiceScript } from "./choice-script.ts";
import {
  type Remark,
  type RecordedCompletion,
  type RecordedChoice,
  type CompletionFault,
  parseJson,
  readCompletion,
  readStream,
  errorIn,
  type RecordedError,
  stringValue,
} from "./read-completion.ts";
import { paceOfRecording, waitOf } from "./script-pace.ts";

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
    return errorScript(answer, { value: parseJson(text), text }, remark);
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

function readWhole(
  answer: RecordedAnswer,
  text: string,
  remark: Remark,
): RecordedCompletion | undefined {
  const { atMs = answer.afterMs, how = "close" } = answer.end ?? {};
  const value = parseJson(text);
  const times = { first: atMs, last: atMs };
  if (value === undefined) return readBroken(answer, text, { times, how, remark });
  const choices = readCompletion(value, remark);
  if (choices === undefined) return undefined;
  const isFinished = choices.some(({ finishReason }) => finishReason !== undefined);
  return {
    model: stringValue(asObject(value)?.["model"]),
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
  }: Pick<RecordedCompletion, "times"> & { readonly how: string; readonly remark: Remark },
): RecordedCompletion | undefined {
  if (!/^\s*\{/.test(text) && how === "close" && answer.end === undefined) return undefined;
  remark("the body breaks off: what there is of it is not in the script");
  const kinds = { close: "cut", reset: "reset", hang: "stall" } as const;
  const kind = how === "reset" || how === "hang" ? kinds[how] : kinds.close;
  const silent = { reasoning: undefined, refusal: undefined, calls: [], logprobs: undefined };
  const choice: RecordedChoice = { ...silent, content: "", finishReason: undefined };
  const fault = { kind, ...(text === "" ? {} : { afterChunks: 1 }) };
  return {
    model: undefined,
    usage: undefined,
    choices: [choice],
    times,
    fault: { fault, isAtEnd: false },
  };
}

function completionScript(
  said: RecordedCompletion,
  request: ChatRequest,
  remark: Remark,
): ScriptReply {
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
    ...paceOfRecording(said),
    ...(fault === undefined || isSpoken ? {} : { fault: fault.fault }),
  };
}

function spokenBy(
  scripts: readonly ScriptChoice[],
  fault: CompletionFault | undefined,
): ScriptReply {
  const [only] = scripts;
  if (only !== undefined) return scripts.length === 1 ? only : { choices: scripts };
  // A connection that breaks where nothing was sent breaks before the head, which was there.
  return fault?.fault.kind === "reset" ? { chunks: [{ comment: "" }, { fault: "reset" }] } : {};
}

/** Headers that tell clients what to do about an error. */
const keptHeaders = ["x-should-retry"];

/** The reply of a script that fails as a service did. */
function errorScript(
  answer: RecordedAnswer,
  { value, text }: { readonly value: unknown; readonly text: string },
  remark: Remark,
): ScriptReply {
  const { status, headers } = answer;
  const found = errorIn(value);
  if (found === undefined)
    remark("the error is not in the usual envelope: its text became the message");
  const { message, ...kind }: RecordedError = found ?? { message: text };
  const retryAfterMs = retryAfterOf(headers);
  const named = keptHeaders.flatMap((name): [string, string][] => {
    const header = headers[name];
    return header === undefined ? [] : [[name, header]];
  });
  return {
    error: {
      status,
      message,
      ...withoutUsual(kind, status),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    },
    ...(named.length === 0 ? {} : { headers: Object.fromEntries(named) }),
    ...waitOf(answer.end?.atMs ?? answer.afterMs),
  };
}

/** What a script says without being told is left out. */
function withoutUsual(
  kind: Omit<RecordedError, "message">,
  status: number,
): Omit<RecordedError, "message"> {
  const usual = usualKind(status);
  const { type, param } = kind;
  const { code = null } = kind;
  return {
    ...(type === undefined || type === usual.type ? {} : { type }),
    ...(code === usual.code ? {} : { code }),
    ...(param === undefined ? {} : { param }),
  };
}

/** How long clients are told to wait. A date says nothing later on. */
function retryAfterOf(headers: RecordedAnswer["headers"]): number | undefined {
  const [ms, seconds] = [headers["retry-after-ms"], headers["retry-after"]].map(numberIn);
  return ms ?? (seconds === undefined ? undefined : seconds * 1000);
}

function numberIn(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}(?:\.\d{1,9})?$/.test(text) ? Number(text) : undefined;
}

const counts = ["prompt_tokens", "completion_tokens", "total_tokens"] as const;
const details = ["prompt_tokens_details", "completion_tokens_details"] as const;

/** The usage of an answer, as far as a script can say it. */
export function usageScript(given: unknown, remark: Remark): Pick<ScriptReply, "usage"> {
  const found = asObject(given);
  if (found === undefined) return {};
  const left: string[] = [];
  const usage: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(found)) {
    if (counts.some((name) => name === key) && isCount(value)) usage[key] = value;
    else if (details.some((name) => name === key)) keepDetails(key, value, { usage, left });
    else if (isPresent(value)) left.push(key);
  }
  if (left.length > 0) remark(`left out of its usage: ${left.join(", ")}`);
  return Object.keys(usage).length === 0 ? {} : { usage };
}

function keepDetails(
  key: string,
  value: unknown,
  { usage, left }: { readonly usage: Record<string, unknown>; readonly left: string[] },
): void {
  const entries = Object.entries(asObject(value) ?? {}).filter(([, count]) => isPresent(count));
  const kept = entries.filter(([name, count]) => name !== "" && isCount(count));
  for (const [name, count] of entries) if (!isCount(count)) left.push(`${key}.${name}`);
  if (kept.length > 0) usage[key] = Object.fromEntries(kept);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
