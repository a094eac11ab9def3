/** A parameter of a query, decoded. */
export interface QueryPair {
  readonly name: string;
  /** Undefined if there is no equals sign. */
  readonly value: string | undefined;
}

/** The parameters of a query in order. What cannot be decoded stays as sent. */
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

/** Sorted by name; parameters of one name keep their order. */
export function sortedPairs(pairs: readonly QueryPair[]): readonly QueryPair[] {
  return pairs.toSorted((left, right) =>
    left.name < right.name ? -1 : left.name > right.name ? 1 : 0,
  );
}

/** A name or a value of a query, decoded if possible. */
export function decodedParameter(text: string): string {
  return decodedPart(text.includes("+") ? text.replaceAll("+", " ") : text) ?? text;
}

/** A part of a URL, decoded; undefined if it is badly encoded. */
export function decodedPart(text: string): string | undefined {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
