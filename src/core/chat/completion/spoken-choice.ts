import { type ComposeContext, composeSteps } from "./compose-steps.ts";
import type { Step } from "./completion.ts";
import { countTokens, type TokenCount } from "./count-tokens.ts";
import { hasTemplates } from "../scripts/script-templates.ts";
import type { ScriptChoice } from "../scripts/script.ts";
import type { Tokenizer } from "../tokens/tokenizer.ts";

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

const lasting = new WeakSet<readonly Step[]>();

/** Whether these very steps come again with the next answer, so that it is worth keeping what is made of them. */
export function areLasting(steps: readonly Step[]): boolean {
  return lasting.has(steps);
}

/** What scripted choices say, where all of them said the same before; else undefined. */
export function spokenBefore(
  choices: readonly ScriptChoice[],
  tokenizer: Tokenizer,
): readonly SpokenChoice[] | undefined {
  const before: SpokenChoice[] = [];
  for (const choice of choices) {
    const spoken = known.get(choice);
    if (spoken?.tokenizer !== tokenizer) return undefined;
    before.push(spoken);
  }
  return before;
}

/** What scripted choices say, in turn. Rejects with `ERR_TEMPLATE_INVALID` when one of their templates fails. */
export async function speak(
  choices: readonly ScriptChoice[],
  tokenizer: Tokenizer,
  context: ComposeContext,
): Promise<readonly SpokenChoice[]> {
  const spoken: SpokenChoice[] = [];
  for (const choice of choices) spoken.push(await speakOne(choice, tokenizer, context));
  return spoken;
}

async function speakOne(
  choice: ScriptChoice,
  tokenizer: Tokenizer,
  context: ComposeContext,
): Promise<SpokenChoice> {
  const steps = await composeSteps(choice, context);
  const spoken = { steps, tokens: countTokens(steps, tokenizer), tokenizer };
  if (!hasTemplates(choice)) {
    known.set(choice, spoken);
    lasting.add(steps);
  }
  return spoken;
}
