import { type ChatMessage, type ChatRequest, lastUserText } from "./chat-request.ts";
import { callsIn, type Completion, type Step } from "./completion.ts";
import { composeSteps } from "./compose-steps.ts";
import type { ChatContext } from "./context.ts";
import type { ScriptMatch } from "./match-script.ts";
import { isPresent } from "./read.ts";
import type { Pace, ScriptReply } from "./script.ts";
import type { MatchGroups } from "./text-matcher.ts";
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
  const scope = templateScope(asked.request, groups, context);
  const steps = await composeSteps(reply, { scope, templates: context.templates });
  const answeredBy = `script "${script.name}" reply ${replyIndex + 1}`;
  return complete(asked, context, { steps, reply, answeredBy });
}

/** What templates see. What few of them ask for is made when one does. */
function templateScope(
  request: ChatRequest,
  findGroups: ScriptMatch["groups"],
  context: ChatContext,
): object {
  let groups: MatchGroups | undefined;
  return {
    ...context.templateScope(),
    user: lastUserText(request) ?? "",
    model: request.model,
    get messages(): readonly object[] {
      return request.messages.map(messageForTemplates);
    },
    get match(): MatchGroups {
      groups ??= findGroups();
      return groups;
    },
  };
}

/** A message as it came, with the text that matchers see as its content; null when it has none. */
function messageForTemplates({ sent, text }: ChatMessage): object {
  return { ...sent, content: isPresent(sent["content"]) ? text : null };
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
  const calls = callsIn(steps);
  const finishReason = reply.finishReason ?? (calls.length === 0 ? "stop" : "tool_calls");
  // The choices share their steps, so that each text is cut and counted once.
  const choices = Array.from({ length: asked.request.n }, () => ({
    steps,
    callIds: calls.map(({ scriptedId }) => scriptedId ?? context.createId("call_")),
    finishReason,
    logprobs: null,
  }));
  return {
    id: reply.id ?? context.createId("chatcmpl-"),
    created: Math.floor(context.now() / 1000),
    model: reply.model ?? asked.model,
    choices,
    usage: usageOf(asked.request, choices, reply.usage),
    pace: reply.pace ?? defaultPace(asked.request, reply, context),
    headers: lowerCased(reply.headers ?? {}),
    fault: reply.fault,
    answeredBy,
  };
}

/** The pace of a reply that says nothing of it. Only streams have one, and chunks come as the script has them. */
function defaultPace({ stream }: ChatRequest, { chunks }: ScriptReply, context: ChatContext): Pace {
  return stream && chunks === undefined ? (context.pace ?? {}) : {};
}

/** Headers by lower-case name. */
export function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}
