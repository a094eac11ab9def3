import type { Usage } from "./completion.ts";
import type { TokenCount } from "./count-tokens.ts";
import type { ScriptReply } from "../scripts/script.ts";

/** The usage of an answer: what the script says, and what was counted for what it leaves out. */
export function usageOf(
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
