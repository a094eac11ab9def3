import { readFileSync } from "node:fs";

/** A passage, and a question that it answers, if there is one. */
export interface Passage {
  readonly text: string;
  readonly question: string | undefined;
}

/** The passages of a file: paragraphs, with a line after `?` for the question. */
export function readPassages(name: string): readonly Passage[] {
  const file = readFileSync(new URL(name, import.meta.url), "utf8");
  return file
    .trim()
    .split("\n\n")
    .map((paragraph) => {
      const [text = "", question] = paragraph.split("\n? ");
      return { text, question };
    });
}
