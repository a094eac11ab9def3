import { expect, test } from "vitest";
import {
  logOf,
  logOfLog,
  logSum,
  prefixRows,
  typeWidth,
} from "../../../src/extras/starbasedb/row-order/trees.ts";

// Estimates as SQLite's source has them: ten times the logarithm to base 2, in whole numbers.

test.each([
  [0, 0],
  [1, 0],
  [2, 10],
  [3, 16],
  [4, 20],
  [7, 28],
  [8, 30],
  [10, 33],
  [15, 39],
  [16, 40],
  [25, 46],
  [100, 66],
  [1_000, 99],
  [1_048_576, 200],
])("takes the logarithm of %i for %i", (count, log) => {
  expect(logOf(count)).toBe(log);
});

test.each([
  [0, 0],
  [10, 0],
  [20, 10],
  [100, 33],
])("takes the logarithm of a logarithm %i for %i", (log, expected) => {
  expect(logOfLog(log)).toBe(expected);
});

test.each([
  [30, 30, 40],
  [40, 30, 46],
  [30, 40, 46],
  [100, 10, 100],
  [10, 100, 100],
])("adds what the logarithms %i and %i stand for", (left, right, sum) => {
  expect(logSum(left, right)).toBe(sum);
});

test.each([
  ["INTEGER", 1],
  ["REAL", 1],
  ["", 1],
  ["TEXT", 5],
  ["clob", 5],
  ["BLOB", 5],
  ["BLOB(40)", 11],
  ["VARCHAR", 1],
  ["VARCHAR(20)", 6],
  ["varchar(255)", 64],
  [" CHAR(3) ", 1],
  ["CHARACTER VARYING(100)", 26],
  ["VARCHAR(10000)", 255],
  ["VARCHAR(2147483647)", 255],
  ["VARCHAR(2147483648)", 1],
])("takes a value of the type %s for %i words of four bytes", (type, width) => {
  expect(typeWidth(type)).toBe(width);
});

test.each([
  [{ keyLength: 2, unique: true }, [200, 33, 0, 0]],
  [{ keyLength: 2, unique: false }, [200, 33, 32, 0]],
  [{ keyLength: 7, unique: false }, [200, 33, 32, 30, 28, 27, 23, 23, 0]],
])("estimates how many rows share the first columns of %j", (tree, rows) => {
  expect(rows.map((_, length) => prefixRows(tree, length))).toEqual(rows);
});
