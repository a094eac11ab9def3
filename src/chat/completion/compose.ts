import type { Answerer } from "../../http/answerer.ts";
import { andThen, type MaybePromise } from "../../http/maybe-promise.ts";
import type { ReplyHeaders } from "../../http/reply.ts";
import type { Asked } from "../request/asked.ts";
import type { Prompt } from "../request/prompt.ts";
import { type ChatRequest, lastUserText } from "../request/chat-request.ts";
import { callsIn, type Completion, type CompletionChoice, type Step } from "./completion.ts";
import type { ChatContext } from "../context.ts";
import { countTokens, type TokenCount } from "./count-tokens.ts";
import { type EndedChoice, endChoice, type EndOptions } from "./end-choice.ts";
import { type GenerationOptions, generationOptions } from "../request/generation-options.ts";
import { remarkOnFormat } from "./remark-on-format.ts";
import type { ScriptMatch } from "../matching/match-script.ts";
import type { Pace, ScriptChoice, ScriptReply } from "../scripts/script.ts";
import { speak, type SpokenChoice } from "./spoken-choice.ts";
import { templateScope } from "./template-scope.ts";
import { usageOf } from "./usage.ts";

/** The answer that a script gives. Rejects with `ERR_TEMPLATE_INVALID` when one of its templates fails. */
export function composeScripted(
  asked: Asked,
  { reply, groups, search }: ScriptMatch,
  context: ChatContext,
): MaybePromise<Completion> {
  const { request, prompt } = asked;
  const { tokenizer } = prompt;
  const scope = (): object => templateScope(request, groups, context);
  const scripted = choicesOf(reply, request.n);
  const composing = { templates: context.templates, scope };
  return andThen(speak(scripted, tokenizer, composing), (spoken) => {
    const options = { tokenizer, random: context.random, ...optionsFor(request, prompt) };
    const choices = endChoices(scripted, spoken, options);
    const finish = (remark: string): Completion => {
      search.noteRemark(remark);
      return complete({ asked, reply, choices, answeredBy: search, isMiss: undefined }, context);
    };
    const { jsonFormat } = options;
    return jsonFormat === undefined ? finish("") : remarkOnFormat(choices, jsonFormat).then(finish);
  });
}

function endChoices(
  scripted: readonly ScriptChoice[],
  spoken: readonly SpokenChoice[],
  options: EndOptions,
): readonly EndedChoice[] {
  return spoken.map((said, index) => endChoice(scripted[index] ?? {}, said, options));
}

/** What the choices of an answer say that differ; more than there are begin again with the first. */
function choicesOf(reply: ScriptReply, n: number): readonly ScriptChoice[] {
  return reply.choices === undefined ? [reply] : reply.choices.slice(0, n);
}

/** The request's options, with no more tokens than the model's context has room for. */
function optionsFor(request: ChatRequest, { room }: Prompt): GenerationOptions {
  const options = generationOptions(request);
  return room < options.maxTokens ? { ...options, maxTokens: room } : options;
}

/** The answer to what no script matches, when that is not an error. */
export function composeEcho(asked: Asked, answeredBy: Answerer, context: ChatContext): Completion {
  const { request, prompt } = asked;
  const { tokenizer } = prompt;
  const text = `Echo: ${lastUserText(request) ?? ""}`;
  const steps: Step[] = [{ kind: "content", text, whole: false }];
  const spoken = { steps, tokens: countTokens(steps, tokenizer) };
  const options = { tokenizer, random: context.random, ...optionsFor(request, prompt) };
  const choices = [endChoice({}, spoken, options)];
  return complete({ asked, reply: {}, choices, answeredBy, isMiss: true }, context);
}

interface Answer {
  readonly asked: Asked;
  readonly reply: ScriptReply;
  /** Those that differ. At least one. */
  readonly choices: readonly EndedChoice[];
  readonly answeredBy: Answerer;
  readonly isMiss: true | undefined;
}

function complete(answer: Answer, context: ChatContext): Completion {
  const { asked, reply, answeredBy, isMiss } = answer;
  const { request, prompt } = asked;
  const choices: CompletionChoice[] = [];
  const counts: TokenCount[] = [];
  for (let index = 0; index < request.n; index++) {
    // Choices that say the same share their steps, so that each text is cut and counted once.
    const said = answer.choices[index % answer.choices.length];
    if (said === undefined) break;
    const { steps, finishReason, logprobs, tokens } = said;
    choices.push({ steps, callIds: callIdsOf(steps, context), finishReason, logprobs });
    counts.push(tokens);
  }
  const pace = reply.pace ?? defaultPace(request, reply, context);
  return {
    id: reply.id ?? context.createId("chatcmpl-"),
    created: Math.floor(context.now() / 1000),
    model: reply.model ?? asked.model,
    choices,
    usage: usageOf(prompt.tokens, counts, reply.usage),
    pace: { tokenizer: prompt.tokenizer, ...pace },
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
