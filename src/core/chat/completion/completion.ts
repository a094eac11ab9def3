import type { Answerer } from "../../http/answerer.ts";
import type { ReplyHeaders } from "../../http/reply.ts";
import type { Fault, Logprobs, Pace, TokenLogprob } from "../scripts/script.ts";
import type { Tokenizer } from "../tokens/tokenizer.ts";

/** A pace, and what its tokens are. */
export interface Tempo extends Pace {
  /** Default: the estimate. */
  readonly tokenizer?: Tokenizer;
}

/** A tool call, complete. */
export interface CompletionToolCall {
  /** Its place among the tool calls of its choice. */
  readonly index: number;
  /** The id that the script gives it, in every choice; undefined: each choice has one of its own. */
  readonly scriptedId: string | undefined;
  readonly name: string;
  readonly arguments: string;
}

/** Texts that a choice can say, each in a field of its own. */
export type TextKind = "content" | "reasoning" | "refusal";

/** A text that a choice says. */
export interface TextStep {
  readonly kind: TextKind;
  readonly text: string;
  /** Whether the text is one delta as it stands, instead of being cut by the pace. */
  readonly whole: boolean;
  /** The probabilities of its tokens, where they are wanted. */
  readonly logprobs?: readonly TokenLogprob[];
}

/** One thing that a choice says or does, in order. */
export type Step =
  | TextStep
  | { readonly kind: "toolCall"; readonly call: CompletionToolCall }
  | { readonly kind: "wait"; readonly ms: number }
  | { readonly kind: "comment"; readonly text: string }
  | { readonly kind: "raw"; readonly text: string }
  /** Goes wrong here, if `fault.probability` has it. */
  | { readonly kind: "fault"; readonly fault: Fault };

/** One answer. */
export interface CompletionChoice {
  /** The very same list in choices that say the same. */
  readonly steps: readonly Step[];
  /** Whether these very steps come again with the next answer, so that it is worth keeping what is made of them. */
  readonly isLasting: boolean;
  /** The ids of its tool calls, by their places. */
  readonly callIds: readonly string[];
  readonly finishReason: string;
  /** As on the wire; null when nobody wants them. */
  readonly logprobs: Logprobs | null;
}

/** How many tokens of a count were of certain kinds, such as `cached_tokens`. */
type TokenDetails = Readonly<Record<string, number>>;

/** Tokens of a request and its answer. */
export interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  /** Only beside reasoning, and where the script has them; so, too, what follows. */
  readonly prompt_tokens_details?: TokenDetails | undefined;
  readonly completion_tokens_details?: TokenDetails | undefined;
}

/** A whole answer, decided and rendered, before anyone asks how it is put on the wire. */
export interface Completion {
  readonly id: string;
  /** Unix time in seconds. */
  readonly created: number;
  readonly model: string;
  readonly choices: readonly CompletionChoice[];
  readonly usage: Usage;
  readonly pace: Pace;
  readonly tokenizer: Tokenizer;
  readonly headers: ReplyHeaders;
  /** What goes wrong with the whole reply, if its probability has it. */
  readonly fault: Fault | undefined;
  readonly answeredBy: Answerer;
  /** Nothing in the fixtures answers the request. */
  readonly isMiss: true | undefined;
}

/** Whether a step says a text. */
export function isText(step: Step): step is TextStep {
  return step.kind === "content" || step.kind === "reasoning" || step.kind === "refusal";
}

/** Whether a completion has any fault. */
export function mayGoWrong({ fault, choices }: Completion): boolean {
  return (
    fault !== undefined || choices.some(({ steps }) => steps.some(({ kind }) => kind === "fault"))
  );
}

/** All the text of one kind in the steps of a choice; null when there is none. */
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

/** About what a probability takes on the wire, its token aside. */
const logprobLength = 100;

/** How many characters all choices have together. */
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
  return "text" in step ? step.text.length : 0;
}

function countLogprobs({ content, refusal }: Logprobs): number {
  let count = 0;
  for (const list of [content, refusal]) {
    for (const { top_logprobs: top } of list ?? []) count += 1 + top.length;
  }
  return count;
}

/** The tokens of what a choice says. */
export interface TokenCount {
  readonly total: number;
  /** Those of the total that are reasoning. */
  readonly reasoning: number;
}

/** Counts the tokens of what a choice says. */
export function countTokens(steps: readonly Step[], tokenizer: Tokenizer): TokenCount {
  const count = (text: string | null): number => (text === null ? 0 : tokenizer.count(text));
  const reasoning = count(textIn(steps, "reasoning"));
  let total = reasoning + count(textIn(steps, "content")) + count(textIn(steps, "refusal"));
  for (const call of callsIn(steps)) total += count(call.name) + count(call.arguments);
  return { total, reasoning };
}
