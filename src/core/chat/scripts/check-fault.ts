import type { Fault, FaultKind } from "./script.ts";

/** What is wrong with a fault, and at which keys. */
interface FaultProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Kinds that no number of chunks comes before, and why. */
const placeless: Partial<Readonly<Record<FaultKind, string>>> = {
  hang: "afterChunks has no effect on a hang, which sends nothing at all; use the kind stall, or leave it out",
  noFinish: "afterChunks has no effect on noFinish; leave it out",
  noDone: "afterChunks has no effect on noDone; leave it out",
};

/** Everything that is wrong with a fault, of a reply or among chunks. */
export function checkFault(
  { kind, afterChunks, probability, error }: Fault,
  path: FaultProblem["path"],
): FaultProblem[] {
  const problems: FaultProblem[] = [];
  const add = (key: string, message: string): void => {
    problems.push({ path: [...path, key], message });
  };
  if (afterChunks !== undefined) {
    const whole = Number.isSafeInteger(afterChunks) && afterChunks >= 0;
    if (!whole) add("afterChunks", "has to be a whole number, 0 or more");
    else if (placeless[kind] !== undefined) add("afterChunks", placeless[kind]);
  }
  if (probability !== undefined && !(probability >= 0 && probability <= 1)) {
    add("probability", "has to be from 0 to 1");
  }
  if (error !== undefined && kind !== "error") {
    add(
      "error",
      `error says what the kind error sends, but the kind is ${kind}; leave one of the two out`,
    );
  }
  return problems;
}
