import { type Affinity, affinity } from "../../src/core/store/column-kinds.ts";
import type { Row } from "../../src/core/store/value.ts";
import type { TableSchema } from "../../src/core/store/schema.ts";
import type { WriteResult } from "../../src/core/store/table.ts";
import type { Violation } from "../../src/core/store/violation.ts";
import type { FuzzQuery } from "./fuzz-case.ts";
import { cellOf, hexOf, isSameCell, type SqlCell } from "./sql-cell.ts";
import type { Judgement } from "./sqlite-judge.ts";

/** Rows of the store as SQLite's cells, of which those that stay are read once. */
export class CellReader {
  readonly #columns: readonly { readonly name: string; readonly affinity: Affinity }[];
  readonly #known = new WeakMap<Row, readonly SqlCell[]>();

  constructor({ columns }: TableSchema) {
    this.#columns = columns.map(({ name, type }) => ({ name, affinity: affinity(type) }));
  }

  cellsOf(row: Row): readonly SqlCell[] {
    const known = this.#known.get(row);
    if (known !== undefined) return known;
    const cells = this.#columns.map((column) => cellOf(row[column.name] ?? null, column.affinity));
    this.#known.set(row, cells);
    return cells;
  }
}

/** Whether they are the same rows in the same order. A NUL ends SQLite's texts here. */
export function areSameRows(
  expected: readonly (readonly SqlCell[])[],
  actual: readonly (readonly SqlCell[])[],
): boolean {
  return (
    expected.length === actual.length &&
    expected.every((cells, at) =>
      cells.every((cell, column) => isSameRead(cell, actual[at]?.[column])),
    )
  );
}

/**
 * Whether these are rows of a sort, in any order among equal ones. `ranked` are all of SQLite's, with the number of their
 * group as the last cell, of which those in the window are wanted.
 */
export function areSameGroups(
  ranked: readonly (readonly SqlCell[])[],
  actual: readonly (readonly SqlCell[])[],
  { offset = 0, limit }: Pick<FuzzQuery, "offset" | "limit">,
): boolean {
  const window = ranked.slice(offset, limit === undefined ? undefined : offset + limit);
  const left = new Map<string, number>();
  for (const cells of ranked) {
    const text = textIn(cells.at(-1), cells.slice(0, -1));
    left.set(text, (left.get(text) ?? 0) + 1);
  }
  const isOneOf = (cells: readonly SqlCell[], at: number): boolean => {
    const text = textIn(window[at]?.at(-1), cells);
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return count > 0;
  };
  return window.length === actual.length && actual.every(isOneOf);
}

function textIn(rank: SqlCell | undefined, cells: readonly SqlCell[]): string {
  return [rank ?? null, ...cells].map(readText).join(" ");
}

/** A cell as SQLite gives it, where a NUL ends texts. */
function readText(cell: SqlCell): string {
  return exactText(typeof cell === "string" ? cell.replace(/\0[^]*$/, "") : cell);
}

function isSameRead(expected: SqlCell, actual: SqlCell | undefined): boolean {
  if (typeof expected !== "string" || typeof actual !== "string") {
    return isSameCell(expected, actual);
  }
  return expected === actual || actual.startsWith(`${expected}\0`);
}

/** Rows as texts that show every byte, sorted: their order is the store's own. */
export function contentLines(rows: readonly (readonly SqlCell[])[]): readonly string[] {
  return rows.map((cells) => cells.map(exactText).join(" ")).toSorted();
}

function exactText(cell: SqlCell): string {
  if (typeof cell === "string") return `t${hexOf(Buffer.from(cell))}`;
  if (cell instanceof Uint8Array) return `b${hexOf(cell)}`;
  // The sum makes 0 of -0.
  return typeof cell === "number" ? `r${cell + 0}` : String(cell);
}

/** The same of cells that SQLite gave with texts and blobs in hexadecimal digits. */
export function judgedLines(rows: readonly (readonly SqlCell[])[]): readonly string[] {
  return rows
    .map((cells) =>
      cells.map((cell) => (typeof cell === "string" ? cell : exactText(cell))).join(" "),
    )
    .toSorted();
}

/** Whether a write came to the same: done, of no row, or refused for the reason that SQLite gives. */
export function isSameOutcome(
  expected: Judgement,
  actual: WriteResult,
  schema: TableSchema,
): boolean {
  if (expected.ok && expected.changed > 0) return actual.ok;
  if (actual.ok) return false;
  return expected.ok
    ? actual.violations.some(({ kind }) => kind === "row-missing")
    : isSameReason(expected.message, actual.violations, schema);
}

/** The store gives all reasons, SQLite the first that it meets. */
function isSameReason(
  message: string,
  violations: readonly Violation[],
  { name }: TableSchema,
): boolean {
  return violations.some(({ kind, columns }) => {
    const listed = columns.map((column) => `${name}.${column}`).join(", ");
    switch (kind) {
      case "unique":
        return message === `UNIQUE constraint failed: ${listed}`;
      case "not-null":
        return (
          message === `NOT NULL constraint failed: ${listed}` || message === "datatype mismatch"
        );
      case "no-row-id":
        return message === "datatype mismatch";
      case "reference-missing":
      case "still-referenced":
        return message === "FOREIGN KEY constraint failed";
      default:
        return false;
    }
  });
}
