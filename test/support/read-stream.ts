/** Reads a body chunk by chunk as text, in the sizes in which it comes. */
export async function* textChunks(response: Response): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) yield decoder.decode(bytes, { stream: true });
}

/** Reads until the text so far contains `part`, and leaves the rest unread. */
export async function readUntil(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  part: string,
): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  while (!text.includes(part)) {
    const { done, value } = await reader.read();
    if (done) break;
    text += decoder.decode(value, { stream: true });
  }
  return text;
}
