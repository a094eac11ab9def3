// In which order SQLite (3.46, 3.47) returns the rows of
// `SELECT * FROM t WHERE a op ? AND b op ? … ORDER BY c LIMIT ? OFFSET ?`, all values being texts.
//
// Rows come in the order in which the plan visits them. The plan reads the table, or one index of it, whole or at the
// places that some conditions name. Without statistics it depends on the schema and the shape of the conditions, not on
// values:
// - `=` narrows most, then IN with few values, two bounds, one bound. `!=` narrows nothing. Neither does LIKE, unless its
//   pattern begins with plain characters and there is a NOCASE index.
// - An index counts only for comparisons by its own collation. Of equal paths the one of the newest index wins.
// - Each path's cost and rows are estimated (paths.ts), with the cost of sorting where the path does not
//   give the requested order. The cheapest path wins; of two equal ones, the one with fewer rows.
// - A path gives the order if the column is the first of its tree that no `=` sets to one value; a tree walked
//   backwards gives descending order, and its ties come in descending row id order.
// - Sorting keeps ties as they were visited. A window is a slice of the whole answer: its bounds are bound as REAL,
//   and the planner considers only INTEGER ones.

import type { Condition } from "../../../core/store/operators.ts";
import type { Sort, SortKey } from "../../../core/store/table.ts";
import type { TableSchema } from "../../../core/store/schema.ts";
import { rowIdName } from "../../../core/store/table-layout.ts";
import { rowIdColumn } from "../columns.ts";
import {
  type Tree,
  type TreeColumn,
  resolveColumn,
  treesOf,
  logOf,
  logOfLog,
  logSum,
} from "./trees.ts";
import { type Path, isUsable, listPaths } from "./paths.ts";
import { listTerms, type PlannerTerm } from "./terms.ts";

/**
 * The order in which SQLite returns the rows that pass the conditions, ties included. Columns have their names in the
 * schema or `rowid`; conditions are in the order of the statement. No keys: row id order.
 */
export function rowOrder(
  schema: TableSchema,
  where: readonly Condition[],
  sort: SortKey | undefined,
): Sort {
  const { terms, asked, path } = chooseRead(schema, where, sort);
  if (sort === undefined || asked === undefined) return visitOrder(schema, path, "forward");
  const direction = directionOf(path, terms, asked);
  if (direction !== undefined) return visitOrder(schema, path, direction);
  const visit = visitOrder(schema, path, walkDirection(path, asked, ["equal", "in"]) ?? "forward");
  return { ...visit, by: [sort, ...visit.by] };
}

/** How SQLite reads the rows of a statement. */
interface ReadPlan {
  readonly terms: readonly PlannerTerm[];
  readonly asked: TreeColumn | undefined;
  readonly path: Path;
}

/** Chooses the cheapest path, including the cost of sorting if the path does not give the requested order. */
export function chooseRead(
  schema: TableSchema,
  where: readonly Condition[],
  sort: SortKey | undefined,
): ReadPlan {
  const terms = listTerms(schema, where);
  const asked = sort && askedOrder(schema, sort);
  const trees = treesOf(schema);
  const sole = trees.flatMap((tree) => soleRowPath(tree, terms) ?? [])[0];
  if (sole !== undefined) return { terms, asked, path: sole };
  const paths = listPaths(trees, { terms, sort: asked && { column: asked.name } });
  const cheapest = least(paths, ({ cost }) => cost);
  if (asked === undefined) return { terms, asked, path: cheapest };
  const sorting = sortingCost(cheapest.rows + 1, schema.columns.length);
  const path = least(paths, (one) =>
    directionOf(one, terms, asked) === undefined ? logSum(one.cost, sorting) + 3 : one.cost,
  );
  return { terms, asked, path };
}

/** If equalities name one entry of a unique tree, SQLite considers no other path. */
function soleRowPath(tree: Tree, terms: readonly PlannerTerm[]): Path | undefined {
  const keys = tree.columns.slice(0, tree.keyLength);
  const equal = keys.flatMap(
    (key) => terms.find((term) => term.use === "equal" && isUsable(term, key, undefined)) ?? [],
  );
  if (!tree.unique || equal.length < keys.length) return undefined;
  return { tree, terms: equal, fixed: keys.length, cost: 0, rows: 0, purpose: undefined };
}

function askedOrder(schema: TableSchema, { column, descending }: SortKey): TreeColumn {
  const collate = schema.columns.find(({ name }) => name === column)?.collate ?? "BINARY";
  return { name: resolveColumn(schema, column), collate, descending };
}

function sortingCost(rows: number, columns: number): number {
  return rows + logOf(Math.floor((columns + 59) / 30)) + logOfLog(rows);
}

/** The first of the cheapest paths; among them, of those with the fewest rows, then of those with the least work. */
function least(paths: readonly Path[], costOf: (path: Path) => number): Path {
  return paths.reduce((best, path) => {
    const difference =
      costOf(path) - costOf(best) || path.rows - best.rows || path.cost - best.cost;
    return difference < 0 ? path : best;
  });
}

type Direction = "forward" | "backward";

/** The direction in which a path gives the requested order, if it does. */
function directionOf(
  path: Path,
  terms: readonly PlannerTerm[],
  asked: TreeColumn,
): Direction | undefined {
  const isOneValue = terms.some(({ use, column }) => use === "equal" && column === asked.name);
  return isOneValue ? "forward" : walkDirection(path, asked, ["equal"]);
}

/** The same, ignoring the columns that terms of some kinds fix. */
function walkDirection(
  { tree, terms, fixed }: Path,
  asked: TreeColumn,
  skipped: readonly PlannerTerm["use"][],
): Direction | undefined {
  const first = tree.columns.find((_, index) => {
    const use = terms[index]?.use;
    return index >= fixed || use === undefined || !skipped.includes(use);
  });
  if (first === undefined || first.name !== asked.name) return undefined;
  if (first.name !== undefined && first.collate !== asked.collate) return undefined;
  return first.descending === asked.descending ? "forward" : "backward";
}

/** The order of a tree's entries as a path visits them. */
function visitOrder(schema: TableSchema, path: Path, direction: Direction): Sort {
  const { tree, terms, fixed } = path;
  const backward = direction === "backward";
  const end = tree.isTable ? tree.keyLength : tree.columns.length;
  const by: SortKey[] = [];
  for (const [index, column] of tree.columns.slice(0, end).entries()) {
    const isOneValue = index < fixed && terms[index]?.use === "equal";
    // The row id at the end of every index is no key: ties come in its order anyway.
    const isRowId = column.name === undefined && (tree.isTable || index === tree.keyLength);
    if (!isOneValue && !isRowId) by.push(orderKey(schema, column, backward));
  }
  return { by, rowIdDescending: backward };
}

function orderKey(
  schema: TableSchema,
  { name, collate, descending }: TreeColumn,
  backward: boolean,
): SortKey {
  const key = {
    column: name ?? rowIdColumn(schema) ?? rowIdName,
    descending: descending !== backward,
  };
  const own = schema.columns.find((column) => column.name === name)?.collate ?? collate;
  return collate === own ? key : { ...key, collate };
}
