import { EmulatorError } from "../errors/emulator-error.ts";
import { rowSize } from "./row-size.ts";
import type { TableState } from "./table-state.ts";

/** How many bytes the rows of an emulator may take together. */
export class RowBudget {
  /** Whether rows may have gone since they were measured. */
  #isStale = true;
  /** Never less than the rows take: what goes is noticed when all are measured anew. */
  #used = 0;
  readonly #limit: number;
  readonly #measure: () => number;

  /** Takes the limit, and what tells how many bytes all rows take now. */
  constructor(limit: number, measure: () => number) {
    this.#limit = limit;
    this.#measure = measure;
  }

  /** Notes that something holds rows no more. */
  release(): void {
    this.#isStale = true;
  }

  /** Counts bytes that are to be stored. Throws `ERR_ROWS_FULL` where there is no room for them. */
  take(bytes: number): void {
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
