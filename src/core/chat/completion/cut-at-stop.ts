import { graphemeStart } from "../tokens/graphemes.ts";
import { type Step, textIn } from "./completion.ts";
import { ended } from "./cut-end.ts";

/** What a choice says up to the first of some texts in its content; undefined when it has none of them. */
export function cutAtStop(
  steps: readonly Step[],
  stops: readonly string[],
): readonly Step[] | undefined {
  const content = textIn(steps, "content") ?? "";
  const found = firstOf(stops, content);
  if (found === undefined) return undefined;
  const stop = graphemeStart(content, found);
  const kept: Step[] = [];
  let place = 0;
  for (const step of steps) {
    if (step.kind !== "content") {
      kept.push(step);
      continue;
    }
    const end = place + step.text.length;
    if (stop < end) {
      if (stop > place) kept.push({ ...step, text: step.text.slice(0, stop - place) });
      break;
    }
    kept.push(step);
    place = end;
  }
  return ended(kept, steps);
}

function firstOf(stops: readonly string[], content: string): number | undefined {
  let first: number | undefined;
  for (const stop of stops) {
    const place = content.indexOf(stop);
    if (place !== -1 && (first === undefined || place < first)) first = place;
  }
  return first;
}
