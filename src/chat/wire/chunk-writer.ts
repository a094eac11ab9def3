import type { Completion } from "../completion/completion.ts";

/** Writes the chunks of one completion as server-sent events. */
export interface ChunkWriter {
  /** The chunk of a choice with a delta and its logprobs, if any, both as JSON text. */
  readonly delta: (index: number, delta: string, logprobs?: string) => string;
  readonly finish: (index: number, reason: string) => string;
  /** The chunk without choices that carries the usage. */
  readonly usage: () => string;
}

/**
 * Makes a writer. What all chunks have in common is written once, and put together as text: an object for each chunk
 * takes three times as long. With `includeUsage` every chunk has the key `usage`, null on all but the last; without it
 * none has.
 */
export function createChunkWriter(completion: Completion, includeUsage: boolean): ChunkWriter {
  const { id, created, model, usage, choices } = completion;
  const common = { id, object: "chat.completion.chunk", created, model, system_fingerprint: null };
  const head = `data: ${JSON.stringify(common).slice(0, -1)},"choices":[`;
  const tail = includeUsage ? `],"usage":null}\n\n` : "]}\n\n";
  const heads = choices.map((_, index) => `${head}{"index":${index},"delta":`);
  const goesOn = `,"finish_reason":null}${tail}`;
  const usual = `,"logprobs":null${goesOn}`;
  return {
    delta: (index, delta, logprobs) =>
      `${heads[index]}${delta}${logprobs === undefined ? usual : `,"logprobs":${logprobs}${goesOn}`}`,
    finish: (index, reason) =>
      `${heads[index]}{},"logprobs":null,"finish_reason":${JSON.stringify(reason)}}${tail}`,
    usage: () => `${head}],"usage":${JSON.stringify(usage)}}\n\n`,
  };
}
