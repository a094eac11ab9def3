import { jsonTextReply, lowerCased, noAnswer, type Reply } from "../../http/reply.ts";
import type { Call } from "../../http/call.ts";
import {
  callsIn,
  type Completion,
  type CompletionChoice,
  lengthOf,
  mayGoWrong,
  type Step,
  textIn,
  type Tempo,
  type Usage,
} from "../completion/completion.ts";
import type { ChatContext } from "../context.ts";
import { chatErrors, errorReply, retryAfter, usualKind } from "../errors.ts";
import {
  decisiveFault,
  drawFaults,
  faultyJson,
  jsonFaults,
  type Draft,
  faultyStream,
  placeFault,
  withFault,
} from "../faults/apply-faults.ts";
import type { ChatRequest } from "../request/chat-request.ts";
import type { Pace, ScriptError } from "../scripts/script.ts";
import { layOut, mergeTimelines, type Timeline } from "./timeline.ts";
import type { EventStream } from "../../http/event-stream.ts";
import { type DraftOptions, StreamDraft } from "./frames.ts";
import { isEmulatorError } from "../../errors/emulator-error.ts";
import { echoCompletion, scriptedCompletion, warnOfScript } from "../completion/compose.ts";
import { drawDelay } from "../delay.ts";
import type { Subject } from "../matching/criteria.ts";
import { describeMisses } from "../matching/explain.ts";
import { type ScriptMatch, ScriptSearch, takeMatch } from "../matching/match-script.ts";
import { rateLimitHeaders } from "../rate-limiter.ts";
import { admitRequest, type AdmittedRequest } from "../request/admit-request.ts";

/** The most characters of all choices: well below a string's limit, escapes and framing included. */
const longestAnswer = 32_000_000;

const streamHeaders = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache",
  "x-accel-buffering": "no",
};

/** A completion as a reply: a stream if the request asks for one, else JSON. Applies its faults. */
function completionReply(
  { stream, includeUsage }: ChatRequest,
  completion: Completion,
  context: ChatContext,
): Reply {
  const length = lengthOf(completion);
  if (length > longestAnswer) return errorReply(chatErrors.answerTooLarge(length, longestAnswer));
  const drawn = mayGoWrong(completion) ? drawFaults(completion, context.random) : completion;
  const { answeredBy } = drawn;
  if (drawn.fault?.kind === "hang") return { ...noAnswer("hang"), answeredBy };
  return stream ? streamReply(drawn, includeUsage, context) : wholeReply(drawn, context);
}

function streamReply(
  completion: Completion,
  includeUsage: boolean,
  { random, speed }: ChatContext,
): Reply {
  const { headers, answeredBy, isMiss } = completion;
  const stream = completionStream(completion, { includeUsage, random, speed });
  const { frames, end } = stream;
  if (end.how === "reset" && frames.length === 0) {
    return { ...noAnswer("reset"), delayMs: end.at, answeredBy };
  }
  return {
    status: 200,
    headers: { ...streamHeaders, ...headers },
    body: { kind: "stream", stream },
    answeredBy,
    fault: mayGoWrong(completion) ? decisiveFault(jsonFaults(completion), end) : undefined,
    isMiss,
  };
}

function wholeReply(completion: Completion, { random, speed }: ChatContext): Reply {
  const { answeredBy, isMiss } = completion;
  const delayMs = speed === 0 ? 0 : completionTime(completion, random) / speed;
  const { status, headers, body } = jsonTextReply(200, bodyOf(completion), completion.headers);
  const reply: Reply = { status, headers, body, delayMs, answeredBy, isMiss };
  return mayGoWrong(completion) ? faultyJson(reply, jsonFaults(completion)) : reply;
}

/** When a JSON reply is complete: when its stream would end. In milliseconds at speed 1. */
function completionTime({ choices, pace, tokenizer }: Completion, random: () => number): number {
  const timed = choices.filter(({ steps }) => takesTime(steps, pace));
  if (timed.length === 0) return 0;
  const lists = new Set(timed.map(({ steps }) => steps));
  const ends = [...lists].map((steps) => layOut(steps, { ...pace, tokenizer }, { random }).end);
  return Math.max(...ends);
}

/** Whether a choice takes any time. If not, its end is known without a timeline. */
function takesTime(steps: readonly Step[], pace: Pace): boolean {
  const { firstTokenMs = 0, gapMs = 0, tokensPerSecond } = pace;
  const waits = steps.some((step) => step.kind === "wait" && step.ms > 0);
  return waits || firstTokenMs !== 0 || gapMs !== 0 || tokensPerSecond !== undefined;
}

/** The body of a JSON reply. Put together from texts, since making one of all takes two microseconds. */
function bodyOf({ id, created, model, choices, usage }: Completion): string {
  const all = choices.map(choiceText).join(",");
  return `{"id":${JSON.stringify(id)},"object":"chat.completion","created":${created},"model":${JSON.stringify(model)},"choices":[${all}],"usage":${JSON.stringify(usage)},"system_fingerprint":null}`;
}

