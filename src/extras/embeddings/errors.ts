import type { ChatError } from "../../core/chat/errors.ts";
import { cut } from "../../core/errors/show.ts";

type Details = Partial<Omit<ChatError, "status" | "message">>;

function refusal(status: number, message: string, details: Details = {}): ChatError {
  return { status, message, type: "invalid_request_error", code: null, param: null, ...details };
}

/** The most texts of a request, and the most tokens in a list of them. */
export const mostInputs = 2048;

/** The most tokens of a request. */
export const mostTokens = 300_000;

/** The errors of embeddings, besides those of all chat endpoints. */
export const embeddingErrors = {
  notAnEmbeddingModel: (id: string, known: readonly string[]): ChatError =>
    refusal(
      403,
      `Cannot answer: you are not allowed to generate embeddings from this model, since \`${cut(id)}\` is a chat ` +
        `model. Use one of these: ${known.slice(0, 10).join(", ") || "there is none in the fixtures"}.`,
    ),
  invalidInput: (problem: string): ChatError =>
    refusal(
      400,
      `Cannot read the request: '$.input' is invalid: ${problem} It must be a text that is not empty, a list of ` +
        `1 to ${mostInputs} of them, or tokens in place of texts.`,
    ),
  tooManyInputs: (length: number): ChatError =>
    refusal(
      400,
      `Cannot read the request: "input" is an array too long: it has ${length} items, but it can have at most ` +
        `${mostInputs}. Send them in several requests.`,
      { code: "array_above_max_length", param: "input" },
    ),
  inputTooLong: (param: string, tokens: number, most: number): ChatError =>
    refusal(
      400,
      `Cannot answer: "${param}" is too long: its maximum input length is ${most} tokens, but it has ${tokens}. ` +
        "Split the text.",
      { param },
    ),
  tooManyTokens: (tokens: number): ChatError =>
    refusal(
      400,
      `Cannot answer: you requested ${tokens} tokens, max ${mostTokens} tokens per request. Send fewer texts at a time.`,
      { type: "max_tokens_per_request", code: "max_tokens_per_request" },
    ),
  tooManyDimensions: (dimensions: number, most: number): ChatError =>
    refusal(
      400,
      `Cannot answer: invalid value for 'dimensions' = ${dimensions}. Must be less than or equal to ${most}, which the ` +
        "model's vectors have.",
    ),
  neverShortened: (id: string): ChatError =>
    refusal(
      400,
      `Cannot answer: the model \`${cut(id)}\` does not support specifying dimensions. Leave "dimensions" out.`,
    ),
  noSuchToken: (token: number): ChatError =>
    embeddingErrors.invalidInput(`its token ${token} is none of the encoding.`),
  noEncoding: (): ChatError =>
    refusal(
      400,
      "Cannot answer: tokens cannot be read here, where the package gpt-tokenizer is not installed. Send texts, or install it: npm install --save-dev gpt-tokenizer.",
    ),
} as const;
