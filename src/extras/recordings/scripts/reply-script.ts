import { usualKind } from "../../../core/chat/errors.ts";
import type { ChatRequest } from "../../../core/chat/request/chat-request.ts";
import type { ChunkFault, Fault, ScriptReply } from "../../../core/chat/scripts/script.ts";
import { counted } from "../../../core/errors/show.ts";
import type { RecordedAnswer } from "../../../core/recordings/cassette.ts";
import {
  asObject,
  defined,
  isPresent,
  type JsonObject,
  type JsonValue,
  parseJson,
} from "../../../core/schema/json.ts";
import { brokenChoiceScript, choiceScript, literalText } from "./choice-script.ts";
import {
  errorIn,
  readCompletion,
  type RecordedChoice,
  type RecordedCompletion,
  type Remark,
  textIn,
} from "./read-completion.ts";
import { cutText, type PieceSize } from "../../../core/chat/tokens/pieces.ts";

/**
 * The reply of a script that answers as a service did. If a script cannot do that, reports why and returns undefined.
 */
export function replyScript(
  answer: RecordedAnswer,
  request: ChatRequest,
  remark: Remark,
): ScriptReply | undefined {
  const { status, end, afterMs } = answer;
  if (status === 0 && end?.how === "hang") return { fault: { kind: "hang" } };
  if (status === 0) return { fault: { kind: "reset" }, ...paceFrom(end?.atMs ?? afterMs) };
  if (status >= 400 && status <= 599) return errorScript(answer, remark);
  const completion = status === 200 ? readCompletion(answer, remark) : undefined;
  if (completion !== undefined) return completionScript(completion, request, remark);
  const whole = bodyScript(answer);
  if (whole === undefined) {
    const why =
      status === 200 ? "the answer is not a completion of a chat" : `it was answered ${status}`;
    remark(`${why}, and its body is not JSON, so no script can send it`);
  }
  return whole;
}

/** The statuses that scripts send with a body. */
function hasBody(status: number): boolean {
  return status >= 200 && status <= 599 && ![204, 205, 304].includes(status);
}

/** The reply of a script that sends the JSON of an answer that is no completion; undefined if the answer is no JSON. */
function bodyScript(answer: RecordedAnswer): ScriptReply | undefined {
  const { status, end, afterMs } = answer;
  const body = parseJson(textIn(answer));
  if (body === undefined || !hasBody(status)) return undefined;
  // The cast is safe, since the value was parsed from JSON.
  const said = { body: body as JsonValue, ...(status === 200 ? {} : { status }) };
  return { ...said, ...paceFrom(end?.atMs ?? afterMs) };
}

function completionScript(
  completion: RecordedCompletion,
  request: ChatRequest,
  remark: Remark,
): ScriptReply {
  const { model, choices, fault } = completion;
  const wantsLogprobs = request.options["logprobs"] === true;
  const isBroken = fault?.isAtEnd === true;
  const scripts = choices.map((choice, index) =>
    isBroken
      ? brokenChoiceScript(
          choice,
          index === choices.length - 1 ? chunkFault(fault.fault) : undefined,
          remark,
        )
      : choiceScript(choice, wantsLogprobs, remark),
  );
  if (choices.length !== request.n && choices.length > 0) {
    remark(
      `${counted(request.n, "choice")} ${request.n === 1 ? "was" : "were"} asked for and ${choices.length} came: a script sends as many as are asked for`,
    );
  }
  const [only] = scripts;
  // The comment is sent right after the head, so that the answer breaks off after its head.
  const breaksSilently = only === undefined && isBroken && fault.fault.kind === "reset";
  const isAmongChunks = isBroken && only !== undefined;
  return {
    ...(scripts.length > 1 ? { choices: scripts } : only),
    ...(breaksSilently ? { chunks: [{ comment: "" }, { fault: "reset" }] } : {}),
    ...defined({ model: model === "" || model === request.model ? undefined : model }),
    ...usageScript(completion.usage, remark),
    ...paceOfRecording(completion),
    ...(fault === undefined || isAmongChunks || breaksSilently
      ? {}
      : { fault: literalFault(fault.fault) }),
  };
}

/** The fault of a whole reply, converted to a fault among chunks. */
function chunkFault(fault: Fault): ChunkFault {
  const { kind, error } = literalFault(fault);
  // A hang concerns a whole reply, before its first chunk. Among chunks it is called a stall.
  if (kind === "hang") return "stall";
  return error === undefined ? kind : { kind, error };
}

function literalFault(fault: Fault): Fault {
  const { error } = fault;
  if (error === undefined) return fault;
  return { ...fault, error: { ...error, message: literalText(error.message) } };
}

