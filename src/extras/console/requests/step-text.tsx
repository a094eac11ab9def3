import type { VNode } from "preact";
import { beginsTurn, outcomeOf, resultsIn } from "./thread-words.ts";
import type { Attempt } from "./threads.ts";

interface StepTextProps {
  readonly attempt: Attempt;
  /** The last words of the user. */
  readonly said: string;
}

/**
 * What a step of a conversation began with, and what came of it. Does not repeat what the line above says: the first
 * words of the user, and the calls whose results it hands over.
 */
export function StepText({ attempt, said }: StepTextProps): VNode {
  const { entry, step, number } = attempt;
  const { attempts, before } = step;
  const outcome = outcomeOf(entry);
  const isTurn = beginsTurn(step);
  const isKnown = outcome !== "" && (step.number === 1 || !isTurn);
  return (
    <>
      <span class="muted number">{step.number}</span>
      {number < attempts.length && <span class="badge warn">attempt {number}</span>}
      {before !== undefined && before.number !== step.number - 1 && (
        <span class="badge">from step {before.number}</span>
      )}
      {!isKnown && isTurn && <span class="begun">{said === "" ? "no user message" : said}</span>}
      {!isKnown && !isTurn && <span class="begun muted">{resultsIn(step)}</span>}
      {outcome !== "" && <span class="came">→ {outcome}</span>}
    </>
  );
}
