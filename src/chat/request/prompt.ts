import { andThen, type MaybePromise } from "../../http/maybe-promise.ts";
import type { ChatRequest } from "./chat-request.ts";
import type { ChatContext } from "../context.ts";
import { chatErrors } from "../errors.ts";
import { generationOptions } from "./generation-options.ts";
import { countPrompt } from "./prompt-tokens.ts";
import { type Read, refused, taken } from "./read.ts";
import { type Tokenizer } from "../tokens/tokenizer.ts";
import { loadTokenizer } from "../tokens/load-tokenizer.ts";

/** A request in tokens. */
export interface Prompt {
  readonly tokenizer: Tokenizer;
  readonly tokens: number;
  /** How many more its model's context has, less than 0 when it is too long; Infinity when the fixtures do not say. */
  readonly room: number;
}

type PromptContext = Pick<ChatContext, "models" | "tokenizer">;

/** Counts a request's tokens, and refuses it when its model has no room for it and for what it asks for. */
export function measurePrompt(
  request: ChatRequest,
  context: PromptContext,
): MaybePromise<Read<Prompt>> {
  return andThen(countedPrompt(request, context), (prompt) => {
    const { maxTokens } = generationOptions(request);
    const completion = maxTokens === Infinity ? 0 : maxTokens;
    if (completion <= prompt.room) return taken(prompt);
    const limit = prompt.tokens + prompt.room;
    return refused(chatErrors.contextLengthExceeded({ limit, prompt: prompt.tokens, completion }));
  });
}

function countedPrompt(request: ChatRequest, context: PromptContext): MaybePromise<Prompt> {
  return andThen(loadTokenizer(context.tokenizer), (tokenizer) => {
    const tokens = countPrompt(request, tokenizer);
    return { tokenizer, tokens, room: contextLength(request.model, context) - tokens };
  });
}

function contextLength(id: string, { models }: PromptContext): number {
  const model =
    models.find((candidate) => candidate.id === id) ??
    models.find((candidate) => candidate.variant === id);
  return model?.contextLength ?? Infinity;
}
