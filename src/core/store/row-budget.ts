import { EmulatorError } from "../errors/emulator-error.ts";
import { textSize } from "../schema/json-size.ts";
import type { TableState } from "./table-state.ts";
import { BlobValue, type Row, type Value } from "./value.ts";

/** How many bytes the rows of an emulator may take together. */
export class RowBudget {
  /** Whether rows may have been freed since they were last measured. */
  #isStale = true;
  /** An upper bound: removed rows are only noticed when all rows are measured again. */
  #used: number | undefined;
  readonly #limit: number;
  /** Counts the rows at the first write, so that starting does not wait for it. */
  #first: () => number;
  readonly #measure: () => number;

  /**
   * `loaded` measures the rows of the fixtures; they are kept even beyond the limit. `measure` measures all current
   * rows.
   */
  constructor(limit: number, loaded: () => number, measure: () => number) {
    this.#limit = limit;
    this.#first = loaded;
    this.#measure = measure;
  }

  /** Notes that rows may have been freed, so that they are measured again before a write is refused. */
  release(): void {
    this.#isStale = true;
  }

  /** Notes that other rows than those of the fixtures were put in place, so that the next write counts all. */
  recount(): void {
    this.#used = undefined;
    this.#first = this.#measure;
  }

  /** Counts bytes that are to be stored. Throws `ERR_ROWS_FULL` where there is no room for them. */
  take(bytes: number): void {
    this.#used ??= this.#first();
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

/** The number of bytes that the rows of some snapshots take. Rows that several snapshots share count once. */
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

/** The number of bytes that rows take, without sharing. */
export function sizeOfRows(rows: readonly Row[]): number {
  return rows.reduce((size, row) => size + rowSize(row), 0);
}

/** About how many bytes of memory a row takes, its place in the table included. */
export function rowSize(row: Row): number {
  let size = 64;
  // Takes half as long as `Object.values`.
  for (const name in row) size += 8 + valueSize(row[name] ?? null);
  return size;
}

/** About how many bytes of memory a value takes. */
export function valueSize(value: Value): number {
  if (typeof value === "string") return textSize(value);
  if (typeof value !== "object" || value === null) return 8;
  if (value instanceof BlobValue) return 128 + value.bytes.byteLength;
  let size = 32;
  if (Array.isArray(value)) for (const part of value) size += 8 + valueSize(part);
  // Objects with the same keys share them in memory. That cannot be seen from here, so the keys count each time.
  else for (const [name, part] of Object.entries(value)) size += 32 + name.length + valueSize(part);
  return size;
}
