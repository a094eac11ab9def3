import { isEmulatorError } from "../errors/emulator-error.ts";
import type { Call } from "../http/call.ts";
import { withEngine } from "../regex/expression.ts";
import type { Reply } from "../http/reply.ts";
import { echoCompletion, lowerCased, scriptedCompletion } from "./completion/compose.ts";
import type { Completion } from "./completion/completion.ts";
import type { ChatContext } from "./context.ts";
import { drawDelay } from "./delay.ts";
import { chatErrors, errorReply, retryAfter, usualKind } from "./errors.ts";
import { withFault } from "./faults/apply-faults.ts";
import type { Subject } from "./matching/criteria.ts";
import { describeMisses } from "./matching/explain.ts";
import { type ScriptMatch, ScriptSearch, takeMatch } from "./matching/match-script.ts";
import { rateLimitHeaders } from "./rate-limiter.ts";
import { admitRequest, type AdmittedRequest } from "./request/admit-request.ts";
import type { ScriptError } from "./scripts/script.ts";
import { completionReply } from "./wire/completion-reply.ts";

/** Answers `POST /chat/completions` in this order: request, limits, load, script, completion, wire. */
export async function completeChat(call: Call, context: ChatContext): Promise<Reply> {
  const admitted = await admitRequest(call, context);
  if (!admitted.ok) return errorReply(admitted.error, context.profile);
  const subject: Subject = { request: admitted.value.request, headers: call.headers };
  const { limiter } = context;
  const answer = context.load === undefined ? answerNow : answerInTurn;
  if (!limiter?.isActive) return await answer(admitted.value, subject, context);
  const { model, promptTokens } = admitted.value;
  const { clockStands } = context;
  const refusal = limiter.take(promptTokens, context.now());
  const reply =
    refusal === undefined
      ? await answer(admitted.value, subject, context)
      : errorReply(chatErrors.rateLimited({ ...refusal, model, clockStands }));
  const headers = { ...rateLimitHeaders(limiter.states(context.now())), ...reply.headers };
  return { ...reply, headers };
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
  const found = withEngine(() => {
    const search = new ScriptSearch(scripts.layers);
    return { search, match: takeMatch(scripts, subject, search) };
  });
  const { search, match } = found instanceof Promise ? await found : found;
  if (match === undefined) {
    return context.unmatched === "error"
      ? noScriptMatched(subject, search)
      : deliver(admitted, echoCompletion(admitted, search, context), context);
  }
  const { script, reply } = match;
  if (reply.error !== undefined) {
    const answered = scriptedError(match, reply.error, context);
    return withFault(answered, reply.fault, context.random);
  }
  try {
    return deliver(admitted, await scriptedCompletion(admitted, match, context), context);
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
