/** What fixtures say of the vector of a text: its numbers, or a text that it is near to. */
export interface GivenEmbedding {
  readonly text: string;
  readonly vector?: readonly number[];
  readonly near?: string;
}

/** A text as embeddings compare it: spaces and capitals make no difference. */
export function comparableText(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ").toLowerCase();
}
