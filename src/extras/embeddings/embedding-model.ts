import type { ChatError } from "../../core/chat/errors.ts";
import { chatErrors } from "../../core/chat/errors.ts";
import type { Model, ModelContext } from "../../core/chat/models.ts";
import { failed, ok, type Result } from "../../core/errors/result.ts";
import { embeddingErrors } from "./errors.ts";

/** A model that makes vectors. */
export interface EmbeddingModel {
  /** As the request names it. */
  readonly id: string;
  /** As the answer names it. */
  readonly answers: string;
  /** The same by whichever id it is called. */
  readonly name: string;
  /** How many numbers its vectors have. */
  readonly size: number;
  /** The most tokens of a text. */
  readonly longestText: number;
  /** Whether a request can ask for fewer numbers. */
  readonly isShortened: boolean;
}

/** What is known of OpenAI's models. */
const sizes: Readonly<Record<string, number>> = { "text-embedding-3-large": 3072 };
const usualSize = 1536;
const usualLongest = 8192;
const neverShortened = /^text-embedding-ada-002/;

/**
 * The model of a request, which may also name the variant. Without `models` in the fixtures, or where unknown ones are
 * accepted, every id is one.
 */
export function findEmbeddingModel(
  id: string,
  { models, acceptModel }: ModelContext,
): Result<EmbeddingModel, ChatError> {
  const listed =
    models.find((model) => model.id === id) ?? models.find(({ variant }) => variant === id);
  if (listed?.kind === "embedding") return ok(modelOf(id, listed));
  const known = models.filter(({ kind }) => kind === "embedding").map((model) => model.id);
  if (listed !== undefined) return failed(embeddingErrors.notAnEmbeddingModel(id, known));
  if (models.length > 0 && acceptModel === undefined) {
    return failed(chatErrors.unknownModel(id, known));
  }
  if (models.length > 0) acceptModel?.(id);
  return ok(modelOf(id, { id }));
}

function modelOf(
  id: string,
  listed: Pick<Model, "id" | "variant" | "dimensions" | "contextLength">,
): EmbeddingModel {
  const { id: name, variant = name, dimensions, contextLength } = listed;
  return {
    id,
    answers: variant,
    name,
    size: dimensions ?? sizes[name] ?? usualSize,
    longestText: contextLength ?? usualLongest,
    isShortened: !neverShortened.test(name),
  };
}
