import type { ChatRequest } from "../request/chat-request.ts";
import type { FullAnswer, Usage } from "./completion.ts";

/** The counts of the prompt for which the published schema has a default. */
const noPromptDetails = { cached_tokens: 0, audio_tokens: 0, cache_write_tokens: 0 };
const noCompletionDetails = {
  reasoning_tokens: 0,
  audio_tokens: 0,
  accepted_prediction_tokens: 0,
  rejected_prediction_tokens: 0,
};

/** A usage with all counts of the published schema. */
export function fullUsage({
  prompt_tokens_details: ofPrompt,
  completion_tokens_details: ofCompletion,
  ...totals
}: Usage): Usage {
  return {
    ...totals,
    prompt_tokens_details: { ...noPromptDetails, ...ofPrompt },
    completion_tokens_details: { ...noCompletionDetails, ...ofCompletion },
  };
}

/** The keys of a full answer that depend on the request. */
export function fullAnswer({ body }: ChatRequest): FullAnswer {
  // The published schema wants a text, although the documents show null.
  return { serviceTier: tierOf(body["service_tier"]), fingerprint: "fp_backlot" };
}

/** The service tier that an answer names. For `auto` that is `default`; `fast` is another name of `priority`. */
export function tierOf(asked: unknown): string {
  if (asked === "fast") return "priority";
  return typeof asked === "string" && asked !== "auto" ? asked : "default";
}
