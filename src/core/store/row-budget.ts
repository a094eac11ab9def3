import { EmulatorError } from "../errors/emulator-error.ts";
import type { TableState } from "./table-state.ts";
import { BlobValue, type Row, type Value } from "./value.ts";

/** How many bytes the rows of an emulator may take together. */
export class RowBudget {
  /** Whether rows may have gone since they were measured. */
  #isStale = true;
  /** Never less than the rows take: what goes is noticed when all are measured anew. */
  #used: number | undefined;
  readonly #limit: number;
  readonly #loaded: () => number;
  readonly #measure: () => number;

  /**
   * Takes the limit, and what tells how many bytes the rows of the fixtures take, room for them or not, and how many
   * all rows take now.
   */
  constructor(limit: number, loaded: () => number, measure: () => number) {
    this.#limit = limit;
    this.#loaded = loaded;
    this.#measure = measure;
  }

  /** Notes that something holds rows no more. */
  release(): void {
    this.#isStale = true;
  }

  /** Counts bytes that are to be stored. Throws `ERR_ROWS_FULL` where there is no room for them. */
  take(bytes: number): void {
    // Nobody waits for it before the first write.
    this.#used ??= this.#loaded();
    if (this.#used + bytes > this.#limit && this.#isStale) {
      this.#used = this.#measure();
      this.#isStale = false;
    }
    if (this.#used + bytes > this.#limit) {
      throw new EmulatorError(
        "ERR_ROWS_FULL",
        `Cannot store more rows: all of them together may take ${this.#limit} bytes. Delete rows or sessions, or raise rowsLimit.`,
      );
    }
    this.#used += bytes;
  }
}

/** How many bytes the rows take that snapshots have. What several of them share counts once. */
export function sizeOfAll(
  snapshots: Iterable<{ readonly tables: ReadonlyMap<string, TableState> }>,
): number {
  const nodes = new Set<object>();
  const rows = new Set<object>();
  let size = 0;
  for (const { tables } of snapshots) {
    for (const state of tables.values()) {
      state.rows.visitUnseen(nodes, (_, row) => {
        if (!rows.has(row)) size += rowSize(row);
        rows.add(row);
      });
    }
  }
  return size;
}

/** How many bytes rows take that no snapshot shares. */
export function sizeOfRows(rows: readonly Row[]): number {
  return rows.reduce((size, row) => size + rowSize(row), 0);
}

/** About how many bytes of memory a row takes, its place in the table included. */
export function rowSize(row: Row): number {
  let size = 64;
  // Half as long as with Object.values.
  for (const name in row) size += 8 + valueSize(row[name] ?? null);
  return size;
}

/** About how many bytes of memory a value takes. */
export function valueSize(value: Value): number {
  if (typeof value === "string")
    return 16 + value.length * (value.length > 100 && wide.test(value) ? 2 : 1);
  if (typeof value !== "object" || value === null) return 8;
  if (value instanceof BlobValue) return 128 + value.bytes.byteLength;
  let size = 32;
  if (Array.isArray(value)) for (const part of value) size += 8 + valueSize(part);
  // Objects that have the same names share them, and nobody knows which do.
  else for (const [name, part] of Object.entries(value)) size += 32 + name.length + valueSize(part);
  return size;
}

/** The engine keeps a text with such a character with two bytes for each. It need not look for one where it does not. */
const wide = /[\u0100-\uffff]/;
