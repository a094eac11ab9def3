import type { Answerer } from "../../http/answerer.ts";
import type { ReplyHeaders } from "../../http/reply.ts";
import type { ChatContext } from "../context.ts";
import type { ScriptMatch } from "../matching/match-script.ts";
import type { AdmittedRequest } from "../request/read-request.ts";
import { type ChatMessage, type ChatRequest, lastUserText } from "../request/chat-request.ts";
import type { Prompt } from "../request/prompt.ts";
import { isPresent } from "../../schema/json.ts";
import type { Pace, ScriptChoice, ScriptReply } from "../scripts/script.ts";
import type { MatchGroups } from "../matching/text-matcher.ts";
import {
  callsIn,
  type Completion,
  type CompletionChoice,
  countTokens,
  type Step,
  type TokenCount,
  type Usage,
} from "./completion.ts";
import { endChoice, type EndedChoice, type EndOptions } from "./end-choice.ts";
import { describeMisfit } from "../scripts/json-format.ts";
import { renderChoices, renderedBefore, type RenderedChoice } from "./render-choice.ts";

/** The answer that a script gives. Rejects with `ERR_TEMPLATE_INVALID` when one of its templates fails. */
export async function scriptedCompletion(
  admitted: AdmittedRequest,
  match: ScriptMatch,
  context: ChatContext,
): Promise<Completion> {
  const { reply } = match;
  const { request, prompt } = admitted;
  const scripted = choicesOf(reply, request.n);
  const scope = (): object => templateScope(request, match.groups, context);
  const composing = { templates: context.templates, scope };
  const rendered =
    renderedBefore(scripted, prompt.tokenizer) ??
    (await renderChoices(scripted, prompt.tokenizer, composing));
  return endScripted(admitted, { match, scripted, rendered }, context);
}

/** What a script says in answer to a request. */
interface RenderedReply {
  readonly match: ScriptMatch;
  readonly scripted: readonly ScriptChoice[];
  /** The same choices, rendered. */
  readonly rendered: readonly RenderedChoice[];
}

async function endScripted(
  admitted: AdmittedRequest,
  { match, scripted, rendered }: RenderedReply,
  context: ChatContext,
): Promise<Completion> {
  const { reply, search } = match;
  const options = endOptions(admitted.prompt, context);
  const choices = rendered.map((choice, index) =>
    endChoice(scripted[index] ?? {}, choice, options),
  );
  const answer: Answer = { admitted, reply, choices, answeredBy: search, isMiss: undefined };
  const { jsonFormat } = options;
  if (jsonFormat !== undefined) search.noteRemark(await describeMisfit(choices, jsonFormat));
  return complete(answer, context);
}

/** What the choices of an answer say that differ; more than there are begin again with the first. */
function choicesOf(reply: ScriptReply, n: number): readonly ScriptChoice[] {
  return reply.choices === undefined ? [reply] : reply.choices.slice(0, n);
}

/** The request's options, with no more tokens than the model's context has room for. */
function endOptions({ tokenizer, room, options }: Prompt, { random }: ChatContext): EndOptions {
  const { maxTokens, stops, topLogprobs, jsonFormat } = options;
  // Written out: V8 takes a microsecond and more to add properties to a copy.
  return {
    maxTokens: Math.min(room, maxTokens),
    stops,
    topLogprobs,
    jsonFormat,
    tokenizer,
    random,
  };
}

/** The answer to what no script matches, when that is not an error. */
export function echoCompletion(
  admitted: AdmittedRequest,
  answeredBy: Answerer,
  context: ChatContext,
): Completion {
  const { request, prompt } = admitted;
  const { tokenizer } = prompt;
  const text = `Echo: ${lastUserText(request) ?? ""}`;
  const steps: Step[] = [{ kind: "content", text, whole: false }];
  const rendered = { steps, tokens: countTokens(steps, tokenizer) };
  const choices = [endChoice({}, rendered, endOptions(prompt, context))];
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
  const { request, prompt } = admitted;
  const choices: CompletionChoice[] = [];
  const counts: TokenCount[] = [];
  for (let index = 0; index < request.n; index++) {
    // Choices that say the same share their steps, so that each text is cut and counted once.
    const choice = answer.choices[index % answer.choices.length];
    if (choice === undefined) break;
    const { steps, finishReason, logprobs, tokens } = choice;
    choices.push({ steps, callIds: callIdsOf(steps, context), finishReason, logprobs });
    counts.push(tokens);
  }
  const pace = reply.pace ?? defaultPace(request, reply, context);
  return {
    id: reply.id ?? context.createId("chatcmpl-"),
    created: Math.floor(context.now() / 1000),
    model: reply.model ?? admitted.model,
    choices,
    usage: usageOf(prompt.tokens, counts, reply.usage),
    pace,
    tokenizer: prompt.tokenizer,
    headers: lowerCased(reply.headers),
    fault: reply.fault,
    answeredBy,
    isMiss,
  };
}

function callIdsOf(steps: readonly Step[], { createId }: ChatContext): readonly string[] {
  return callsIn(steps).map(({ scriptedId }) => scriptedId ?? createId("call_"));
}

/** The pace of a reply that says nothing of it. Only streams have one, and chunks come as the script has them. */
function defaultPace({ stream }: ChatRequest, reply: ScriptReply, context: ChatContext): Pace {
  if (!stream || hasChunks(reply)) return {};
  return context.pace ?? {};
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
  const usage = {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: scripted.total_tokens ?? prompt + completion,
  };
  const { prompt_tokens_details: forPrompt, completion_tokens_details: forCompletion } = scripted;
  if (reasoning === 0 && forPrompt === undefined && forCompletion === undefined) return usage;
  const counted = reasoning === 0 ? {} : countedDetails(Math.min(reasoning, completion));
  return {
    ...usage,
    ...counted,
    ...(forPrompt === undefined ? {} : { prompt_tokens_details: forPrompt }),
    ...(forCompletion === undefined ? {} : { completion_tokens_details: forCompletion }),
  };
}

function countedDetails(reasoning: number): Partial<Usage> {
  return {
    prompt_tokens_details: { cached_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}
