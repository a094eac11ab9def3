import { isEmulatorError } from "../errors/emulator-error.ts";
import type { Call } from "../http/call.ts";
import type { EventStream } from "../http/event-stream.ts";
import { jsonReply, jsonTextReply, noAnswer, type Reply } from "../http/reply.ts";
import {
  echoCompletion,
  renderFault,
  scriptedCompletion,
  warnOfScript,
} from "./completion/compose.ts";
import { type Completion, lengthOf, mayGoWrong, type Step } from "./completion/completion.ts";
import {
  renderHeaders,
  type ReplyTemplates,
  replyTemplates,
} from "./completion/reply-templates.ts";
import type { ChatContext } from "./context.ts";
import { drawDelay } from "./delay.ts";
import { chatErrors, errorReply, retryAfter, usualKind, usualMessage } from "./errors.ts";
import {
  atSpeed,
  decisiveFault,
  drawFaults,
  endsEarly,
  faultyJson,
  faultyStream,
  jsonFaults,
  placeFault,
  withFault,
} from "./faults/apply-faults.ts";
import type { Subject } from "./matching/criteria.ts";
import { describeMisses } from "./matching/explain.ts";
import { type ScriptMatch, ScriptSearch, takeMatch } from "./matching/match-script.ts";
import { type RateLimiter, rateLimitHeaders } from "./rate-limiter.ts";
import type { AdmittedRequest } from "./request/admit-request.ts";
import type { Fault, Pace } from "./scripts/script.ts";
import { completionsWire } from "./wire/completions-wire.ts";
import { layOut } from "./wire/timeline.ts";
import type { Wire, WireAnswer } from "./wire/wire.ts";

/**
 * The most characters of all choices together. With escapes and framing, the answer stays well below the longest
 * string.
 */
const longestAnswer = 32_000_000;

const streamHeaders = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache",
  "x-accel-buffering": "no",
};

/** Answers a request to a model in this order: request, limits, load, script, completion, wire. */
export async function completeChat(
  call: Call,
  context: ChatContext,
  wire: Wire = completionsWire,
): Promise<Reply> {
  const received = await wire.admit(call, context);
  if (!received.ok) return errorReply(received.error, context.profile);
  const admitted = received.value;
  const subject: Subject = { request: admitted.request, headers: call.headers };
  const { limiter, load } = context;
  const answer = (): Promise<Reply> =>
    load === undefined
      ? answerNow(admitted, subject, context, wire)
      : answerInTurn(admitted, subject, context, wire);
  return limiter?.isActive ? answerLimited(admitted, answer, limiter, context) : answer();
}

/** Answers a request if the rate limits let it pass. The reply's headers say what is left of the limits. */
async function answerLimited(
  { model, promptTokens }: AdmittedRequest,
  answer: () => Promise<Reply>,
  limiter: RateLimiter,
  { now, clockStands }: ChatContext,
): Promise<Reply> {
  const refusal = limiter.take(promptTokens, now());
  const reply =
    refusal === undefined
      ? await answer()
      : errorReply(chatErrors.rateLimited({ ...refusal, model, clockStands }));
  const all = { ...rateLimitHeaders(limiter.states(now())), ...reply.headers };
  return { ...reply, headers: all };
}

/** Waits for a place among the chats that run, and answers more slowly the more of them there are. */
async function answerInTurn(
  admitted: AdmittedRequest,
  subject: Subject,
  context: ChatContext,
  wire: Wire,
): Promise<Reply> {
  const { refusal, factor = 1 } = (await context.load?.(admitted.request.model)) ?? {};
  if (refusal !== undefined) return errorReply(chatErrors.overCapacity(refusal));
  return answerNow(admitted, subject, { ...context, speed: context.speed / factor }, wire);
}

async function answerNow(
  admitted: AdmittedRequest,
  subject: Subject,
  context: ChatContext,
  wire: Wire,
): Promise<Reply> {
  const { scripts } = context;
  const search = new ScriptSearch(scripts.list(), admitted.readAgain);
  const match = takeMatch(scripts, subject, search);
  if (match !== undefined) {
    const templates = replyTemplates(subject, match.groups, context);
    return answerMatch({ admitted, match, templates }, context, wire);
  }
  if (context.unmatched === "error") return noScriptMatched(subject, search);
  return deliver(admitted, await echoCompletion(admitted, search, context), context, wire);
}

