import type { Answerer } from "../../http/answerer.ts";
import type { ReplyHeaders } from "../../http/reply.ts";
import { loadOnce } from "../../http/load-once.ts";
import { fromBase64 } from "../../http/base64.ts";
import { asObject, isPresent } from "../../schema/json.ts";
import type { ChatContext } from "../context.ts";
import type { ScriptMatch } from "../matching/match-script.ts";
import type { AdmittedRequest } from "../request/admit-request.ts";
import { type ChatRequest, lastUserText } from "../request/chat-request.ts";
import { demandOf } from "../request/demand.ts";
import { hasTemplates } from "../scripts/script-templates.ts";
import type {
  ChunkFault,
  Fault,
  ScriptChoice,
  ScriptChunk,
  ScriptReply,
  ScriptToolCall,
} from "../scripts/script.ts";
import type { Tokenizer } from "../tokens/tokenizer.ts";
import {
  callsIn,
  type Completion,
  type CompletionChoice,
  type CompletionToolCall,
  countTokens,
  type Step,
  type TextKind,
  type TokenCount,
  type Usage,
} from "./completion.ts";
import { isCustomTool, parametersOf } from "./argument-types.ts";
import { fullAnswer, fullUsage } from "./full-answer.ts";
import { endChoice, type EndedChoice, type RenderedChoice } from "./end-choice.ts";
import { renderHeaders, type ReplyTemplates } from "./reply-templates.ts";

/** Composes the answer of a script. Rejects with `ERR_TEMPLATE_INVALID` when a template fails. */
export async function scriptedCompletion(
  admitted: AdmittedRequest,
  { reply, search }: ScriptMatch,
  templates: ReplyTemplates,
  context: ChatContext,
): Promise<Completion> {
  const { request, tokenizer } = admitted;
  const scripted = reply.choices?.slice(0, request.n) ?? [reply];
  const rendered =
    renderedBefore(scripted, tokenizer) ??
    (await renderAll(scripted, { request, tokenizer, templates }));
  const choices = rendered.map((choice, index) =>
    endChoice(scripted[index] ?? {}, choice, admitted, context.random),
  );
  const headers = await renderHeaders(reply.headers, templates);
  const fault = reply.fault && (await renderFault(reply.fault, templates));
  const answer = { reply, choices, headers, fault, answeredBy: search, isMiss: undefined };
  return complete(answer, admitted, context);
}

/** A fault with the message of its error rendered. */
export async function renderFault(fault: Fault, { render }: ReplyTemplates): Promise<Fault> {
  const { error } = fault;
  if (error === undefined) return fault;
  return { ...fault, error: { ...error, message: await render(error.message) } };
}

/** Renders all choices, in order, before any is ended, so that the same seed gives the same values. */
async function renderAll(
  scripted: readonly ScriptChoice[],
  composing: ComposeContext,
): Promise<readonly RenderedChoice[]> {
  const rendered: RenderedChoice[] = [];
  for (const choice of scripted) rendered.push(await renderChoice(choice, composing));
  return rendered;
}

/** The answer to a request that no script matches: its text as an echo, or the JSON or the call that it demands. */
export async function echoCompletion(
  admitted: AdmittedRequest,
  answeredBy: Answerer,
  context: ChatContext,
): Promise<Completion> {
  const { request, tokenizer } = admitted;
  const steps = await echoSteps(request, context);
  const rendered = { steps, tokens: countTokens(steps, tokenizer), isLasting: false };
  const choices = [endChoice({}, rendered, admitted, context.random)];
  const said = { reply: {}, choices, headers: {}, fault: undefined };
  return complete({ ...said, answeredBy, isMiss: true }, admitted, context);
}

async function echoSteps(request: ChatRequest, context: ChatContext): Promise<Step[]> {
  const demand = demandOf(request);
  if (demand === undefined) {
    const text = `Echo: ${lastUserText(request) ?? ""}`;
    return [{ kind: "content", text, whole: false }];
  }
  const { demandedSteps } = await loadDemanded();
  return demandedSteps(demand, request, context);
}

