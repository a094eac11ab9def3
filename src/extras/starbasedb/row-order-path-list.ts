// The paths that are still worth comparing while SQLite's planner finds more.

import type { Term } from "./row-order-terms.ts";
import type { Tree } from "./row-order-trees.ts";

/** One way to read the rows: through a tree, at the places that some terms say. */
export interface Path {
  readonly tree: Tree;
  /** The terms that say where, column by column of the tree. */
  readonly terms: readonly Term[];
  /** How many columns of the tree have one value or several, by as many first terms. */
  readonly fixed: number;
  /** Estimates: the cost, and how many rows come out; both logarithms. */
  readonly cost: number;
  readonly rows: number;
  /** The tree, if it may give the order asked for. Only paths of the same purpose supplant each other. */
  readonly purpose: Tree | undefined;
}

/** After so many paths the planner looks for no more. */
const MOST_PATHS = 21_000;

/** Paths of which none is better than another in both cost and rows. */
export class PathList {
  readonly #terms: readonly Term[];
  readonly #paths: Path[] = [];
  #added = 0;

  constructor(terms: readonly Term[]) {
    this.#terms = terms;
  }

  get paths(): readonly Path[] {
    return this.#paths;
  }

  get isFull(): boolean {
    return this.#added >= MOST_PATHS;
  }

  /** Adds a path, its rows being those that it reads. */
  add(found: Path): void {
    this.#added += 1;
    const path = this.#adjusted({ ...found, rows: this.#passing(found) });
    const paths = this.#paths;
    const place = this.#rivalOf(path, 0);
    if (place === "better") return;
    paths[place] = path;
    let next = this.#rivalOf(path, place + 1);
    while (next !== "better" && next < paths.length) {
      paths.splice(next, 1);
      next = this.#rivalOf(path, next);
    }
  }

  /** How many rows pass all terms: each that the path does not use leaves out a few. */
  #passing({ terms, rows }: Path): number {
    const others = this.#terms.filter(
      (term) =>
        term.derived === undefined &&
        !term.fixed &&
        !terms.some((used) => used === term || used.derived?.replaces === term),
    );
    return rows - others.length;
  }

  /** Where the first path stands that is no better than this one, or the end; or that another is better. */
  #rivalOf(path: Path, start: number): number | "better" {
    for (let index = start; index < this.#paths.length; index++) {
      const other = this.#paths[index];
      if (other === undefined || other.purpose !== path.purpose) continue;
      if (other.cost <= path.cost && other.rows <= path.rows) return "better";
      if (other.cost >= path.cost && other.rows >= path.rows) return index;
    }
    return this.#paths.length;
  }

  /** Through an index, using more terms never counts as dearer than using only some of them. */
  #adjusted(path: Path): Path {
    if (isRowIdPath(path)) return path;
    let adjusted = path;
    for (const other of this.#paths) {
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

/** Whether one path uses only some of the other's terms and yet looks no worse. */
function isCheaperPart(part: Path, whole: Path): boolean {
  if (part.cost > whole.cost && part.rows > whole.rows) return false;
  if (part.tree === whole.tree && part.fixed < whole.fixed) return true;
  return (
    part.terms.length < whole.terms.length &&
    part.terms.every((term) => whole.terms.includes(term)) &&
    (whole.tree.covering || !part.tree.covering)
  );
}
