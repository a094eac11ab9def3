/** How a runtime's answers are, beside those of Node. */
export interface Compared {
  readonly summary: string;
  /** One for each answer that is another; what went wrong, where there are no answers. */
  readonly differences: readonly string[];
}

/** Compares a transcript byte for byte; a text in its place says why there is none. */
export function compareAnswers(
  expected: readonly string[],
  answers: readonly string[] | string,
): Compared {
  if (typeof answers === "string") return { summary: "failed", differences: [answers] };
  const length = Math.max(expected.length, answers.length);
  const places = Array.from({ length }, (_, at) => at);
  const differing = places.filter((at) => expected[at] !== answers[at]);
  return {
    summary: `${length - differing.length} of ${length} answers the same`,
    differences: differing.map((at) => `- ${expected[at]}\n+ ${answers[at]}`),
  };
}
