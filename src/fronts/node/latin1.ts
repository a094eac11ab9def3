/** The most bytes that are sent as a text, and so in one piece with what stands around them. */
export const largestText = 65_536;

/** Bytes as a text with a character for each, which is written as the same bytes when it is written as `latin1`. */
export function latin1Of({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString("latin1");
}

/** The encoding for a text of so many bytes: without a character beyond ASCII it is written some times faster. */
export function encodingOf(text: string, size: number): "latin1" | "utf8" {
  return text.length === size ? "latin1" : "utf8";
}
