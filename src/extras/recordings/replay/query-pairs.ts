import { compare } from "../../../core/schema/compare.ts";
import { decodedParameter } from "../../../core/http/url-parts.ts";

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

/** The parameters sorted by name. Those with the same name keep their order. */
export function sortedPairs(pairs: readonly QueryPair[]): readonly QueryPair[] {
  return pairs.toSorted((left, right) => compare(left.name, right.name));
}
