/** A parameter of a query, decoded. */
export interface QueryPair {
  readonly name: string;
  /** Undefined where there is no equals sign. */
  readonly value: string | undefined;
}

/** The parameters of a query in their order. What does not decode stays as it was sent. */
export function queryPairs(query: string): QueryPair[] {
  return query
    .split("&")
    .filter((pair) => pair !== "")
    .map((pair) => {
      const end = pair.indexOf("=");
      if (end === -1) return { name: decodedParameter(pair), value: undefined };
      return {
        name: decodedParameter(pair.slice(0, end)),
        value: decodedParameter(pair.slice(end + 1)),
      };
    });
}

/** By name; those of one name keep their order. */
export function sortedPairs(pairs: readonly QueryPair[]): readonly QueryPair[] {
  return pairs.toSorted((left, right) =>
    left.name < right.name ? -1 : left.name > right.name ? 1 : 0,
  );
}

/** A name or a value of a query, decoded where that can be done. */
export function decodedParameter(text: string): string {
  return decodedPart(text.includes("+") ? text.replaceAll("+", " ") : text) ?? text;
}

/** A part of a URL, decoded; undefined where it is not well encoded. */
export function decodedPart(text: string): string | undefined {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
