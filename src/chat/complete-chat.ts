import { isEmulatorError } from "../errors/emulator-error.ts";
import type { Call } from "../http/call.ts";
import { readJsonBody } from "../http/json-body.ts";
import type { Reply } from "../http/reply.ts";
import type { Completion } from "./completion.ts";
import { completionReply } from "./completion-reply.ts";
import { type Asked, composeEcho, composeScripted } from "./compose.ts";
import type { ChatContext } from "./context.ts";
import type { Subject } from "./criteria.ts";
import { chatErrors, errorReply } from "./errors.ts";
import { closestMiss, describeMiss } from "./explain.ts";
import { explainMisses, type ScriptMatch, takeMatch } from "./match-script.ts";
import { resolveChatModel } from "./models.ts";
import { readRequest } from "./read-request.ts";
import { type Read, refused, taken } from "./read.ts";
import { scriptedError } from "./scripted-error.ts";

/** Answers `POST /chat/completions`, in this order: body, request, model, script, completion, wire. */
export async function completeChat(call: Call, context: ChatContext): Promise<Reply> {
  const body = await readBody(call);
  if (!body.ok) return errorReply(body.error);
  const request = readRequest(body.value, context.profile);
  if (!request.ok) return errorReply(request.error);
  const model = resolveChatModel(request.value.model, context.models);
  if (!model.ok) return errorReply(model.error);
  const asked: Asked = { request: request.value, model: model.value };
  const subject: Subject = { request: request.value, headers: call.headers };
  const match = takeMatch(context.scripts, subject);
  if (match !== undefined) return answerScripted(asked, match, context);
  if (context.unmatched === "error") return noScriptMatched(subject, context);
  return completionReply(asked, composeEcho(asked, context), context);
}

async function readBody(call: Call): Promise<Read<unknown>> {
  const body = await readJsonBody(call);
  switch (body.kind) {
    case "json":
      return taken(body.value);
    case "malformed":
      return refused(chatErrors.notJson(body.message));
    case "too-large":
      return refused(chatErrors.bodyTooLarge(body.limit));
    case "aborted":
      return refused(chatErrors.bodyCutShort());
  }
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
  return completionReply(asked, completion, context);
}

function noScriptMatched(subject: Subject, context: ChatContext): Reply {
  const closest = closestMiss(explainMisses(context.scripts, subject));
  const problem = closest === undefined ? "There are no scripts." : describeMiss(closest);
  return errorReply(chatErrors.noScriptMatched(problem, closest?.script));
}
