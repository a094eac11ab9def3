import type { ReplyHeaders } from "../http/reply.ts";
import type { Fault, Logprobs, Pace } from "./script.ts";

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

/** One thing that a choice says or does, in order. */
export type Step =
  | {
      readonly kind: TextKind;
      readonly text: string;
      /** Whether the text is one delta as it stands, instead of being cut by the pace. */
      readonly whole: boolean;
    }
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
  /** The ids of its tool calls, by their places. */
  readonly callIds: readonly string[];
  readonly finishReason: string;
  /** As on the wire; null when nobody wants them. */
  readonly logprobs: Logprobs | null;
}

/** Tokens of a request and its answer. */
export interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
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
  readonly headers: ReplyHeaders;
  /** What goes wrong with the whole reply, if its probability has it. */
  readonly fault: Fault | undefined;
  readonly answeredBy: string;
}

/** All the text of one kind in the steps of a choice; null when there is none. */
export function textIn(steps: readonly Step[], kind: TextKind): string | null {
  const texts = steps.flatMap((step) => (step.kind === kind ? [step.text] : []));
  return texts.length === 0 ? null : texts.join("");
}

/** The tool calls in the steps of a choice. */
export function callsIn(steps: readonly Step[]): readonly CompletionToolCall[] {
  return steps.flatMap((step) => (step.kind === "toolCall" ? [step.call] : []));
}

/** How many characters all choices have together. */
export function lengthOf({ choices }: Completion): number {
  let total = 0;
  for (const { steps } of choices) {
    for (const step of steps) total += stepLength(step);
  }
  return total;
}

function stepLength(step: Step): number {
  if (step.kind === "toolCall") return step.call.arguments.length;
  return "text" in step ? step.text.length : 0;
}
