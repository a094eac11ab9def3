import type { Answerer } from "../../http/answerer.ts";
import type { ReplyHeaders } from "../../http/reply.ts";
import { isPresent } from "../../schema/json.ts";
import type { ChatContext } from "../context.ts";
import type { ScriptMatch } from "../matching/match-script.ts";
import type { MatchGroups } from "../matching/text-matcher.ts";
import type { AdmittedRequest } from "../request/admit-request.ts";
import { type ChatMessage, type ChatRequest, lastUserText } from "../request/chat-request.ts";
import type { ScriptReply } from "../scripts/script.ts";
import {
  callsIn,
  type Completion,
  type CompletionChoice,
  countTokens,
  type Step,
  type TokenCount,
  type Usage,
} from "./completion.ts";
import { endChoice, type EndedChoice } from "./end-choice.ts";
import { type RenderedChoice, renderChoice } from "./render-choice.ts";

/** The answer that a script gives. Rejects with `ERR_TEMPLATE_INVALID` when one of its templates fails. */
export async function scriptedCompletion(
  admitted: AdmittedRequest,
  { reply, groups, search }: ScriptMatch,
  context: ChatContext,
): Promise<Completion> {
  const { request, tokenizer } = admitted;
  const scripted = reply.choices?.slice(0, request.n) ?? [reply];
  let scope: object | undefined;
  const composing = {
    tokenizer,
    templates: context.templates,
    scope: () => (scope ??= templateScope(request, groups, context)),
  };
  // All are rendered before one is ended, in turn, so that the same seed gives the same values.
  const rendered: RenderedChoice[] = [];
  for (const choice of scripted) rendered.push(await renderChoice(choice, composing));
  const choices = rendered.map((choice, index) =>
    endChoice(scripted[index] ?? {}, choice, admitted, context.random),
  );
  return complete({ admitted, reply, choices, answeredBy: search, isMiss: undefined }, context);
}

/** The answer to what no script matches, when that is not an error. */
export function echoCompletion(
  admitted: AdmittedRequest,
  answeredBy: Answerer,
  context: ChatContext,
): Completion {
  const { request, tokenizer } = admitted;
  const text = `Echo: ${lastUserText(request) ?? ""}`;
  const steps: Step[] = [{ kind: "content", text, whole: false }];
  const rendered = { steps, tokens: countTokens(steps, tokenizer), isLasting: false };
  const choices = [endChoice({}, rendered, admitted, context.random)];
  return complete({ admitted, reply: {}, choices, answeredBy, isMiss: true }, context);
}

interface Answer {
  readonly admitted: AdmittedRequest;
  readonly reply: ScriptReply;
  /** Those that differ. At least one. */
  readonly choices: readonly EndedChoice[];
  readonly answeredBy: Answerer;
  readonly isMiss: true | undefined;
}

function complete(answer: Answer, context: ChatContext): Completion {
  const { admitted, reply, answeredBy, isMiss } = answer;
  const { request, tokenizer } = admitted;
  const choices: CompletionChoice[] = [];
  const counts: TokenCount[] = [];
  for (let index = 0; index < request.n; index++) {
    // Choices that say the same share their steps, so that each text is cut and counted once.
    const choice = answer.choices[index % answer.choices.length];
    if (choice === undefined) break;
    const { steps, isLasting, finishReason, logprobs, tokens } = choice;
    const callIds = callsIn(steps).map(({ scriptedId }) => scriptedId ?? context.createId("call_"));
    choices.push({ steps, isLasting, callIds, finishReason, logprobs });
    counts.push(tokens);
  }
  return {
    id: reply.id ?? context.createId("chatcmpl-"),
    created: Math.floor(context.now() / 1000),
    model: reply.model ?? admitted.model,
    choices,
    usage: usageOf(admitted.promptTokens, counts, reply.usage),
    // Only streams have a default pace, and chunks come as the script has them.
    pace: reply.pace ?? (request.stream && !hasChunks(reply) ? (context.pace ?? {}) : {}),
    tokenizer,
    headers: lowerCased(reply.headers),
    fault: reply.fault,
    answeredBy,
    isMiss,
  };
}

function hasChunks({ chunks, choices = [] }: ScriptReply): boolean {
  return chunks !== undefined || choices.some((choice) => choice.chunks !== undefined);
}

/** Headers by lower-case name. */
export function lowerCased(headers: ScriptReply["headers"]): ReplyHeaders {
  if (headers === undefined) return noHeaders;
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

const noHeaders: ReplyHeaders = {};

/** What templates see. What few of them ask for is made when one does. */
function templateScope(
  request: ChatRequest,
  findGroups: ScriptMatch["groups"],
  context: Pick<ChatContext, "templateScope">,
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

/** The usage of an answer: what the script says, and what was counted for what it leaves out. */
function usageOf(
  promptTokens: number,
  choices: readonly TokenCount[],
  scripted: ScriptReply["usage"] = {},
): Usage {
  let total = 0;
  let reasoning = 0;
  for (const choice of choices) {
    total += choice.total;
    reasoning += choice.reasoning;
  }
  const prompt = scripted.prompt_tokens ?? promptTokens;
  const completion = scripted.completion_tokens ?? total;
  const { prompt_tokens_details: forPrompt, completion_tokens_details: forCompletion } = scripted;
  const counted = {
    prompt_tokens_details: { cached_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: Math.min(reasoning, completion) },
  };
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: scripted.total_tokens ?? prompt + completion,
    ...(reasoning > 0 && counted),
    ...(forPrompt && { prompt_tokens_details: forPrompt }),
    ...(forCompletion && { completion_tokens_details: forCompletion }),
  };
}
