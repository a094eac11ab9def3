import { comparableText, type GivenEmbedding } from "../chat/given-embedding.ts";
import { largestVector } from "../chat/models.ts";
import { showText, showValue } from "../errors/show.ts";
import { closedObject, optional, required } from "../schema/objects.ts";
import { check, type Findings, type Schema, withRule } from "../schema/schema.ts";
import { nonEmptyArray, nonEmptyText, number } from "../schema/values.ts";
import { refuseRewritten } from "./json/json-copy.ts";

/** The vector of a text. */
export const embeddingSchema: Schema<GivenEmbedding> = withRule(
  closedObject({
    text: required(nonEmptyText, "The text. Spaces and capitals make no difference."),
    vector: optional(
      nonEmptyArray(number({}), largestVector),
      "The numbers of the vector, which is filled up with zeros and scaled to length 1.",
    ),
    near: optional(
      nonEmptyText,
      "Another text. This text gets a vector close to that text's vector.",
    ),
  }),
  ({ vector, near }, run) => {
    if ((vector === undefined) === (near === undefined)) {
      run.refuse('An embedding needs either "vector" or "near".');
    }
    if (vector?.every((one) => one === 0) === true) {
      run.refuse("A vector needs at least one number that is not 0.", "vector");
    }
  },
);

/** Reads the vectors of texts. */
export function readEmbeddings(value: unknown, findings: Findings): readonly GivenEmbedding[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    findings.report(["embeddings"], `"embeddings" must be an array, but is ${showValue(value)}.`);
    return [];
  }
  const places = new Map<string, number>();
  const embeddings = value.flatMap((item: unknown, index): readonly GivenEmbedding[] => {
    const path = ["embeddings", index];
    const embedding = check(embeddingSchema, item, { path, findings });
    if (embedding === undefined) return [];
    refuseRewritten(embedding, path, findings);
    const text = comparableText(embedding.text);
    const before = places.get(text);
    if (before !== undefined) {
      const message = `Embedding ${before} has the same text. Remove one of the two.`;
      findings.report([...path, "text"], message);
    }
    places.set(text, index);
    return [embedding];
  });
  refuseCircles(embeddings, places, findings);
  return embeddings;
}

/**
 * Reports texts that are `near` themselves, directly or through others, and so have no vector. Each cycle is reported
 * once.
 */
function refuseCircles(
  embeddings: readonly GivenEmbedding[],
  places: ReadonlyMap<string, number>,
  findings: Findings,
): void {
  const neighbours = new Map(
    embeddings.flatMap(({ text, near }) =>
      near === undefined ? [] : [[comparableText(text), comparableText(near)] as const],
    ),
  );
  const done = new Set<string>();
  for (const start of neighbours.keys()) {
    const way = new Set<string>();
    let text: string | undefined = start;
    while (text !== undefined && !done.has(text) && !way.has(text)) {
      way.add(text);
      text = neighbours.get(text);
    }
    if (text !== undefined && way.has(text)) {
      const message = `${showText(text)} would be near to itself. Give it a vector, or another neighbour.`;
      findings.report(["embeddings", places.get(text) ?? 0, "near"], message);
    }
    for (const each of way) done.add(each);
  }
}
