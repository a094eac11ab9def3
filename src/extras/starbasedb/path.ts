import { filledPieces } from "../../core/rest/parameters.ts";
import { sanitize } from "./words.ts";

/** What a path addresses. */
export interface StatementTarget {
  /** The table's name, sanitised. */
  readonly name: string;
  /** The key as it stands in the path: nothing is percent-decoded. */
  readonly key: string | undefined;
}

/** Reads `/table/key`; undefined when there is no table. Empty and further segments do not count. */
export function readPath(path: string): StatementTarget | undefined {
  const [name, key] = filledPieces(path, "/");
  return name === undefined ? undefined : { name: sanitize(name), key };
}
