import { type ComposeContext, composeSteps } from "./compose-steps.ts";
import type { Step } from "./completion.ts";
import { countTokens, type TokenCount } from "./count-tokens.ts";
import { hasTemplates } from "./script-templates.ts";
import type { ScriptChoice } from "./script.ts";
import type { Tokenizer } from "./tokenizer.ts";

/** What a choice says, rendered and counted. */
export interface SpokenChoice {
  readonly steps: readonly Step[];
  readonly tokens: TokenCount;
}

interface KnownChoice extends SpokenChoice {
  readonly tokenizer: Tokenizer;
}

/** What choices without templates say, which is always the same. */
const known = new WeakMap<ScriptChoice, KnownChoice>();

/** What a script's choice says. Rejects with `ERR_TEMPLATE_INVALID` when one of its templates fails. */
export async function speak(
  choice: ScriptChoice,
  tokenizer: Tokenizer,
  context: ComposeContext,
): Promise<SpokenChoice> {
  const before = known.get(choice);
  if (before?.tokenizer === tokenizer) return before;
  const steps = await composeSteps(choice, context);
  const spoken = { steps, tokens: countTokens(steps, tokenizer), tokenizer };
  if (!hasTemplates(choice)) known.set(choice, spoken);
  return spoken;
}
