import type { ChatRequest } from "./chat-request.ts";
import { lastUserText } from "./chat-request.ts";
import type { Completion, CompletionChoice, Step } from "./completion.ts";
import { composeSteps } from "./compose-steps.ts";
import type { ChatContext } from "./context.ts";
import type { ScriptMatch } from "./match-script.ts";
import type { ScriptReply } from "./script.ts";
import { usageOf } from "./usage.ts";

/** A request and the id that its reply names as the model. */
export interface Asked {
  readonly request: ChatRequest;
  readonly model: string;
}

/** The answer that a script gives. Rejects with `ERR_TEMPLATE_INVALID` when one of its templates fails. */
export async function composeScripted(
  asked: Asked,
  match: ScriptMatch,
  context: ChatContext,
): Promise<Completion> {
  const { script, reply, replyIndex, groups } = match;
  const { request } = asked;
  const scope = {
    ...context.templateScope(),
    user: lastUserText(request) ?? "",
    model: request.model,
    messages: request.body["messages"],
    match: groups,
  };
  const steps = await composeSteps(reply, { scope, ...context });
  const answeredBy = `script "${script.name}" reply ${replyIndex + 1}`;
  return complete(asked, context, { steps, reply, answeredBy });
}

/** The answer to what no script matches, when that is not an error. */
export function composeEcho(asked: Asked, context: ChatContext): Completion {
  const text = `Echo: ${lastUserText(asked.request) ?? ""}`;
  const steps: Step[] = [{ kind: "content", text, whole: false }];
  return complete(asked, context, { steps, reply: {}, answeredBy: "echo" });
}

interface Answer {
  readonly steps: readonly Step[];
  readonly reply: ScriptReply;
  readonly answeredBy: string;
}

function complete(asked: Asked, context: ChatContext, answer: Answer): Completion {
  const { steps, reply, answeredBy } = answer;
  const choice: CompletionChoice = {
    steps,
    finishReason: reply.finishReason ?? naturalEnd(steps),
  };
  const choices = Array.from({ length: asked.request.n }, () => choice);
  return {
    id: reply.id ?? context.createId("chatcmpl-"),
    created: Math.floor(context.now() / 1000),
    model: reply.model ?? asked.model,
    choices,
    usage: usageOf(asked.request, choices, reply.usage),
    pace: reply.pace ?? {},
    headers: lowerCased(reply.headers ?? {}),
    answeredBy,
  };
}

function naturalEnd(steps: readonly Step[]): string {
  return steps.some(({ kind }) => kind === "toolCall") ? "tool_calls" : "stop";
}

/** Headers by lower-case name. */
export function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}