/** A request, the script that answers it, and the templates of the reply. */
interface MatchedRequest {
  readonly admitted: AdmittedRequest;
  readonly match: ScriptMatch;
  readonly templates: ReplyTemplates;
}

async function answerMatch(
  { admitted, match, templates }: MatchedRequest,
  context: ChatContext,
  wire: Wire,
): Promise<Reply> {
  const { script, reply } = match;
  try {
    if (reply.error !== undefined || reply.body !== undefined) {
      const answered = await scriptedAnswer({ admitted, match, templates });
      const fault = reply.fault && (await renderFault(reply.fault, templates));
      return brokenAnswer(answered, { pace: reply.pace, fault }, context, wire);
    }
    const completion = await scriptedCompletion(admitted, match, templates, context);
    warnOfScript(script.name, admitted.request, completion, context);
    return deliver(admitted, completion, context, wire);
  } catch (error) {
    if (!isEmulatorError(error)) throw error;
    return errorReply(chatErrors.templateFailed(script.name, error.message));
  }
}

/** Sends a completion and counts its tokens against the limits. */
function deliver(
  admitted: AdmittedRequest,
  completion: Completion,
  context: ChatContext,
  wire: Wire,
): Reply {
  const { limiter } = context;
  if (limiter?.isActive) limiter.spendTokens(completion.usage.completion_tokens, context.now());
  return completionReply({ admitted, completion }, wire, context);
}

function noScriptMatched(subject: Subject, search: ScriptSearch): Reply {
  search.noteRefusal();
  return errorReply(
    chatErrors.noScriptMatched(describeMisses(search.missesOf(subject), search.isEmpty), search),
  );
}

/** The answer of a script that gives an error, or its own JSON in place of a reply. */
async function scriptedAnswer({ admitted, match, templates }: MatchedRequest): Promise<Reply> {
  const { reply, search } = match;
  const headers = await renderHeaders(reply.headers, templates);
  const { error, body, status = 200 } = reply;
  if (error === undefined) return { ...jsonReply(status, body, headers), answeredBy: search };
  const usual = usualKind(error.status);
  const { retryAfterMs } = error;
  const retry = retryAfterMs === undefined ? {} : retryAfter(retryAfterMs);
  return errorReply({
    status: error.status,
    message:
      error.message === undefined
        ? usualMessage(error.status, { model: admitted.model, waitMs: retryAfterMs })
        : await templates.render(error.message),
    type: error.type ?? usual.type,
    code: error.code === undefined ? usual.code : error.code,
    param: error.param ?? null,
    extra: error.extra,
    headers: { ...retry, ...headers },
    answeredBy: search,
  });
}

/** An answer that is JSON even for streams, at the time of its script's pace and with its script's fault. */
function brokenAnswer(
  answered: Reply,
  { pace = {}, fault }: { readonly pace: Pace | undefined; readonly fault: Fault | undefined },
  { speed, random }: ChatContext,
  wire: Wire,
): Reply {
  const headMs = atSpeedOf(drawDelay(pace.headersMs ?? 0, random), speed);
  const delayMs = headMs + atSpeedOf(drawDelay(pace.firstTokenMs ?? 0, random), speed);
  return withFault({ ...answered, delayMs }, fault, { random, headMs, speed }, wire.faults);
}

/** A time in milliseconds, divided by the speed. At speed 0 nothing waits. */
function atSpeedOf(ms: number, speed: number): number {
  return speed === 0 ? 0 : ms / speed;
}

/** A completion as a reply: a stream if the request asks for one, else JSON. Applies its faults. */
function completionReply(answer: WireAnswer, wire: Wire, context: ChatContext): Reply {
  const { admitted, completion } = answer;
  const length = lengthOf(completion);
  if (length > longestAnswer) return errorReply(chatErrors.answerTooLarge(length, longestAnswer));
  const drawn = mayGoWrong(completion) ? drawFaults(completion, context.random) : completion;
  const { answeredBy } = drawn;
  if (drawn.fault?.kind === "hang") return { ...noAnswer("hang"), answeredBy };
  const broken = { admitted, completion: drawn };
  return admitted.request.stream
    ? streamReply(broken, wire, context)
    : wholeReply(broken, wire, context);
}

