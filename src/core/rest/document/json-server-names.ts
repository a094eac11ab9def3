import { didYouMean } from "../../errors/nearest-name.ts";

/** What json-server's parameters are here, which are too far from their names to be found by their letters. */
const parameters: ReadonlyMap<string, string> = new Map([
  ["_sort", ' Did you mean "sort_by"?'],
  ["_order", ' Did you mean "order"?'],
  ["_limit", ' Did you mean "limit"?'],
  ["_per_page", ' Did you mean "limit"?'],
  ["_start", ' Did you mean "offset"?'],
  ["_end", ' Did you mean "limit"?'],
  ["_page", ' Did you mean "limit" and "offset"?'],
  ["_embed", " Rows of another table are a request of their own."],
  ["_expand", " Rows of another table are a request of their own."],
  ["q", ' One column is searched by "<column>.like".'],
]);

/**
 * What was probably meant by the name of a parameter that is no column: what json-server calls so, else the nearest
 * of the names that there are. A sentence with a space before it; empty where nothing is near.
 */
export function meantParameter(
  name: string,
  columns: readonly string[],
  others: readonly string[],
): string {
  const known = parameters.get(name);
  if (known !== undefined) return known;
  const [, column = "", operator = ""] = /^(.+)_(gte?|lte?|ne|like)$/s.exec(name) ?? [];
  if (columns.includes(column)) return ` Did you mean "${column}.${operator}"?`;
  return didYouMean(name, [...columns, ...others]);
}
