/** A text and its vector, as fixtures give it: as numbers, or as another text whose vector is near. */
export interface GivenEmbedding {
  readonly text: string;
  readonly vector?: readonly number[];
  readonly near?: string;
}

/** A text in the form in which embeddings compare texts: without differences in spaces and capitals. */
export function comparableText(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ").toLowerCase();
}