/** The reply of a script that fails as a service did. Values that a script sends by default are left out. */
function errorScript(answer: RecordedAnswer, remark: Remark): ScriptReply {
  const { status, headers } = answer;
  const text = textIn(answer);
  const found = errorIn(parseJson(text));
  if (found === undefined) {
    const whole = bodyScript(answer);
    if (whole !== undefined) return whole;
    remark("the error is not in the usual envelope: its text became the message");
  }
  const { extra, unsaid } = moreOf(asObject(parseJson(text)) ?? {});
  if (unsaid.length > 0) remark(`left out of its error: ${unsaid.join(", ")}`);
  const { message, type, code = null, param } = found ?? { message: text };
  const usual = usualKind(status);
  const shouldRetry = headers["x-should-retry"];
  return {
    error: defined({
      status,
      message: literalText(message),
      type: type === usual.type ? undefined : type,
      code: code === usual.code ? undefined : code,
      param,
      extra,
      retryAfterMs: retryAfterOf(headers),
    }),
    ...(shouldRetry === undefined ? {} : { headers: { "x-should-retry": shouldRetry } }),
    ...paceFrom(answer.end?.atMs ?? answer.afterMs),
  };
}

/** The keys of an error beside message, type, code and parameter, and the places that scripts cannot send. */
function moreOf({ error, ...beside }: JsonObject): {
  readonly extra: Readonly<Record<string, JsonValue>> | undefined;
  readonly unsaid: readonly string[];
} {
  const { message: _, type, code, param, ...more } = asObject(error) ?? {};
  const odd = Object.entries({ type, code, param }).filter(
    ([, value]) => isPresent(value) && typeof value !== "string",
  );
  // The cast is safe, since the value was parsed from JSON.
  const extra = { ...Object.fromEntries(odd), ...more } as Record<string, JsonValue>;
  const unsaid = [
    ...(typeof error === "string" ? ["the text in error"] : []),
    ...Object.keys(beside),
  ];
  return { extra: Object.keys(extra).length === 0 ? undefined : extra, unsaid };
}

/** How long the client was told to wait. A date is left out, since it will be in the past. */
function retryAfterOf(headers: RecordedAnswer["headers"]): number | undefined {
  const [ms, seconds] = [headers["retry-after-ms"], headers["retry-after"]].map((text = "") =>
    /^\d{1,9}(?:\.\d{1,9})?$/.test(text) ? Number(text) : undefined,
  );
  return ms ?? (seconds === undefined ? undefined : seconds * 1000);
}

const counts = ["prompt_tokens", "completion_tokens", "total_tokens"] as const;
const details = ["prompt_tokens_details", "completion_tokens_details"] as const;

/** The usage of an answer, as far as a script can express it. */
export function usageScript(given: unknown, remark: Remark): Pick<ScriptReply, "usage"> {
  const found = asObject(given);
  if (found === undefined) return {};
  const left: string[] = [];
  const usage: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(found)) {
    if (counts.some((name) => name === key) && isCount(value)) usage[key] = value;
    else if (details.some((name) => name === key)) {
      const told = Object.entries(asObject(value) ?? {}).filter(([, count]) => isPresent(count));
      const kept = told.filter(([name, count]) => name !== "" && isCount(count));
      left.push(...told.flatMap(([name, count]) => (isCount(count) ? [] : [`${key}.${name}`])));
      if (kept.length > 0) usage[key] = Object.fromEntries(kept);
    } else if (isPresent(value)) left.push(key);
  }
  if (left.length > 0) remark(`left out of its usage: ${left.join(", ")}`);
  return Object.keys(usage).length === 0 ? {} : { usage };
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** The pace of an answer: when it began, and the time between its pieces. */
function paceOfRecording(answer: RecordedCompletion): Pick<ScriptReply, "pace"> {
  const { first, last, choices, fault } = answer;
  const [longest] = choices.toSorted((left, right) => right.deltas.length - left.deltas.length);
  if (longest === undefined) return paceFrom(first);
  const by = sizeOf(longest);
  // A broken answer is replayed as chunks, one for each piece that arrived.
  const pieces = fault?.isAtEnd === true ? longest.deltas.length : countPieces(longest, by);
  return pieces > 1 ? paceFrom(first, (last - first) / (pieces - 1), by) : paceFrom(first);
}

/** A pace. Without a gap, it is that of an answer that arrived as a whole. */
function paceFrom(first: number, gap: number = 0, by?: PieceSize): Pick<ScriptReply, "pace"> {
  const pace = defined({
    firstTokenMs: positive(Math.round(first)),
    // Rounded to two digits: over a thousand pieces, the error is 5 ms.
    gapMs: positive(Math.round(gap * 100) / 100),
    by: by === "token" ? undefined : by,
  });
  return Object.keys(pace).length === 0 ? {} : { pace };
}

function positive(ms: number): number | undefined {
  return ms > 0 ? ms : undefined;
}

/** The size of pieces that the service used, if one of the usual sizes gives the same pieces. */
function sizeOf({ texts: { content = "" }, deltas }: RecordedChoice): PieceSize | undefined {
  const pieces = deltas.flatMap((delta) => (delta.kind === "content" ? [delta.text] : []));
  if (pieces.length < 2) return undefined;
  const sizes: readonly PieceSize[] = ["token", "word", "character", pieces[0]?.length ?? 1];
  return sizes.find((size) => {
    const cut = cutText(content, size);
    return cut.length === pieces.length && cut.every((piece, index) => piece === pieces[index]);
  });
}

/** The number of pieces in the script's answer, with this size. */
function countPieces({ texts, calls }: RecordedChoice, by: PieceSize = "token"): number {
  const all = [...Object.values(texts), ...calls.map((call) => call.arguments)];
  return all.reduce((sum, text) => sum + cutText(text, by).length, calls.length);
}
