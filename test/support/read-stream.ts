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

/** All that came of a body, and what broke it; undefined when it ended in order. */
export interface BodyRead {
  readonly text: string;
  readonly error: unknown;
}

/** Reads a body to its end, or until it breaks. */
export async function readToEnd(response: Response): Promise<BodyRead> {
  let text = "";
  try {
    for await (const chunk of textChunks(response)) text += chunk;
    return { text, error: undefined };
  } catch (error) {
    return { text, error };
  }
}
