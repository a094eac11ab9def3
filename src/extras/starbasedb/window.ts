import type { SortKey } from "../../core/store/query.ts";
import type { TableSchema } from "../../core/store/schema.ts";
import { countBound } from "./limits.ts";
import { readTerm, type TermScope } from "./term.ts";
import { sanitize, withoutSeparators, wordKind } from "./words.ts";

/** Integers up to this one are column numbers in ORDER BY; larger ones are constants like any other. */
const largestColumnNumber = 0x7f_ff_ff_ff;

/** What the rows are sorted by, if anything. */
export type Sorting =
  | { readonly kind: "unsorted" }
  | { readonly kind: "sorted"; readonly key: SortKey };

const unsorted: Sorting = { kind: "unsorted" };

/**
 * Reads `sort_by`, a column or its number, and `order`. Constants sort nothing; undefined when SQLite refuses
 * the name.
 */
export function readSorting(
  sortBy: string | undefined,
  order: string | undefined,
  scope: TermScope,
): Sorting | undefined {
  if (sortBy === undefined || sortBy === "") return unsorted;
  const word = withoutSeparators(sanitize(sortBy));
  const descending = order?.toUpperCase() === "DESC";
  if (wordKind(word) === "integer" && Number(word) <= largestColumnNumber) {
    return columnByNumber(Number(word), scope.schema, descending);
  }
  const term = readTerm(word, scope);
  if (term === undefined) return undefined;
  return term.kind === "constant"
    ? unsorted
    : { kind: "sorted", key: { column: term.column, descending } };
}

function columnByNumber(
  number: number,
  { columns }: TableSchema,
  descending: boolean,
): Sorting | undefined {
  const column = columns[number - 1]?.name;
  return column === undefined ? undefined : { kind: "sorted", key: { column, descending } };
}

/** Which of the rows are wanted. */
export interface RowWindow {
  readonly limit: number | undefined;
  readonly offset: number | undefined;
}

/**
 * Reads `limit` and `offset` as JavaScript's parseInt does. What is no positive number counts as left out, and an
 * offset counts only beside a limit. Undefined when SQLite refuses a number.
 */
export function readWindow(
  limitText: string | undefined,
  offsetText: string | undefined,
): RowWindow | undefined {
  const limit = readCount(limitText);
  const offset = limit === undefined ? undefined : readCount(offsetText);
  if ((limit ?? 0) >= countBound || (offset ?? 0) >= countBound) return undefined;
  return { limit, offset };
}

function readCount(text: string | undefined): number | undefined {
  const count = Number.parseInt(text ?? "", 10);
  return count > 0 ? count : undefined;
}
