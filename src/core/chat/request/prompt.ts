import type { ChatError } from "../errors.ts";
import { failed, ok, type Result } from "../../errors/result.ts";
import type { ChatRequest } from "./chat-request.ts";
import type { ChatContext } from "../context.ts";
import { chatErrors } from "../errors.ts";
import { type GenerationOptions, generationOptions } from "./generation-options.ts";
import { countPrompt } from "./prompt-tokens.ts";
import type { Tokenizer } from "../tokens/tokenizer.ts";

/** A request in tokens, and what it says of those to come. */
export interface Prompt {
  readonly options: GenerationOptions;
  readonly tokenizer: Tokenizer;
  readonly tokens: number;
  /** How many more its model's context has, less than 0 when it is too long; Infinity when the fixtures do not say. */
  readonly room: number;
}

type PromptContext = Pick<ChatContext, "models">;

/** Counts a request's tokens, and refuses it when its model has no room for it and for what it asks for. */
export function measurePrompt(
  request: ChatRequest,
  tokenizer: Tokenizer,
  context: PromptContext,
): Result<Prompt, ChatError> {
  const tokens = countPrompt(request, tokenizer);
  const limit = contextLength(request.model, context);
  const options = generationOptions(request);
  const completion = options.maxTokens === Infinity ? 0 : options.maxTokens;
  const room = limit - tokens;
  if (completion <= room) return ok({ tokenizer, tokens, room, options });
  return failed(chatErrors.contextLengthExceeded({ limit, prompt: tokens, completion }));
}

function contextLength(id: string, { models }: PromptContext): number {
  const model =
    models.find((candidate) => candidate.id === id) ??
    models.find((candidate) => candidate.variant === id);
  return model?.contextLength ?? Infinity;
}