/** Warns of an answer that is not the JSON or the call that its request demands. The answer does not wait for it. */
export function warnOfScript(
  script: string,
  request: ChatRequest,
  { choices }: Completion,
  context: ChatContext,
): void {
  if (context.warned === undefined) return;
  const demand = demandOf(request);
  if (demand === undefined) return;
  void loadDemanded().then(({ warnOfMisfit }) => warnOfMisfit(script, demand, choices, context));
}

// Loaded on first use: few requests demand anything, and the validator of schemas is large.
const loadDemanded = loadOnce(() => import("./demanded.ts"));

interface Answer extends Pick<Completion, "answeredBy" | "isMiss" | "fault"> {
  readonly reply: ScriptReply;
  /** The distinct choices. At least one. */
  readonly choices: readonly EndedChoice[];
  readonly headers: ReplyHeaders;
}

function complete(
  { choices: distinct, reply, headers, fault, answeredBy, isMiss }: Answer,
  { request, tokenizer, model, promptTokens }: AdmittedRequest,
  context: ChatContext,
): Completion {
  const asked = askedChoices(distinct, request, context);
  const choices = asked.map(({ choice }) => choice);
  const counts = asked.map(({ tokens }) => tokens);
  const usage = usageOf(promptTokens, counts, reply.usage);
  const isFull = context.profile.answersInFull;
  return {
    id: reply.id ?? context.createId("chatcmpl-"),
    created: Math.floor(context.now() / 1000),
    model: reply.model ?? model,
    choices,
    extraBody: reply.extra?.body,
    usage: isFull ? fullUsage(usage) : usage,
    full: isFull ? fullAnswer(request) : undefined,
    // The default pace is for streams only, and not for chunks, which the script cuts itself.
    pace: reply.pace ?? (request.stream && !hasChunks(reply) ? (context.pace ?? {}) : {}),
    tokenizer,
    headers,
    fault,
    answeredBy,
    isMiss,
  };
}

/**
 * As many choices as a request asks for. Equal choices share their steps, so that each text is cut and counted once.
 */
function askedChoices(
  distinct: readonly EndedChoice[],
  { n, isOfFunctions }: ChatRequest,
  { createId }: ChatContext,
): readonly { readonly choice: CompletionChoice; readonly tokens: TokenCount }[] {
  const asked: { choice: CompletionChoice; tokens: TokenCount }[] = [];
  for (let index = 0; index < n; index++) {
    const said = distinct[index % distinct.length];
    if (said === undefined) break;
    const { steps, isLasting, finishReason, logprobs, tokens, extra } = said;
    const calls = callsIn(steps);
    const callIds = calls.map(({ scriptedId }) => scriptedId ?? createId("call_"));
    const isFunctionCall = isOfFunctions && calls.length === 1 && calls[0]?.type === "function";
    const reason = isFunctionCall && finishReason === "tool_calls" ? "function_call" : finishReason;
    asked.push({
      choice: { steps, isLasting, callIds, isFunctionCall, finishReason: reason, logprobs, extra },
      tokens,
    });
  }
  return asked;
}

function hasChunks({ chunks, choices = [] }: ScriptReply): boolean {
  return chunks !== undefined || choices.some((choice) => choice.chunks !== undefined);
}

/** The usage of an answer: the script's figures, else the counted ones. */
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
  const isReasoned = reasoning > 0;
  // Details that are undefined are left out of the JSON.
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: scripted.total_tokens ?? prompt + completion,
    prompt_tokens_details: forPrompt ?? (isReasoned ? { cached_tokens: 0 } : undefined),
    completion_tokens_details:
      forCompletion ??
      (isReasoned ? { reasoning_tokens: Math.min(reasoning, completion) } : undefined),
  };
}

/** The rendered choices without templates, cached. */
const known = new WeakMap<ScriptChoice, RenderedChoice & { readonly tokenizer: Tokenizer }>();

/** The choices from the cache; undefined if any of them has to be rendered. */
function renderedBefore(
  choices: readonly ScriptChoice[],
  tokenizer: Tokenizer,
): readonly RenderedChoice[] | undefined {
  const found: RenderedChoice[] = [];
  for (const choice of choices) {
    const before = known.get(choice);
    if (before?.tokenizer !== tokenizer) return undefined;
    found.push(before);
  }
  return found;
}

/** The values that composing needs besides the choice. */
interface ComposeContext {
  readonly request: ChatRequest;
  readonly tokenizer: Tokenizer;
  readonly templates: ReplyTemplates;
}

