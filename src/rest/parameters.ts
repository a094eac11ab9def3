/** A query parameter, decoded. */
export interface Parameter {
  readonly name: string;
  readonly value: string;
}

/** Decodes a query as a form: `+` is a space, bad escapes stay as they are, names may repeat. */
export function readParameters(query: string): readonly Parameter[] {
  // The constructor would drop a leading "?", which is part of the first name here.
  const parameters = new URLSearchParams(query.startsWith("?") ? `&${query}` : query);
  return [...parameters].map(([name, value]) => ({ name, value }));
}
