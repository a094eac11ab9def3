import { isEmulatorError } from "../errors/emulator-error.ts";
import type { Call, CallHeaders } from "../http/call.ts";
import type { Reply } from "../http/reply.ts";
import { admitRequest } from "./admit-request.ts";
import type { Completion } from "./completion.ts";
import { completionReply } from "./completion-reply.ts";
import { type Asked, composeEcho, composeScripted } from "./compose.ts";
import type { ChatContext } from "./context.ts";
import type { Subject } from "./criteria.ts";
import { type ChatError, chatErrors, errorReply } from "./errors.ts";
import { describeMisses, nameClosest } from "./explain.ts";
import { explainMisses, type ScriptMatch, takeMatch } from "./match-script.ts";
import { rateLimitHeaders } from "./rate-limit-headers.ts";
import type { RateLimiter } from "./rate-limiter.ts";
import { scriptedError } from "./scripted-error.ts";

/** Answers `POST /chat/completions`, in this order: request, limits, script, completion, wire. */
export async function completeChat(call: Call, context: ChatContext): Promise<Reply> {
  const admitted = await admitRequest(call, context);
  if (!admitted.ok) return errorReply(admitted.error);
  const asked = admitted.value;
  const { limiter } = context;
  if (limiter === undefined || !limiter.isActive) return answer(asked, call.headers, context);
  const tooMuch = limitRequest(asked, limiter, context.now());
  const reply =
    tooMuch === undefined ? await answer(asked, call.headers, context) : errorReply(tooMuch);
  const headers = { ...rateLimitHeaders(limiter.states(context.now())), ...reply.headers };
  return { ...reply, headers };
}

/** Counts a request against the limits, or says which it goes beyond. */
function limitRequest(asked: Asked, limiter: RateLimiter, now: number): ChatError | undefined {
  const refusal = limiter.take(asked.prompt.tokens, now);
  if (refusal === undefined) return undefined;
  const { remaining, ...reached } = refusal;
  return chatErrors.rateLimited({
    ...reached,
    model: asked.model,
    used: reached.limit - remaining,
  });
}

async function answer(asked: Asked, headers: CallHeaders, context: ChatContext): Promise<Reply> {
  const subject: Subject = { request: asked.request, headers };
  const match = takeMatch(context.scripts, subject);
  if (match !== undefined) return answerScripted(asked, match, context);
  if (context.unmatched === "error") return noScriptMatched(subject, context);
  const reply = deliver(asked, composeEcho(asked, context), context);
  return { ...reply, answeredBy: () => describeEcho(subject, context) };
}

/** For the log, which is why it is worked out only where there is one: it takes a look at every script. */
function describeEcho(subject: Subject, { scripts }: ChatContext): string {
  const closest = nameClosest(explainMisses(scripts, subject));
  return closest === undefined ? "echo" : `echo (closest: ${closest})`;
}

/** Sends a completion, whose tokens count against the limits. */
function deliver(asked: Asked, completion: Completion, context: ChatContext): Reply {
  context.limiter?.spendTokens(completion.usage.completion_tokens, context.now());
  return completionReply(asked, completion, context);
}

async function answerScripted(
  asked: Asked,
  match: ScriptMatch,
  context: ChatContext,
): Promise<Reply> {
  if (match.reply.error !== undefined)
    return scriptedError(match, match.reply.error, context.speed);
  let completion: Completion;
  try {
    completion = await composeScripted(asked, match, context);
  } catch (error) {
    if (!isEmulatorError(error)) throw error;
    return errorReply(chatErrors.templateFailed(match.script.name, error.message));
  }
  return deliver(asked, completion, context);
}

function noScriptMatched(subject: Subject, context: ChatContext): Reply {
  const misses = explainMisses(context.scripts, subject);
  return errorReply(chatErrors.noScriptMatched(describeMisses(misses), nameClosest(misses)));
}
