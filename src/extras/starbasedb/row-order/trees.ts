import { affinity } from "../../../core/store/column-kinds.ts";
import type { Collation, TableSchema } from "../../../core/store/schema.ts";
import { integerKey, rowIdColumn } from "../columns.ts";
import { collatedColumns, type TableIndex, tableIndexes } from "../indexes.ts";

// SQLite's planner counts in logarithms: a number n stands as 10·log2(n), rounded, so products become sums.
// Without statistics its estimates depend on the schema alone. This file has that arithmetic and the constants.

/** The number of rows that the planner assumes for every table: 2^20. */
export const TABLE_ROWS = 200;
/** Three times: the cost of a step of a table scan, or of a row fetched from the table. */
export const THREE_TIMES = 16;
/** Four times: a bound leaves a quarter of the rows. */
export const FOUR_TIMES = 20;
/** The least estimate of a range: two rows. */
export const TWO_ROWS = 10;

const mantissas = [0, 2, 3, 5, 6, 7, 8, 9];

/** The logarithm of a whole number. */
export function logOf(count: number): number {
  if (count < 2) return 0;
  let scaled = count;
  let log = 30;
  for (; scaled < 8; scaled *= 2) log -= 10;
  for (; scaled > 15; scaled = Math.floor(scaled / 2)) log += 10;
  return log + (mantissas[scaled % 8] ?? 0);
}

/** How much the larger of two logarithms grows when the numbers are added, by their difference. */
const growthLimits: readonly (readonly [distance: number, growth: number])[] = [
  [1, 10],
  [3, 9],
  [5, 8],
  [8, 7],
  [11, 6],
  [14, 5],
  [18, 4],
  [24, 3],
  [31, 2],
  [49, 1],
];

/** The logarithm of the sum of two numbers, both given as logarithms. */
export function logSum(left: number, right: number): number {
  const distance = Math.abs(left - right);
  const growth = growthLimits.find(([limit]) => distance <= limit)?.[1] ?? 0;
  return Math.max(left, right) + growth;
}

/** The logarithm of log2 of a number given as a logarithm: the cost of a search among that many. */
export function logOfLog(log: number): number {
  return log <= 10 ? 0 : logOf(log) - 33;
}

/** Rows that share the first 1, 2, 3 … columns of an index, as logarithms; with more columns 23. */
const rowsPerPrefix = [33, 32, 30, 28, 27];

/** Rows that share the first `length` columns of a tree, as a logarithm. */
export function prefixRows(
  { keyLength, unique }: { readonly keyLength: number; readonly unique: boolean },
  length: number,
): number {
  if (length === 0) return TABLE_ROWS;
  // The columns after the key make each entry unique.
  if (length > keyLength || (unique && length === keyLength)) return 0;
  return rowsPerPrefix[length - 1] ?? 23;
}

