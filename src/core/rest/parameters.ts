/** A query parameter, decoded. */
export interface QueryParameter {
  readonly name: string;
  readonly value: string;
}

/** Decodes a query as a form: `+` is a space, bad escapes stay unchanged, names may repeat. */
export function readParameters(query: string): readonly QueryParameter[] {
  // The constructor would drop a leading "?", which is part of the first name here.
  const parameters = new URLSearchParams(query.startsWith("?") ? `&${query}` : query);
  return Array.from(parameters, ([name, value]) => ({ name, value }));
}
