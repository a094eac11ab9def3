import { callsIn, type Step, textIn } from "./completion.ts";
import type { Tokenizer } from "../tokens/tokenizer.ts";

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
