import type { Completion } from "./completion.ts";

/** Writes the chunks of one completion as server-sent events. */
export interface ChunkWriter {
  readonly delta: (index: number, delta: object) => string;
  readonly finish: (index: number, reason: string) => string;
  /** The chunk without choices that carries the usage. */
  readonly usage: () => string;
}

/**
 * Makes a writer. What all chunks have in common is written once. With `includeUsage` every chunk has the key
 * `usage`, null on all but the last; without it none has.
 */
export function createChunkWriter(completion: Completion, includeUsage: boolean): ChunkWriter {
  const { id, created, model, usage } = completion;
  const common = { id, object: "chat.completion.chunk", created, model, system_fingerprint: null };
  const head = `data: ${JSON.stringify(common).slice(0, -1)},"choices":[`;
  const tail = includeUsage ? `],"usage":null}\n\n` : "]}\n\n";
  const choice = (index: number, delta: object, reason: string | null): string =>
    `${head}${JSON.stringify({ index, delta, logprobs: null, finish_reason: reason })}${tail}`;
  return {
    delta: (index, delta) => choice(index, delta, null),
    finish: (index, reason) => choice(index, {}, reason),
    usage: () => `${head}],"usage":${JSON.stringify(usage)}}\n\n`,
  };
}