function streamReply(answer: WireAnswer, wire: Wire, context: ChatContext): Reply {
  const { completion } = answer;
  const { headers, answeredBy, isMiss } = completion;
  const headMs = headTime(completion, context);
  const stream = streamOf(answer, wire, context);
  const { frames, end } = stream;
  if (end.how === "reset" && frames.length === 0) {
    return { ...noAnswer("reset"), delayMs: headMs + end.at, answeredBy };
  }
  return {
    status: 200,
    headers: { ...streamHeaders, ...headers },
    body: { kind: "stream", stream },
    ...(headMs === 0 ? {} : { delayMs: headMs }),
    answeredBy,
    fault: mayGoWrong(completion) ? decisiveFault(jsonFaults(completion), end) : undefined,
    isMiss,
  };
}

/** How long the head of an answer waits. */
function headTime({ pace }: Completion, { random, speed }: ChatContext): number {
  return atSpeedOf(drawDelay(pace.headersMs ?? 0, random), speed);
}

/** A completion as a stream of server-sent events. All its faults happen, whatever their probability. */
function streamOf(answer: WireAnswer, wire: Wire, context: ChatContext): EventStream {
  const { fault } = answer.completion;
  const { speed } = context;
  // The frames before `afterMs` must be the same at any speed, so they are drafted at speed 1.
  const isTimed = fault?.afterMs !== undefined;
  const pacing = isTimed ? { ...context, speed: 1 } : context;
  const { frames, faults, head, keep } = wire.draftStream(answer, pacing);
  const named = head === undefined ? {} : { head };
  if (fault === undefined && faults.length === 0) {
    keep?.();
    return { frames, ...named, end: { how: "close", at: frames.at(-1)?.at ?? 0 } };
  }
  const all = fault === undefined ? faults : [placeFault(fault, frames), ...faults];
  const faulty = faultyStream(frames, all, wire.faults);
  const broken = isTimed ? atSpeed(faulty, speed) : faulty;
  if (broken.end.fault === undefined) keep?.();
  return { ...broken, ...named };
}

function wholeReply(answer: WireAnswer, wire: Wire, context: ChatContext): Reply {
  const { completion } = answer;
  const { answeredBy, isMiss } = completion;
  const { random, speed } = context;
  const headMs = headTime(completion, context);
  const delayMs = headMs + atSpeedOf(completionTime(completion, random), speed);
  const { text, keep } = wire.answerWhole(answer, context);
  const { status, headers, body } = jsonTextReply(200, text, completion.headers);
  const reply: Reply = { status, headers, body, delayMs, answeredBy, isMiss };
  if (!mayGoWrong(completion)) {
    keep?.();
    return reply;
  }
  const faults = jsonFaults(completion);
  if (!faults.some(endsEarly)) keep?.();
  return faultyJson(reply, faults, wire.faults, { headMs, speed });
}

/** The time at which a JSON reply is sent, which is when its stream would end, in milliseconds at speed 1. */
function completionTime({ choices, pace, tokenizer }: Completion, random: () => number): number {
  const timed = choices.filter(({ steps }) => takesTime(steps, pace));
  if (timed.length === 0) return 0;
  const lists = new Set(timed.map(({ steps }) => steps));
  const ends = [...lists].map((steps) => layOut(steps, { ...pace, tokenizer }, { random }).end);
  return Math.max(...ends);
}

/** Whether a choice takes any time. One that takes none needs no timeline. */
function takesTime(steps: readonly Step[], pace: Pace): boolean {
  const { firstTokenMs = 0, gapMs = 0, tokensPerSecond } = pace;
  const waits = steps.some((step) => step.kind === "wait" && step.ms > 0);
  return waits || firstTokenMs !== 0 || gapMs !== 0 || tokensPerSecond !== undefined;
}
