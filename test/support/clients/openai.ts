import OpenAI, { type ClientOptions } from "openai";
import { VERSION } from "openai/version";
import type { Service } from "../transports.ts";
import { connection, nameOf, type ReadStream, type StreamOutcome } from "./stream-outcome.ts";

/** Version 7 stops reading at `[DONE]`, 6 at the end of the body; and 7 waits for no longer than a minute. */
export const isOpenai6: boolean = VERSION.startsWith("6.");

export function openaiClient(service: Service, options: ClientOptions = {}): OpenAI {
  return new OpenAI({ ...connection(service), ...options });
}

type ChunkStream = AsyncIterable<OpenAI.ChatCompletionChunk>;
type StreamBody = OpenAI.ChatCompletionCreateParamsStreaming;

export const hello: { model: string; messages: [{ role: "user"; content: string }] } = {
  model: "atlas",
  messages: [{ role: "user", content: "hi" }],
};

/** What a loop over the raw chunks sees. */
export const readChunks: ReadStream = async (service, fields) => {
  const outcome = new ChunkOutcome();
  try {
    const body: StreamBody = { ...hello, stream: true, ...fields };
    await outcome.readAll(await openaiClient(service).chat.completions.create(body));
  } catch (error) {
    return outcome.result(nameOf(error));
  }
  return outcome.result();
};

/** What the stream helper gives in the end. */
export const readHelper: ReadStream = async (service, fields) => {
  const runner = openaiClient(service).chat.completions.stream({ ...hello, ...fields });
  try {
    return finished(await runner.finalChatCompletion());
  } catch (error) {
    return new ChunkOutcome().result(nameOf(error));
  }
};

function finished({ choices, usage }: OpenAI.ChatCompletion): StreamOutcome {
  const message = choices[0]?.message;
  const calls = message?.tool_calls ?? [];
  return {
    texts: choices.map((choice) => choice.message.content ?? ""),
    reasoning: reasoningOf(message),
    calls: calls.flatMap((call) =>
      call.type === "function" ? [[call.function.name, call.function.arguments] as const] : [],
    ),
    finish: choices[0]?.finish_reason,
    tokens: usage?.total_tokens,
    error: undefined,
  };
}

/** What compatible services send and the client's types do not have. */
export function reasoningOf(message: object | undefined): string {
  const { reasoning_content: text }: { reasoning_content?: unknown } = message ?? {};
  return typeof text === "string" ? text : "";
}

/** Puts chunks together, as applications do that use no helper. */
class ChunkOutcome {
  readonly #texts: string[] = [];
  readonly #calls: [string, string][] = [];
  #reasoning = "";
  #finish: string | undefined;
  #tokens: number | undefined;

  async readAll(chunks: ChunkStream): Promise<void> {
    for await (const { choices, usage } of chunks) {
      this.#tokens = usage?.total_tokens ?? this.#tokens;
      for (const choice of choices) this.#read(choice);
    }
  }

  #read({ index, delta, finish_reason }: OpenAI.ChatCompletionChunk.Choice): void {
    this.#texts[index] = `${this.#texts[index] ?? ""}${delta.content ?? ""}`;
    this.#reasoning += reasoningOf(delta);
    this.#finish = finish_reason ?? this.#finish;
    for (const { index: at, function: part } of delta.tool_calls ?? []) {
      const [name, args] = this.#calls[at] ?? ["", ""];
      this.#calls[at] = [`${name}${part?.name ?? ""}`, `${args}${part?.arguments ?? ""}`];
    }
  }

  result(error?: string): StreamOutcome {
    return {
      texts: this.#texts,
      reasoning: this.#reasoning,
      calls: this.#calls,
      finish: this.#finish,
      tokens: this.#tokens,
      error,
    };
  }
}
