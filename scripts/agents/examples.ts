/** What an example asks a program, and what has to come of it. */
export interface Example {
  readonly folder: string;
  /** The messages of one conversation, and the words in which each is answered. */
  readonly asked: readonly (readonly [prompt: string, answer: string])[];
  /** How many requests each script answers at least. */
  readonly scripts: Readonly<Record<string, number>>;
  readonly handsOver?: boolean;
}

export const agentExamples: readonly Example[] = [
  {
    folder: "same-tool",
    asked: [["Read every page", "I have read all five pages."]],
    scripts: { pages: 6 },
  },
  {
    folder: "calls-at-once",
    asked: [["Read both pages", "I have read both pages."]],
    scripts: { pages: 2 },
  },
  {
    folder: "hand-over",
    asked: [["Ask a helper what the first page says", "The helper is done."]],
    scripts: { main: 2, helper: 2 },
    handsOver: true,
  },
  {
    folder: "title-request",
    asked: [["Read the first page", "I have read the first page."]],
    scripts: { page: 2 },
  },
  {
    folder: "text-around-a-call",
    asked: [["Read the first page", "I have read the first page."]],
    scripts: { page: 2 },
  },
  {
    folder: "resumed",
    asked: [
      ["I am Ada", "Hello Ada."],
      ["What is my name?", "Your name is Ada."],
    ],
    scripts: { first: 1, again: 1 },
  },
];
