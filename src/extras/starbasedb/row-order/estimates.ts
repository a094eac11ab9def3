// SQLite's planner counts in logarithms: a number n stands as 10·log2(n), rounded, so products become sums.
// Without statistics its estimates depend on the schema alone. This file has that arithmetic and the constants.

import { affinity } from "../../../core/store/column-kinds.ts";

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
