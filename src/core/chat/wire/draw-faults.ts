import type { Completion, CompletionChoice, Step } from "../completion/completion.ts";
import type { Fault } from "../scripts/script.ts";

/**
 * The completion with only those faults that happen. One number is drawn for each fault with a probability: that
 * of the reply first, then those among its chunks in order, once where choices say the same.
 */
export function drawFaults(completion: Completion, random: () => number): Completion {
  if (!mayGoWrong(completion)) return completion;
  const { fault, choices } = completion;
  const happening = fault !== undefined && happens(fault, random) ? fault : undefined;
  const known = new Map<readonly Step[], readonly Step[]>();
  const drawn = choices.map((choice): CompletionChoice => {
    const steps = known.get(choice.steps) ?? choice.steps.filter((step) => stays(step, random));
    known.set(choice.steps, steps);
    return { ...choice, steps };
  });
  return { ...completion, fault: happening, choices: drawn };
}

/** Whether a completion has any fault. */
export function mayGoWrong({ fault, choices }: Completion): boolean {
  return fault !== undefined || choices.some(({ steps }) => steps.some(isFault));
}

/** Whether a fault happens this time. */
export function happens({ probability }: Fault, random: () => number): boolean {
  return probability === undefined || random() < probability;
}

function stays(step: Step, random: () => number): boolean {
  return step.kind !== "fault" || happens(step.fault, random);
}

function isFault({ kind }: Step): boolean {
  return kind === "fault";
}