/** Composes a scripted choice. Rejects with `ERR_TEMPLATE_INVALID` when a template fails. */
async function renderChoice(
  choice: ScriptChoice,
  context: ComposeContext,
): Promise<RenderedChoice> {
  const { tokenizer } = context;
  const before = known.get(choice);
  if (before?.tokenizer === tokenizer) return before;
  const steps = await composeSteps(choice, context);
  const isLasting = !hasTemplates(choice);
  const rendered = { steps, tokens: countTokens(steps, tokenizer), tokenizer, isLasting };
  if (isLasting) known.set(choice, rendered);
  return rendered;
}

/**
 * The steps of a choice in stream order: reasoning, content (or chunks), refusal, tool calls. Templates are rendered
 * one after the other, so that the same seed gives the same values.
 */
async function composeSteps(reply: ScriptChoice, context: ComposeContext): Promise<Step[]> {
  const { templates } = context;
  const steps: Step[] = [];
  let calls = 0;
  const nextCall = async (call: ScriptToolCall): Promise<Step> => ({
    kind: "toolCall",
    call: await composeCall(call, calls++, context),
  });
  const say = async (kind: TextKind, template: string, whole = false): Promise<void> => {
    const text = await templates.render(template);
    // An empty content counts. An empty refusal does not: a stream could not show it.
    if (text !== "" || whole || kind === "content") steps.push({ kind, text, whole });
  };

  if (reply.reasoning !== undefined) await say("reasoning", reply.reasoning);
  if (typeof reply.content === "string") await say("content", reply.content);
  else if (isPresent(reply.content)) {
    await say("content", JSON.stringify(await templates.evaluate(reply.content)));
  }
  for (const chunk of reply.chunks ?? []) {
    if (typeof chunk === "string") await say("content", chunk, true);
    else if ("reasoning" in chunk) await say("reasoning", chunk.reasoning, true);
    else if ("toolCall" in chunk) steps.push(await nextCall(chunk.toolCall));
    else if ("fault" in chunk) steps.push(await faultStep(chunk.fault, templates));
    else steps.push(silentStep(chunk));
  }
  if (reply.refusal !== undefined) await say("refusal", reply.refusal);
  for (const call of reply.toolCalls ?? []) steps.push(await nextCall(call));
  return steps;
}

async function faultStep(fault: ChunkFault, templates: ReplyTemplates): Promise<Step> {
  const given = typeof fault === "string" ? { kind: fault } : fault;
  return { kind: "fault", fault: await renderFault(given, templates) };
}

type SpeakingChunk =
  | string
  | { readonly reasoning: string }
  | { readonly toolCall: object }
  | { readonly fault: ChunkFault };

const noBytes = new Uint8Array();

function silentStep(chunk: Exclude<ScriptChunk, SpeakingChunk>): Step {
  if ("wait" in chunk) return { kind: "wait", ms: chunk.wait };
  if ("comment" in chunk) {
    return { kind: "comment", text: chunk.comment, everyMs: chunk.everyMs, times: chunk.times };
  }
  if ("base64" in chunk) return { kind: "bytes", bytes: fromBase64(chunk.base64) ?? noBytes };
  if ("json" in chunk) {
    const type = asObject(chunk.json)?.["type"];
    const text = JSON.stringify(chunk.json);
    return { kind: "json", text, type: typeof type === "string" ? type : undefined };
  }
  if ("raw" in chunk) return { kind: "raw", text: chunk.raw };
  return { kind: "outputItem", item: chunk.outputItem };
}

async function composeCall(
  call: ScriptToolCall,
  index: number,
  { request, templates }: ComposeContext,
): Promise<CompletionToolCall> {
  const { id: scriptedId, name } = call;
  if (call.type === "custom") {
    return {
      index,
      scriptedId,
      type: "custom",
      name,
      arguments: await templates.render(call.input),
    };
  }
  const { arguments: given = {} } = call;
  const type = call.type ?? (isCustomTool(request, name) ? "custom" : "function");
  const text =
    typeof given === "string"
      ? await templates.render(given)
      : JSON.stringify(await templates.evaluate(given, parametersOf(request, name)));
  return { index, scriptedId, type, name, arguments: text };
}
