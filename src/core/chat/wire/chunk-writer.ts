import type { Completion, Usage } from "../completion/completion.ts";

/** What each chunk of a completion begins with. A writer writes the rest, which other completions may have too. */
export function chunkHead({ id, created, model }: Completion): string {
  const common = { id, object: "chat.completion.chunk", created, model, system_fingerprint: null };
  return `data: ${JSON.stringify(common).slice(0, -1)},"choices":[`;
}

/** Writes what chunks have behind their head, as server-sent events. */
export interface ChunkWriter {
  /** The chunk of a choice with a delta and its logprobs, if any, both as JSON text. */
  readonly delta: (index: number, delta: string, logprobs?: string) => string;
  readonly finish: (index: number, reason: string) => string;
}

/**
 * Makes a writer. Chunks are put together as text: an object for each takes three times as long. With `includeUsage`
 * each has the key `usage`, which is null; without it none has. Pieces are joined and not added up: what is added up is
 * only noted by V8, and copied together each time that streams share it.
 */
export function createChunkWriter(includeUsage: boolean): ChunkWriter {
  const tail = includeUsage ? `],"usage":null}\n\n` : "]}\n\n";
  const goesOn = `,"finish_reason":null}${tail}`;
  const usual = `,"logprobs":null${goesOn}`;
  return {
    delta: (index, delta, logprobs) => {
      const rest = logprobs === undefined ? usual : `,"logprobs":${logprobs}${goesOn}`;
      return ['{"index":', index, ',"delta":', delta, rest].join("");
    },
    finish: (index, reason) =>
      `{"index":${index},"delta":{},"logprobs":null,"finish_reason":${JSON.stringify(reason)}}${tail}`,
  };
}

/** The chunk without choices that carries the usage. */
export function usageChunk(usage: Usage): string {
  return `],"usage":${JSON.stringify(usage)}}\n\n`;
}
