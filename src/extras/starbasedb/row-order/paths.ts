import {
  type ColumnName,
  type Tree,
  type TreeColumn,
  FOUR_TIMES,
  TABLE_ROWS,
  THREE_TIMES,
  TWO_ROWS,
  logOf,
  logOfLog,
  logSum,
  prefixRows,
} from "./trees.ts";
import type { PlannerTerm } from "./terms.ts";

// The ways in which SQLite could read the rows, with its estimate of the cost of each.

/** What the paths of a statement depend on. */
interface Statement {
  readonly terms: readonly PlannerTerm[];
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
    // A whole index is read only for its order, or in place of a table without row ids.
    if (tree.isTable || purpose !== undefined || tree.columns.at(-1)?.name !== undefined) {
      list.add({ ...start, cost: scanCost(tree, terms) });
    }
    addSearches(list, start, terms);
  }
  return list.paths;
}

function mayGiveOrder({ columns, keyLength }: Tree, sortColumn: ColumnName): boolean {
  // Every key ends with the row id.
  return (
    sortColumn === undefined || columns.slice(0, keyLength).some(({ name }) => name === sortColumn)
  );
}

/** The cost of reading a whole tree, and of looking up in the table what its entries lack. */
function scanCost(tree: Tree, terms: readonly PlannerTerm[]): number {
  const steps = TABLE_ROWS + tree.stepCost;
  if (tree.covering) return steps;
  let lookups = TABLE_ROWS + THREE_TIMES;
  for (const { column, use } of terms) {
    if (!tree.columns.some(({ name }) => name === column)) break;
    lookups -= use === "equal" ? FOUR_TIMES : 1;
  }
  return logSum(steps, lookups);
}

/** A path that the next column of its tree may extend. */
interface Prefix extends Omit<Path, "cost"> {
  /** How many places the values of IN name, as a logarithm; `rows` counts those at one place. */
  readonly places: number;
  /** A lower bound of the next column. Only an upper bound may follow it. */
  readonly lower: PlannerTerm | undefined;
}

/** Adds the paths for the terms of the next column, then for those of later columns. */
function addSearches(list: PathList, prefix: Prefix, terms: readonly PlannerTerm[]): void {
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

/** Whether a term is about the next column of a tree. */
export function isUsable(
  term: PlannerTerm,
  { name, collate }: TreeColumn,
  lower: PlannerTerm | undefined,
): boolean {
  if (term.column !== name || (name !== undefined && term.collate !== collate)) return false;
  return lower === undefined ? term.use !== "none" : term.use === "upper";
}

/** Each bound leaves a quarter of the rows, and two together a quarter of that. */
function bounded(prefix: Prefix, term: PlannerTerm): Prefix {
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

function placed(prefix: Prefix, term: PlannerTerm): Prefix {
  const { tree, fixed, rows, places } = prefix;
  return {
    ...prefix,
    terms: [...prefix.terms, term],
    fixed: fixed + 1,
    rows: rows + prefixRows(tree, fixed + 1) - prefixRows(tree, fixed),
    places: places + (term.use === "in" ? logOf(term.values) : 0),
  };
}

/** The cost of finding one place in a tree and reading some rows from there. */
function searchCost(tree: Tree, rows: number): number {
  const search = logSum(logOfLog(TABLE_ROWS), rows + tree.stepCost);
  return tree.covering ? search : logSum(search, rows + THREE_TIMES);
}

// The paths that are still worth comparing while SQLite's planner finds more.

/** One way to read the rows: through a tree, at the places that some terms name. */
export interface Path {
  readonly tree: Tree;
  /** The terms that name the places, column by column of the tree. */
  readonly terms: readonly PlannerTerm[];
  /** How many columns of the tree have one or several values, by as many first terms. */
  readonly fixed: number;
  /** Estimates: the cost, and the number of resulting rows; both logarithms. */
  readonly cost: number;
  readonly rows: number;
  /** The tree, if it may give the requested order. Only paths of the same purpose replace each other. */
  readonly purpose: Tree | undefined;
}

/** The planner stops after so many paths. */
const MOST_PATHS = 21_000;

/** Paths of which none is better than another in both cost and rows. */
class PathList {
  readonly paths: Path[] = [];
  readonly #terms: readonly PlannerTerm[];
  #added = 0;

  constructor(terms: readonly PlannerTerm[]) {
    this.#terms = terms;
  }

  get isFull(): boolean {
    return this.#added >= MOST_PATHS;
  }

  /** Adds a path. Its rows are those that it reads. */
  add(found: Path): void {
    this.#added += 1;
    const path = this.#adjusted({ ...found, rows: this.#passing(found) });
    const { paths } = this;
    let isListed = false;
    for (let index = 0; index < paths.length; index++) {
      const other = paths[index];
      if (other === undefined || other.purpose !== path.purpose) continue;
      if (other.cost <= path.cost && other.rows <= path.rows) {
        if (isListed) break;
        return;
      }
      if (other.cost < path.cost || other.rows < path.rows) continue;
      // It takes the place of the first path that is no better; the others go.
      if (isListed) paths.splice(index--, 1);
      else paths[index] = path;
      isListed = true;
    }
    if (!isListed) paths.push(path);
  }

  /** How many rows pass all terms: each term that the path does not use removes a few. */
  #passing({ terms, rows }: Path): number {
    const others = this.#terms.filter(
      (term) =>
        term.derived === undefined &&
        !term.fixed &&
        !terms.some((used) => used === term || used.derived?.replaces === term),
    );
    return rows - others.length;
  }

  /** Through an index, using more terms never costs more than using only some of them. */
  #adjusted(path: Path): Path {
    if (isRowIdPath(path)) return path;
    let adjusted = path;
    for (const other of this.paths) {
      if (isRowIdPath(other)) continue;
      const { cost, rows } = adjusted;
      if (isCheaperPart(other, adjusted)) {
        adjusted = {
          ...path,
          cost: Math.min(cost, other.cost),
          rows: Math.min(rows, other.rows - 1),
        };
      } else if (isCheaperPart(adjusted, other)) {
        adjusted = {
          ...path,
          cost: Math.max(cost, other.cost),
          rows: Math.max(rows, other.rows + 1),
        };
      }
    }
    return adjusted;
  }
}

function isRowIdPath({ tree }: Path): boolean {
  return tree.isTable && tree.columns[0]?.name === undefined;
}

/** Whether one path uses only some of the other's terms and still looks no worse. */
function isCheaperPart(part: Path, whole: Path): boolean {
  if (part.cost > whole.cost && part.rows > whole.rows) return false;
  if (part.tree === whole.tree && part.fixed < whole.fixed) return true;
  return (
    part.terms.length < whole.terms.length &&
    part.terms.every((term) => whole.terms.includes(term)) &&
    (whole.tree.covering || !part.tree.covering)
  );
}
