import type { AIMessageChunk } from "@langchain/core/messages";
import { concat } from "@langchain/core/utils/stream";
import { ChatOpenAI } from "@langchain/openai";
import type { Service } from "../transports.ts";
import { connection, nameOf, type ReadStream, type StreamOutcome } from "./stream-outcome.ts";

type Options = ConstructorParameters<typeof ChatOpenAI>[0];

export function langchainModel(service: Service, options: Partial<Options> = {}): ChatOpenAI {
  const { apiKey, ...reach } = connection(service);
  const configuration = { ...reach, ...options.configuration };
  return new ChatOpenAI({ model: "atlas", apiKey, ...options, configuration });
}

/** What a loop over the chunks sees. */
export const readMessages: ReadStream = async (service, fields) => {
  const model = langchainModel(service, { modelKwargs: { ...fields } });
  let message: AIMessageChunk | undefined;
  try {
    for await (const chunk of await model.stream("hi")) {
      message = message === undefined ? chunk : concat(message, chunk);
    }
  } catch (error) {
    return outcomeOf(message, nameOf(error));
  }
  return outcomeOf(message);
};

function outcomeOf(message: AIMessageChunk | undefined, error?: string): StreamOutcome {
  const finish: unknown = message?.response_metadata["finish_reason"];
  const usage: { total_tokens?: number } = message?.usage_metadata ?? {};
  const calls = message?.tool_call_chunks ?? [];
  return {
    texts: [message?.text ?? ""],
    reasoning: "",
    calls: calls.map(({ name = "", args = "" }) => [name, args]),
    finish: typeof finish === "string" ? finish : undefined,
    tokens: usage.total_tokens,
    error,
  };
}
