import type { VNode } from "preact";
import { hashOf, useRoute } from "../parts/route.ts";
import { entryKey } from "./summary.ts";
import { type Attempt, attemptsIn, type Step } from "./threads.ts";

/**
 * Says which step of its conversation a request is, with links to the steps before and after; nothing if the request
 * stands alone.
 */
export function StepPlace({ attempt }: { readonly attempt: Attempt }): VNode | null {
  const { step } = attempt;
  const all = attemptsIn(step.thread);
  const at = all.indexOf(attempt);
  if (all.length === 1) return null;
  return (
    <div class="row steps" role="group" aria-label="Steps of the conversation">
      <span class="muted grow">{placeText(attempt)}</span>
      <span class="row">
        <StepLink from={step} to={all[at - 1]} text={(name) => `← ${name}`} />
        <StepLink from={step} to={all[at + 1]} text={(name) => `${name} →`} />
      </span>
    </div>
  );
}

function placeText({ step, number }: Attempt): string {
  const { steps } = step.thread;
  const { length } = step.attempts;
  if (steps.length === 1) return `Attempt ${number} of ${length}`;
  const attempt = length > 1 ? `, attempt ${number}` : "";
  return `Step ${step.number} of ${steps.length} in a conversation${attempt}`;
}

interface StepLinkProps {
  readonly from: Step;
  readonly to: Attempt | undefined;
  readonly text: (name: string) => string;
}

/** A link to a request of a conversation, which is shown as this one is. */
function StepLink({ from, to, text }: StepLinkProps): VNode | null {
  const { state } = useRoute();
  if (to === undefined) return null;
  const { entry, step, number } = to;
  const name = step === from ? `Attempt ${number}` : `Step ${step.number}`;
  return <a href={hashOf("requests", entryKey(entry), state)}>{text(name)}</a>;
}
