// The ways in which SQLite could read the rows, with what it thinks that each costs.

import {
  FOUR_TIMES,
  logOf,
  logOfLog,
  logSum,
  prefixRows,
  TABLE_ROWS,
  THREE_TIMES,
  TWO_ROWS,
} from "./row-order-estimates.ts";
import { type Path, PathList } from "./row-order-path-list.ts";
import type { Term } from "./row-order-terms.ts";
import type { ColumnName, Tree, TreeColumn } from "./row-order-trees.ts";

/** What of a statement decides about the paths. */
export interface Statement {
  readonly terms: readonly Term[];
  /** The column that ORDER BY names, if there is an ORDER BY. */
  readonly sort: { readonly column: ColumnName } | undefined;
}

/** All paths that can be the best, in the order in which the planner finds them. */
export function listPaths(trees: readonly Tree[], { terms, sort }: Statement): readonly Path[] {
  const list = new PathList(terms);
  for (const tree of trees) {
    const purpose = sort !== undefined && mayGiveOrder(tree, sort.column) ? tree : undefined;
    const start: Prefix = {
      tree,
      purpose,
      terms: [],
      fixed: 0,
      rows: TABLE_ROWS,
      places: 0,
      lower: undefined,
    };
    // An index is read whole only for its order; but without row ids it may stand for the table.
    if (tree.isTable || purpose !== undefined || tree.columns.at(-1)?.name !== undefined) {
      list.add({ ...start, cost: scanCost(tree, terms) });
    }
    addSearches(list, start, terms);
  }
  return list.paths;
}

function mayGiveOrder({ columns, keyLength }: Tree, sortColumn: ColumnName): boolean {
  // Behind every key stands the row id.
  return (
    sortColumn === undefined || columns.slice(0, keyLength).some(({ name }) => name === sortColumn)
  );
}

/** The cost of reading a tree whole, and of looking up in the table what its entries do not hold. */
function scanCost(tree: Tree, terms: readonly Term[]): number {
  const steps = TABLE_ROWS + tree.stepCost;
  if (tree.covering) return steps;
  let lookups = TABLE_ROWS + THREE_TIMES;
  for (const { column, use } of terms) {
    if (!tree.columns.some(({ name }) => name === column)) break;
    lookups -= use === "equal" ? FOUR_TIMES : 1;
  }
  return logSum(steps, lookups);
}

/** A path that may be extended by the next column of its tree. */
interface Prefix extends Omit<Path, "cost"> {
  /** How many places the values of IN make, as a logarithm; `rows` are those at one place. */
  readonly places: number;
  /** A lower bound of the next column, which only an upper one may follow. */
  readonly lower: Term | undefined;
}

/** Adds the paths that the terms of the next column make, then of the columns behind it. */
function addSearches(list: PathList, prefix: Prefix, terms: readonly Term[]): void {
  const { tree, fixed } = prefix;
  const column = tree.columns[fixed];
  if (column === undefined || (tree.isPrimaryKey && fixed === tree.keyLength)) return;
  for (const term of terms) {
    if (list.isFull || !isUsable(term, column, prefix.lower)) continue;
    const isBound = term.use === "lower" || term.use === "upper";
    const next = isBound ? bounded(prefix, term) : placed(prefix, term);
    list.add({
      ...next,
      cost: searchCost(tree, next.rows) + next.places,
      rows: next.rows + next.places,
    });
    if (!isBound) addSearches(list, next, terms);
    else if (next.lower === term) addSearches(list, { ...next, rows: prefix.rows }, terms);
  }
}

function isUsable(term: Term, { name, collate }: TreeColumn, lower: Term | undefined): boolean {
  if (term.column !== name || (name !== undefined && term.collate !== collate)) return false;
  return lower === undefined ? term.use !== "none" : term.use === "upper";
}

/** Each bound leaves a quarter of the rows, and two together a quarter of that. */
function bounded(prefix: Prefix, term: Term): Prefix {
  const upper = term.use === "upper" ? term : term.derived?.upper;
  const added = upper === undefined || upper === term ? [term] : [term, upper];
  const isRange = prefix.lower !== undefined || added.length > 1;
  const kept = prefix.rows - (isRange ? 3 : 1) * FOUR_TIMES;
  return {
    ...prefix,
    terms: [...prefix.terms, ...added],
    rows: Math.min(prefix.rows - (isRange ? 2 : 1), Math.max(kept, TWO_ROWS)),
    lower: upper === undefined ? term : undefined,
  };
}

function placed(prefix: Prefix, term: Term): Prefix {
  const { tree, fixed, rows, places } = prefix;
  return {
    ...prefix,
    terms: [...prefix.terms, term],
    fixed: fixed + 1,
    rows: rows + prefixRows(tree, fixed + 1) - prefixRows(tree, fixed),
    places: places + (term.use === "in" ? logOf(term.values) : 0),
  };
}

/** The cost of finding one place in a tree, and of reading some rows from there on. */
function searchCost(tree: Tree, rows: number): number {
  const search = logSum(logOfLog(TABLE_ROWS), rows + tree.stepCost);
  return tree.covering ? search : logSum(search, rows + THREE_TIMES);
}
