import type { ChatContext } from "../../core/chat/context.ts";
import { chatErrors, errorReply } from "../../core/chat/errors.ts";
import { rateLimitHeaders } from "../../core/chat/rate-limiter.ts";
import type { Call } from "../../core/http/call.ts";
import { jsonReply, type Reply } from "../../core/http/reply.ts";
import { type AdmittedEmbeddings, admitEmbeddings } from "./admit-embeddings.ts";
import { base64Floats } from "./base64-floats.ts";
import { TextVectors } from "./text-vectors.ts";
import { unitVector } from "./vector.ts";

/**
 * The seed if the settings have none. It is fixed, so that a text always gets the same vector, and stored vectors can
 * be searched.
 */
const usualSeed = 1;

/** Answers `POST /embeddings` in this order: request, limits, vectors. */
export async function createEmbeddings(call: Call, context: ChatContext): Promise<Reply> {
  const admitted = await admitEmbeddings(call, context);
  if (!admitted.ok) return errorReply(admitted.error, context.profile);
  const { limiter, clockStands, now } = context;
  if (!limiter?.isActive) return embeddingsReply(admitted.value, context);
  const { tokens, model } = admitted.value;
  const refusal = limiter.take(tokens, now());
  const reply =
    refusal === undefined
      ? embeddingsReply(admitted.value, context)
      : errorReply(chatErrors.rateLimited({ ...refusal, model: model.id, clockStands }));
  return { ...reply, headers: { ...rateLimitHeaders(limiter.states(now())), ...reply.headers } };
}

function embeddingsReply(
  { texts, tokens, model, size, encoding }: AdmittedEmbeddings,
  { seed = usualSeed, embeddings = [] }: ChatContext,
): Reply {
  const vectors = new TextVectors(embeddings, { seed, model: model.name, size: model.size });
  const data = texts.map((text, index) => {
    const numbers = Float32Array.from(unitVector(vectors.of(text), size));
    return { object: "embedding", index, embedding: wireForms[encoding](numbers) };
  });
  const usage = { prompt_tokens: tokens, total_tokens: tokens };
  const reply = jsonReply(200, { object: "list", data, model: model.answers, usage });
  const isGiven = texts.every((text) => vectors.gives(text));
  return { ...reply, answeredBy: "embeddings", isMiss: isGiven ? undefined : true };
}

/** Writes the numbers of a vector into an answer, by `encoding_format`. */
const wireForms = {
  float: (numbers: Float32Array): unknown => [...numbers],
  base64: base64Floats,
} as const;
