import type { Answerer } from "../../http/answerer.ts";
import type { JsonObject } from "../../schema/json.ts";
import type { ReplyHeaders } from "../../http/reply.ts";
import type { ChoiceExtra, Fault, Logprobs, Pace, TokenLogprob } from "../scripts/script.ts";
import type { Tokenizer } from "../tokens/tokenizer.ts";

/** A pace, and the tokenizer that cuts the texts. */
export interface Tempo extends Pace {
  /** Default: tokens are estimated. */
  readonly tokenizer?: Tokenizer;
}

/** A tool call, complete. */
export interface CompletionToolCall {
  /** Its index among the tool calls of its choice. */
  readonly index: number;
  /** The id that the script sets, the same in every choice. Undefined: each choice gets an id of its own. */
  readonly scriptedId: string | undefined;
  readonly type: "function" | "custom";
  readonly name: string;
  /** The arguments as JSON text; for a custom tool, its input. */
  readonly arguments: string;
}

/** The kinds of text in a choice. Each has a field of its own on the wire. */
export type TextKind = "content" | "reasoning" | "refusal";

/** A text of a choice. */
export interface TextStep {
  readonly kind: TextKind;
  readonly text: string;
  /** Whether the text is sent as a single delta instead of in pieces. */
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
      /** Milliseconds between two sendings of the comment. Undefined: the comment is sent once. */
      readonly everyMs?: number | undefined;
      /** How often the comment is sent before the next step. Undefined: as often as there is time until then. */
      readonly times?: number | undefined;
    }
  | { readonly kind: "raw"; readonly text: string }
  /** JSON that is sent as an event of its own. */
  | { readonly kind: "json"; readonly text: string; readonly type: string | undefined }
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  /** An output item of the Responses API. Chat completions leave it out. */
  | { readonly kind: "outputItem"; readonly item: JsonObject }
  /** A fault at this point. It happens with the probability `fault.probability`. */
  | { readonly kind: "fault"; readonly fault: Fault };

/** One choice of an answer. */
export interface CompletionChoice {
  /** Choices with the same text share one list. */
  readonly steps: readonly Step[];
  /** Whether the next answer has the same steps, so that derived data is worth caching. */
  readonly isLasting: boolean;
  /** The ids of the choice's tool calls, by index. */
  readonly callIds: readonly string[];
  /** Whether the choice's only call is a `function_call`, for requests with `functions`. */
  readonly isFunctionCall: boolean;
  readonly finishReason: string;
  /** As on the wire; null unless requested. */
  readonly logprobs: Logprobs | null;
  /** More keys, sent unchanged. */
  readonly extra?: ChoiceExtra | undefined;
}

/** Numbers of tokens by kind, such as `cached_tokens`. */
type TokenDetails = Readonly<Record<string, number>>;

/** The numbers of tokens of a request and its answer. */
export interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  /**
   * Present if the answer has reasoning, if the script sets it, or in a full answer. So is `completion_tokens_details`.
   */
  readonly prompt_tokens_details?: TokenDetails | undefined;
  readonly completion_tokens_details?: TokenDetails | undefined;
}

/** The values that only an answer with every key of the published schema has. */
export interface FullAnswer {
  /** The service tier that answered. Never `auto`, since the answer names the tier that was chosen. */
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
  /** More keys beside the choices, sent unchanged. */
  readonly extraBody?: JsonObject | undefined;
  /** Undefined: the answer has only the keys that the documentation shows. */
  readonly full: FullAnswer | undefined;
  readonly pace: Pace;
  readonly tokenizer: Tokenizer;
  readonly headers: ReplyHeaders;
  /** The fault of the whole reply. It happens with its own probability. */
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

/** The approximate number of characters of a token's probability on the wire, without the token. */
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
