import { isText, type Step } from "./completion.ts";

/**
 * The steps of a choice that was cut, as they end. What is silent after the last word does not happen, and a content
 * of which nothing is left is an empty one.
 */
export function ended(kept: readonly Step[], whole: readonly Step[]): readonly Step[] {
  const last = kept.findLastIndex((step) => isText(step) || step.kind === "toolCall");
  const steps = kept.slice(0, last + 1);
  if (!hasContent(whole) || hasContent(steps)) return steps;
  return [...steps, { kind: "content", text: "", whole: false }];
}

function hasContent(steps: readonly Step[]): boolean {
  return steps.some((step) => step.kind === "content");
}
