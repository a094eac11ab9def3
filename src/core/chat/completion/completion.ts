import type { Answerer } from "../../http/answerer.ts";
import type { JsonObject } from "../../schema/json.ts";
import type { ReplyHeaders } from "../../http/reply.ts";
import type { ChoiceExtra, Fault, Logprobs, Pace, TokenLogprob } from "../scripts/script.ts";
import type { Tokenizer } from "../tokens/tokenizer.ts";

/** A pace, and the tokenizer that cuts its tokens. */
export interface Tempo extends Pace {
  /** Default: the estimate. */
  readonly tokenizer?: Tokenizer;
}

/** A tool call, complete. */
export interface CompletionToolCall {
  /** Its index among the tool calls of its choice. */
  readonly index: number;
  /** The id set by the script, the same in every choice; undefined: each choice has its own. */
  readonly scriptedId: string | undefined;
  readonly type: "function" | "custom";
  readonly name: string;
  /** Of a custom tool its input. */
  readonly arguments: string;
}

/** The kinds of text in a choice, each in its own field. */
export type TextKind = "content" | "reasoning" | "refusal";

/** A text of a choice. */
export interface TextStep {
  readonly kind: TextKind;
  readonly text: string;
  /** Whether the text is a single delta instead of being cut by the pace. */
  readonly whole: boolean;
  /** The probabilities of its tokens, if requested. */
  readonly logprobs?: readonly TokenLogprob[];
}

/** One step of a choice, in order. */
export type Step =
  | TextStep
  | { readonly kind: "toolCall"; readonly call: CompletionToolCall }
  | { readonly kind: "wait"; readonly ms: number }
  | {
      readonly kind: "comment";
      readonly text: string;
      /** It is repeated until the next step. Undefined: it comes once. */
      readonly everyMs?: number | undefined;
      /** How often it comes, for which the next step waits. Undefined: as often as there is time. */
      readonly times?: number | undefined;
    }
  | { readonly kind: "raw"; readonly text: string }
  /** The data of an event of its own. */
  | { readonly kind: "json"; readonly text: string; readonly type: string | undefined }
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  /** An item of a wire that has such; others leave it out. */
  | { readonly kind: "outputItem"; readonly item: JsonObject }
  /** A fault at this point, subject to `fault.probability`. */
  | { readonly kind: "fault"; readonly fault: Fault };

/** One choice of an answer. */
export interface CompletionChoice {
  /** Choices with the same text share one list. */
  readonly steps: readonly Step[];
  /** Whether the next answer has the same steps, so that derived data is worth caching. */
  readonly isLasting: boolean;
  /** The ids of its tool calls, by index. */
  readonly callIds: readonly string[];
  /** Whether its only call is a `function_call`, for requests with `functions`. */
  readonly isFunctionCall: boolean;
  readonly finishReason: string;
  /** As on the wire; null unless requested. */
  readonly logprobs: Logprobs | null;
  /** More keys, as they are. */
  readonly extra?: ChoiceExtra | undefined;
}

/** How many tokens were of certain kinds, such as `cached_tokens`. */
type TokenDetails = Readonly<Record<string, number>>;

/** Tokens of a request and its answer. */
export interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  /** Only with reasoning, if the script sets it, or in a full answer. The same holds for the next. */
  readonly prompt_tokens_details?: TokenDetails | undefined;
  readonly completion_tokens_details?: TokenDetails | undefined;
}

/** What only an answer with every key of the published schema has. */
export interface FullAnswer {
  /** The tier that answered, which is never `auto`. */
  readonly serviceTier: string;
  readonly fingerprint: string;
}

/** A whole answer, decided and rendered, independent of its form on the wire. */
export interface Completion {
  readonly id: string;
  /** Unix time in seconds. */
  readonly created: number;
  readonly model: string;
  readonly choices: readonly CompletionChoice[];
  readonly usage: Usage;
  /** More keys beside the choices, as they are. */
  readonly extraBody?: JsonObject | undefined;
  /** Undefined: it has no other keys than the documents show. */
  readonly full: FullAnswer | undefined;
  readonly pace: Pace;
  readonly tokenizer: Tokenizer;
  readonly headers: ReplyHeaders;
  /** The fault of the whole reply, subject to its probability. */
  readonly fault: Fault | undefined;
  readonly answeredBy: Answerer;
  /** Nothing in the fixtures answers the request. */
  readonly isMiss: true | undefined;
}

/** Whether a step is a text. */
export function isText(step: Step): step is TextStep {
  return step.kind === "content" || step.kind === "reasoning" || step.kind === "refusal";
}

/** Whether a completion has any fault. */
export function mayGoWrong({ fault, choices }: Completion): boolean {
  return fault !== undefined || choices.some(hasFault);
}

function hasFault({ steps }: CompletionChoice): boolean {
  return steps.some(isFault);
}

function isFault({ kind }: Step): boolean {
  return kind === "fault";
}

/** All text of one kind in the steps of a choice; null if there is none. */
export function textIn(steps: readonly Step[], kind: TextKind): string | null {
  let text: string | null = null;
  for (const step of steps) {
    if (step.kind === kind) text = text === null ? step.text : text + step.text;
  }
  return text;
}

/** The tool calls in the steps of a choice. */
export function callsIn(steps: readonly Step[]): readonly CompletionToolCall[] {
  const calls: CompletionToolCall[] = [];
  for (const step of steps) if (step.kind === "toolCall") calls.push(step.call);
  return calls;
}

/** The approximate size of a probability on the wire, without its token. */
const logprobLength = 100;

/** The number of characters of all choices. */
export function lengthOf({ choices }: Completion): number {
  let total = 0;
  for (const { steps, logprobs } of choices) {
    for (const step of steps) total += stepLength(step);
    if (logprobs !== null) total += countLogprobs(logprobs) * logprobLength;
  }
  return total;
}

function stepLength(step: Step): number {
  if (step.kind === "toolCall") return step.call.arguments.length;
  if (step.kind === "bytes") return step.bytes.length;
  return "text" in step ? step.text.length : 0;
}

function countLogprobs({ content, refusal }: Logprobs): number {
  let count = 0;
  for (const list of [content, refusal]) {
    for (const { top_logprobs: top } of list ?? []) count += 1 + top.length;
  }
  return count;
}

/** The tokens of a choice. */
export interface TokenCount {
  readonly total: number;
  /** The reasoning tokens among the total. */
  readonly reasoning: number;
}

/** Counts the tokens of a choice. */
export function countTokens(steps: readonly Step[], tokenizer: Tokenizer): TokenCount {
  const count = (text: string | null): number => (text === null ? 0 : tokenizer.count(text));
  const reasoning = count(textIn(steps, "reasoning"));
  let total = reasoning + count(textIn(steps, "content")) + count(textIn(steps, "refusal"));
  for (const call of callsIn(steps)) total += count(call.name) + count(call.arguments);
  return { total, reasoning };
}
