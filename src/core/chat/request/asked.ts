import type { ChatRequest } from "./chat-request.ts";
import type { Prompt } from "./prompt.ts";

/** A request, its tokens, and the id that its reply names as the model. */
export interface Asked {
  readonly request: ChatRequest;
  readonly model: string;
  readonly prompt: Prompt;
}