function choiceText(choice: CompletionChoice, index: number): string {
  const { finishReason, logprobs } = choice;
  return `{"index":${index},"message":${messageText(choice)},"logprobs":${JSON.stringify(logprobs)},"finish_reason":${JSON.stringify(finishReason)}}`;
}

/** The messages of steps that other answers have, too. */
const messages = new WeakMap<readonly Step[], string>();

function messageText({ steps, callIds, isFunctionCall, isLasting }: CompletionChoice): string {
  const isShared = isLasting && callIds.length === 0;
  const before = isShared ? messages.get(steps) : undefined;
  if (before !== undefined) return before;
  const calls = callsIn(steps).map(({ index: place, name, arguments: text }) => {
    return { id: callIds[place], type: "function", function: { name, arguments: text } };
  });
  const message = JSON.stringify({
    role: "assistant",
    content: textIn(steps, "content"),
    refusal: textIn(steps, "refusal"),
    reasoning_content: textIn(steps, "reasoning") ?? undefined,
    tool_calls: calls.length > 0 && !isFunctionCall ? calls : undefined,
    function_call: isFunctionCall ? calls[0]?.function : undefined,
  });
  if (isShared) messages.set(steps, message);
  return message;
}

/** What a stream depends on besides the completion. */
interface StreamOptions extends Pick<DraftOptions, "includeUsage" | "speed"> {
  readonly random: () => number;
}

/** A completion as a stream of server-sent events. All its faults happen, whatever their probability. */
function completionStream(completion: Completion, options: StreamOptions): EventStream {
  const { fault, usage } = completion;
  const drafted = draftOf(completion, options);
  const { faults } = drafted;
  const frames = options.includeUsage ? withUsage(drafted.frames, usage) : drafted.frames;
  const head = chunkHead(completion);
  if (fault === undefined && faults.length === 0) {
    return { frames, head, end: { how: "close", at: frames.at(-1)?.at ?? 0 } };
  }
  const all = fault === undefined ? faults : [placeFault(fault, frames), ...faults];
  return { ...faultyStream(frames, all), head };
}

/** The head of each chunk of a completion. The rest may be shared with other completions. */
function chunkHead({ id, created, model }: Completion): string {
  const common = { id, object: "chat.completion.chunk", created, model, system_fingerprint: null };
  return `data: ${JSON.stringify(common).slice(0, -1)},"choices":[`;
}

/** The usage is in a chunk without choices, between the last one and `[DONE]`. */
function withUsage(frames: readonly Draft[], usage: Usage): readonly Draft[] {
  const at = frames.at(-1)?.at ?? 0;
  const data = `],"usage":${JSON.stringify(usage)}}\n\n`;
  return frames.toSpliced(-1, 0, { kind: "chunk", at, data, isHeaded: true });
}

/** The frames of a stream, with its faults. */
type DraftedStream = Pick<StreamDraft, "frames" | "faults">;

/** Frames that are shared with other streams of the same steps and options. */
interface SharedStream extends DraftedStream, Pick<DraftOptions, "includeUsage" | "speed"> {
  readonly pace: Tempo;
}

/**
 * The last frames per list of steps. Streams of one script share them, since only their heads differ: 2,000
 * concurrent streams take 1.0 to 1.1 times a bare server's CPU with shared frames, 1.2 to 1.3 times without.
 */
const shared = new WeakMap<readonly Step[], SharedStream>();

/** Longer streams are made again each time, which costs less than the memory to keep them. */
const mostShared = 1_000;

/** The most pieces of a text, over all choices: each is an event of some 200 bytes. */
const mostPieces = 65_536;

function draftOf(completion: Completion, options: StreamOptions): DraftedStream {
  const { choices, pace, tokenizer } = completion;
  const { includeUsage, speed, random } = options;
  const tempo = { ...pace, tokenizer };
  const only = onlyLasting(choices, tempo);
  const before = only === undefined ? undefined : shared.get(only.steps);
  if (
    before?.includeUsage === includeUsage &&
    before.speed === speed &&
    isSameTempo(before.pace, tempo)
  ) {
    return before;
  }
  const timelines = timelinesOf(choices, tempo, random);
  const isShared = only !== undefined && (timelines[0]?.pieces.length ?? 0) <= mostShared;
  const draft = new StreamDraft(choices, { includeUsage, speed, isShared, timelines });
  for (const { at, index, piece } of mergeTimelines(timelines)) draft.add(at, index, piece);
  draft.finish(Math.max(...timelines.map(({ end }) => end)));
  const { frames, faults } = draft;
  if (isShared) shared.set(only.steps, { frames, faults, pace: tempo, includeUsage, speed });
  return { frames, faults };
}

/** The only choice of a stream, if others will have the same text at the same times, ids included. */
function onlyLasting(
  choices: readonly CompletionChoice[],
  { jitter = 0, firstTokenMs, gapMs }: Tempo,
): CompletionChoice | undefined {
  const [only] = choices;
  const isDrawn = jitter !== 0 || typeof firstTokenMs === "object" || typeof gapMs === "object";
  if (only === undefined || choices.length > 1 || isDrawn) return undefined;
  return only.callIds.length === 0 && only.isLasting ? only : undefined;
}

