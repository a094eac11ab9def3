import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { jsonSchema, type LanguageModel, streamText, tool } from "ai";
import type { Service } from "../transports.ts";
import {
  addingFields,
  connection,
  type Fields,
  nameOf,
  type ReadStream,
  type StreamOutcome,
} from "./stream-outcome.ts";

/** Makes a model of one of the providers. */
export type Provide = (service: Service, options?: { fetch?: typeof fetch }) => LanguageModel;

export const compatibleModel: Provide = (service, options = {}) => {
  const provider = createOpenAICompatible({
    name: "backlot",
    includeUsage: true,
    supportsStructuredOutputs: true,
    ...connection(service),
    ...options,
  });
  return provider("atlas");
};

export const openaiModel: Provide = (service, options = {}) =>
  createOpenAI({ ...connection(service), ...options }).chat("atlas");

/** A tool that takes anything. */
const anyTool = tool({
  inputSchema: jsonSchema<object>({ type: "object", properties: {} }),
  execute: () => "done",
});

/** What a loop over all parts of a text stream sees. */
export function readParts(provide: Provide): ReadStream {
  return async (service, fields) => {
    const parts = new PartOutcome();
    const { fullStream } = streamText({
      model: provide(service, { fetch: addingFields(service, fields) }),
      prompt: "hi",
      tools: { a: anyTool, b: anyTool },
      onError: () => undefined,
    });
    try {
      for await (const part of fullStream) parts.read(part);
    } catch (error) {
      return parts.result(nameOf(error));
    }
    return parts.result();
  };
}

type Part = { readonly type: string } & Fields;

class PartOutcome {
  #text = "";
  #reasoning = "";
  readonly #calls: [string, string][] = [];
  #finish: string | undefined;
  #tokens: number | undefined;
  #error: string | undefined;

  read(part: Part): void {
    if (part.type === "text-delta") this.#text += String(part["text"]);
    if (part.type === "reasoning-delta") this.#reasoning += String(part["text"]);
    if (part.type === "tool-call") {
      this.#calls.push([String(part["toolName"]), JSON.stringify(part["input"])]);
    }
    if (part.type === "error") this.#error = nameOf(part["error"]);
    if (part.type === "finish") {
      this.#finish = String(part["finishReason"]).replace("-", "_");
      this.#tokens = Object(part["totalUsage"]).totalTokens;
    }
  }

  result(error = this.#error): StreamOutcome {
    return {
      texts: [this.#text],
      reasoning: this.#reasoning,
      calls: this.#calls,
      finish: this.#finish,
      tokens: this.#tokens,
      error,
    };
  }
}