/** The assumed width of a column of a declared type; an integer has 1. */
export function typeWidth(type: string): number {
  const name = type.trim().toUpperCase();
  const kind = affinity(name);
  if (name === "" || (kind !== "TEXT" && kind !== "NONE")) return 1;
  const sized = /.*(?:CHAR|BLOB(?=\())(.*)/su.exec(name)?.[1];
  if (sized === undefined) return 5;
  const size = Number(/\d+/u.exec(sized)?.[0] ?? 0);
  return size > 0x7fffffff ? 1 : Math.min(Math.floor(size / 4) + 1, 255);
}

// The B-trees through which SQLite can read a table: the table itself and its indexes.

/** A column by its name; undefined is the row id, also where an INTEGER PRIMARY KEY names it. */
export type ColumnName = string | undefined;

/** One column of a tree's order. */
export interface TreeColumn {
  readonly name: ColumnName;
  readonly collate: Collation;
  readonly descending: boolean;
}

/** A B-tree: the order of its entries, and what the planner knows about its cost. */
export interface Tree {
  /** The key's columns, followed by the other columns of its entries. */
  readonly columns: readonly TreeColumn[];
  readonly keyLength: number;
  readonly unique: boolean;
  /** Whether it is the table itself: sorted by its row id or, WITHOUT ROWID, by its primary key. */
  readonly isTable: boolean;
  readonly isPrimaryKey: boolean;
  /** Whether it holds all columns of a row, so that none is fetched from the table. */
  readonly covering: boolean;
  /** The cost of a step from entry to entry, as a logarithm. */
  readonly stepCost: number;
}

/** The meaning of a name in a query. */
export function resolveColumn(schema: TableSchema, name: string): ColumnName {
  return name === rowIdColumn(schema) ? undefined : name;
}

// With this cache the order of rows takes 4 µs of a request, without it 15.
const knownTrees = new WeakMap<TableSchema, readonly Tree[]>();

/** A table's trees in the order in which the planner considers them: the newest index first. */
export function treesOf(schema: TableSchema): readonly Tree[] {
  const known = knownTrees.get(schema);
  if (known !== undefined) return known;
  const indexes = tableIndexes(schema).toReversed().map(treeBuilder(schema));
  const trees = schema.withoutRowId === true ? indexes : [rowIdTree, ...indexes];
  knownTrees.set(schema, trees);
  return trees;
}

const rowIdEntry: TreeColumn = { name: undefined, collate: "BINARY", descending: false };

const rowIdTree: Tree = {
  columns: [rowIdEntry],
  keyLength: 1,
  unique: true,
  isTable: true,
  isPrimaryKey: true,
  covering: true,
  stepCost: THREE_TIMES,
};

function resolved(schema: TableSchema, column: TableIndex["columns"][number]): TreeColumn {
  return { ...column, name: resolveColumn(schema, column.name) };
}

function treeBuilder(schema: TableSchema): (index: TableIndex) => Tree {
  const stored = schema.columns.filter(({ name }) => name !== integerKey(schema));
  const widths = new Map(schema.columns.map(({ name, type }) => [name, typeWidth(type)]));
  // A row id is as wide as an integer.
  const widthOf = (names: readonly ColumnName[]): number =>
    logOf(
      4 * names.reduce((sum, name) => sum + (name === undefined ? 1 : (widths.get(name) ?? 1)), 0),
    );
  const tableWidth = widthOf([...stored.map(({ name }) => name), undefined]);
  return ({ columns: indexed, unique, isTable, isPrimaryKey, made }) => {
    const key = indexed.map((column) => resolved(schema, column));
    const columns = [...key, ...entryRest(schema, key, isTable)];
    // The planner overlooks that the entries of a constraint hold the primary key too.
    const hidesRest = schema.withoutRowId === true && unique && !isTable && made === undefined;
    const known = (hidesRest ? key : columns).map(({ name }) => name);
    const width = widthOf(columns.map(({ name }) => name));
    return {
      columns,
      keyLength: key.length,
      unique,
      isTable,
      isPrimaryKey,
      covering: stored.every(({ name }) => known.includes(name)),
      stepCost: 1 + Math.floor((15 * width) / tableWidth),
    };
  };
}

/** The columns of an entry after its key: the row id, the primary key or, in the table itself, all others. */
function entryRest(
  schema: TableSchema,
  columns: readonly TreeColumn[],
  isTable: boolean,
): readonly TreeColumn[] {
  if (schema.withoutRowId !== true) return [rowIdEntry];
  const holds = (name: ColumnName): boolean => columns.some((column) => column.name === name);
  if (isTable) {
    const others = schema.columns.filter(({ name }) => !holds(name));
    return others.map(({ name }) => ({ name, collate: "BINARY", descending: false }));
  }
  const key = collatedColumns(schema, schema.primaryKey).map((column) => resolved(schema, column));
  return key.filter(
    ({ name, collate }) =>
      !columns.some((column) => column.name === name && column.collate === collate),
  );
}