function isSameTempo(left: Tempo, right: Tempo): boolean {
  return (
    left.by === right.by &&
    left.gapMs === right.gapMs &&
    left.firstTokenMs === right.firstTokenMs &&
    left.tokensPerSecond === right.tokensPerSecond &&
    left.tokenizer === right.tokenizer
  );
}

/** The timeline of each choice. Choices with the same steps share it. */
function timelinesOf(
  choices: readonly CompletionChoice[],
  tempo: Tempo,
  random: () => number,
): readonly Timeline[] {
  const most = Math.max(1, Math.floor(mostPieces / choices.length));
  const known = new Map<readonly Step[], Timeline>();
  return choices.map(({ steps }) => {
    const timeline = known.get(steps) ?? layOut(steps, tempo, { random, mostPieces: most });
    known.set(steps, timeline);
    return timeline;
  });
}

/** Answers `POST /chat/completions` in this order: request, limits, load, script, completion, wire. */
export async function completeChat(call: Call, context: ChatContext): Promise<Reply> {
  const admitted = await admitRequest(call, context);
  return admitted.ok
    ? answerLimited(admitted.value, call.headers, context)
    : errorReply(admitted.error, context.profile);
}

async function answerLimited(
  admitted: AdmittedRequest,
  headers: Subject["headers"],
  context: ChatContext,
): Promise<Reply> {
  const { model, promptTokens, request } = admitted;
  const subject: Subject = { request, headers };
  const { limiter, clockStands } = context;
  const answer = context.load === undefined ? answerNow : answerInTurn;
  if (!limiter?.isActive) return answer(admitted, subject, context);
  const refusal = limiter.take(promptTokens, context.now());
  const reply =
    refusal === undefined
      ? await answer(admitted, subject, context)
      : errorReply(chatErrors.rateLimited({ ...refusal, model, clockStands }));
  const all = { ...rateLimitHeaders(limiter.states(context.now())), ...reply.headers };
  return { ...reply, headers: all };
}

/** Waits for a place among the chats that run, and takes longer the more of them there are. */
async function answerInTurn(
  admitted: AdmittedRequest,
  subject: Subject,
  context: ChatContext,
): Promise<Reply> {
  const { refusal, factor = 1 } = (await context.load?.(admitted.request.model)) ?? {};
  if (refusal !== undefined) return errorReply(chatErrors.overCapacity(refusal));
  return answerNow(admitted, subject, { ...context, speed: context.speed / factor });
}

async function answerNow(
  admitted: AdmittedRequest,
  subject: Subject,
  context: ChatContext,
): Promise<Reply> {
  const { scripts } = context;
  const search = new ScriptSearch(scripts.list());
  const match = takeMatch(scripts, subject, search);
  if (match !== undefined) return answerMatch(admitted, match, context);
  if (context.unmatched === "error") return noScriptMatched(subject, search);
  return deliver(admitted, await echoCompletion(admitted, search, context), context);
}

async function answerMatch(
  admitted: AdmittedRequest,
  match: ScriptMatch,
  context: ChatContext,
): Promise<Reply> {
  const { script, reply } = match;
  if (reply.error !== undefined) {
    const answered = scriptedError(match, reply.error, context);
    return withFault(answered, reply.fault, context.random);
  }
  try {
    const completion = await scriptedCompletion(admitted, match, context);
    warnOfScript(script.name, admitted.request, completion, context);
    return deliver(admitted, completion, context);
  } catch (error) {
    if (!isEmulatorError(error)) throw error;
    return errorReply(chatErrors.templateFailed(script.name, error.message));
  }
}

/** Sends a completion and counts its tokens against the limits. */
function deliver(admitted: AdmittedRequest, completion: Completion, context: ChatContext): Reply {
  const { limiter } = context;
  if (limiter?.isActive) limiter.spendTokens(completion.usage.completion_tokens, context.now());
  return completionReply(admitted.request, completion, context);
}

function noScriptMatched(subject: Subject, search: ScriptSearch): Reply {
  search.noteRefusal();
  return errorReply(
    chatErrors.noScriptMatched(describeMisses(search.missesOf(subject), search.isEmpty), search),
  );
}

/** Answers with a script's error, after the `firstTokenMs` of its pace. */
function scriptedError(
  match: ScriptMatch,
  error: ScriptError,
  { speed, random }: ChatContext,
): Reply {
  const { reply, search } = match;
  const usual = usualKind(error.status);
  const { retryAfterMs } = error;
  const retry = retryAfterMs === undefined ? {} : retryAfter(retryAfterMs);
  const failed = errorReply({
    status: error.status,
    message: error.message,
    type: error.type ?? usual.type,
    code: error.code === undefined ? usual.code : error.code,
    param: error.param ?? null,
    headers: { ...retry, ...lowerCased(reply.headers) },
    answeredBy: search,
  });
  const wait = drawDelay(reply.pace?.firstTokenMs ?? 0, random);
  return { ...failed, delayMs: speed === 0 ? 0 : wait / speed };
}
