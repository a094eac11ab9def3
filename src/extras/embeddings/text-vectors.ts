import { comparableText, type GivenEmbedding } from "../../core/chat/given-embedding.ts";
import { unitVector, type VectorSpace, vectorOf } from "./vector.ts";

/**
 * How many parts of a neighbour's vector are added to one part of the text's own vector, so that the cosine of both is
 * 0.95.
 */
const nearness = 3;

/** The vectors of texts for one model: given by the fixtures, or made of their words. */
export class TextVectors {
  readonly #given: ReadonlyMap<string, GivenEmbedding>;
  readonly #space: VectorSpace;

  constructor(given: readonly GivenEmbedding[], space: VectorSpace) {
    this.#given = new Map(given.map((one) => [comparableText(one.text), one]));
    this.#space = space;
  }

  /** The vector of a text, of length 1. */
  of(text: string): Float64Array {
    const { vector, near } = this.#find(text) ?? {};
    if (vector !== undefined) return unitVector(vector, this.#space.size);
    const own = vectorOf(text, this.#space);
    if (near === undefined) return own;
    const other = this.of(near);
    const sum = own.map((number, place) => number + nearness * (other[place] ?? 0));
    return unitVector(sum, sum.length);
  }

  /** Whether the fixtures give a vector for a text. */
  gives(text: string): boolean {
    return this.#find(text) !== undefined;
  }

  #find(text: string): GivenEmbedding | undefined {
    return this.#given.size === 0 ? undefined : this.#given.get(comparableText(text));
  }
}
