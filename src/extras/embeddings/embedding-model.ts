import type { ChatError } from "../../core/chat/errors.ts";
import { chatErrors } from "../../core/chat/errors.ts";
import type { Model, ModelContext } from "../../core/chat/models.ts";
import { failed, ok, type Result } from "../../core/errors/result.ts";
import { embeddingErrors } from "./errors.ts";

/** A model that makes vectors. */
export interface EmbeddingModel {
  /** The id in the request. */
  readonly id: string;
  /** The id in the answer. */
  readonly answers: string;
  /** The model's id in the fixtures, the same whether the request has this id or the variant. */
  readonly name: string;
  /** How many numbers the model's vectors have. */
  readonly size: number;
  /** The most tokens of a text. */
  readonly longestText: number;
  /** Whether a request can ask for fewer numbers. */
  readonly isShortened: boolean;
}

/** The sizes of the vectors of OpenAI's models, if they differ from `usualSize`. */
const sizes: Readonly<Record<string, number>> = { "text-embedding-3-large": 3072 };
const usualSize = 1536;
const usualLongest = 8192;
const neverShortened = /^text-embedding-ada-002/;

/**
 * The model of a request, which may also name the variant. If the fixtures have no models or accept unknown ones, every
 * id is accepted.
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
