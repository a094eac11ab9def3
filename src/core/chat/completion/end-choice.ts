import { inventedLogprobs, scriptedLogprobs, type StepsWithLogprobs } from "./choice-logprobs.ts";
import { type Step } from "./completion.ts";
import { countTokens, type TokenCount } from "./count-tokens.ts";
import { cutAtStop } from "./cut-at-stop.ts";
import { cutToLength } from "./cut-to-length.ts";
import type { GenerationOptions } from "../request/generation-options.ts";
import type { ScriptChoice } from "../scripts/script.ts";
import type { SpokenChoice } from "./spoken-choice.ts";
import type { Tokenizer } from "../tokens/tokenizer.ts";

/** What a choice says as far as the request lets it, and why it ends. */
export interface EndedChoice extends StepsWithLogprobs {
  readonly tokens: TokenCount;
  readonly finishReason: string;
  readonly isCut: boolean;
}

/** What the end of a choice depends on besides the choice. */
export interface EndOptions extends GenerationOptions {
  readonly tokenizer: Tokenizer;
  readonly random: () => number;
}

/** Ends a choice where the request wants it to end. */
export function endChoice(
  choice: ScriptChoice,
  spoken: SpokenChoice,
  options: EndOptions,
): EndedChoice {
  const { steps, tokens, cutBy } = cut(spoken, options);
  const finishReason = cutBy ?? choice.finishReason ?? usualReason(steps);
  const isCut = cutBy !== undefined;
  const said = withLogprobs(choice, { steps, isCut }, options);
  return { steps: said.steps, logprobs: said.logprobs, tokens, finishReason, isCut };
}

interface Cut extends SpokenChoice {
  readonly cutBy: "stop" | "length" | undefined;
}

function cut(spoken: SpokenChoice, { stops, maxTokens, tokenizer }: EndOptions): Cut {
  const stopped = stops.length === 0 ? undefined : cutAtStop(spoken.steps, stops);
  const steps = stopped ?? spoken.steps;
  const tokens = stopped === undefined ? spoken.tokens : countTokens(stopped, tokenizer);
  const cutBy = stopped === undefined ? undefined : "stop";
  if (tokens.total <= maxTokens) return { steps, tokens, cutBy };
  const short = cutToLength(steps, maxTokens, tokenizer);
  return { steps: short.steps, tokens: short.tokens, cutBy: short.isCut ? "length" : cutBy };
}

function usualReason(steps: readonly Step[]): string {
  return steps.some((step) => step.kind === "toolCall") ? "tool_calls" : "stop";
}

function withLogprobs(
  { logprobs }: ScriptChoice,
  { steps, isCut }: { readonly steps: readonly Step[]; readonly isCut: boolean },
  { topLogprobs, tokenizer, random }: EndOptions,
): StepsWithLogprobs {
  if (logprobs !== undefined) return scriptedLogprobs(steps, logprobs, isCut);
  if (topLogprobs === undefined) return { steps, logprobs: null };
  return inventedLogprobs(steps, { tokenizer, random, top: topLogprobs });
}
