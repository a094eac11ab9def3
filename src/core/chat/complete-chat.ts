import { isEmulatorError } from "../errors/emulator-error.ts";
import type { Call } from "../http/call.ts";
import { andThen, isPromise, type MaybePromise } from "../http/maybe-promise.ts";
import type { Reply } from "../http/reply.ts";
import { admitRequest } from "./request/admit-request.ts";
import type { Completion } from "./completion/completion.ts";
import { completionReply } from "./wire/completion-reply.ts";
import type { Asked } from "./request/asked.ts";
import { composeEcho, composeScripted } from "./completion/compose.ts";
import type { ChatContext } from "./context.ts";
import type { Subject } from "./matching/criteria.ts";
import { type ChatError, chatErrors, errorReply } from "./errors.ts";
import { describeMisses, nameClosest } from "./matching/explain.ts";
import { explainMisses, type ScriptMatch, takeMatch } from "./matching/match-script.ts";
import { ScriptSearch } from "./matching/script-search.ts";
import { withFault } from "./wire/faulty-json.ts";
import { rateLimitHeaders } from "./limits/rate-limit-headers.ts";
import type { RateLimiter } from "./limits/rate-limiter.ts";
import { scriptedError } from "./wire/scripted-error.ts";

/** Answers `POST /chat/completions`, in this order: request, limits, script, completion, wire. */
export function completeChat(call: Call, context: ChatContext): MaybePromise<Reply> {
  return admitRequest(call, context, (admitted) => {
    if (!admitted.ok) return errorReply(admitted.error);
    const subject: Subject = { request: admitted.value.request, headers: call.headers };
    return answerWithinLimits(admitted.value, subject, context);
  });
}

function answerWithinLimits(
  asked: Asked,
  subject: Subject,
  context: ChatContext,
): MaybePromise<Reply> {
  const { limiter } = context;
  if (limiter === undefined || !limiter.isActive) return answer(asked, subject, context);
  const tooMuch = limitRequest(asked, limiter, context);
  const answered = tooMuch === undefined ? answer(asked, subject, context) : errorReply(tooMuch);
  return andThen(answered, (reply) => {
    const headers = { ...rateLimitHeaders(limiter.states(context.now())), ...reply.headers };
    return { ...reply, headers };
  });
}

/** Counts a request against the limits, or says which it goes beyond. */
function limitRequest(
  asked: Asked,
  limiter: RateLimiter,
  { now, clockStands = false }: ChatContext,
): ChatError | undefined {
  const refusal = limiter.take(asked.prompt.tokens, now());
  if (refusal === undefined) return undefined;
  const { remaining, ...reached } = refusal;
  return chatErrors.rateLimited({
    ...reached,
    clockStands,
    model: asked.model,
    used: reached.limit - remaining,
  });
}

function answer(asked: Asked, subject: Subject, context: ChatContext): MaybePromise<Reply> {
  const search = new ScriptSearch(context.scripts.layers);
  const match = takeMatch(context.scripts, subject, search);
  if (match !== undefined) return answerScripted(asked, match, context);
  if (context.unmatched === "error") return noScriptMatched(subject, search, context);
  return deliver(asked, composeEcho(asked, search, context), context);
}

/** Sends a completion, whose tokens count against the limits. */
function deliver(asked: Asked, completion: Completion, context: ChatContext): Reply {
  context.limiter?.spendTokens(completion.usage.completion_tokens, context.now());
  return completionReply(asked, completion, context);
}

function answerScripted(
  asked: Asked,
  match: ScriptMatch,
  context: ChatContext,
): MaybePromise<Reply> {
  const { script, reply } = match;
  if (reply.error !== undefined) {
    const answered = scriptedError(match, reply.error, context.speed);
    return withFault(answered, reply.fault, context.random);
  }
  const completion = composeScripted(asked, match, context);
  if (!isPromise(completion)) return deliver(asked, completion, context);
  const fail = (error: unknown): Reply => {
    if (!isEmulatorError(error)) throw error;
    return errorReply(chatErrors.templateFailed(script.name, error.message));
  };
  return completion.then((rendered) => deliver(asked, rendered, context), fail);
}

function noScriptMatched(subject: Subject, search: ScriptSearch, context: ChatContext): Reply {
  const misses = explainMisses(context.scripts, subject);
  const closest = nameClosest(misses);
  search.noteRemark(closest === undefined ? "no script" : `no script (closest: ${closest})`);
  return errorReply(chatErrors.noScriptMatched(describeMisses(misses), search));
}
