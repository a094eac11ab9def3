import type { Row } from "./row.ts";

/** A table's rows by row id, in row id order. */
export class RowStore {
  readonly #rows: Map<number, Row>;
  /** All ids, ascending. */
  readonly #ids: number[];

  constructor(rows: ReadonlyMap<number, Row> = new Map(), ids: readonly number[] = []) {
    this.#rows = new Map(rows);
    this.#ids = [...ids];
  }

  get size(): number {
    return this.#ids.length;
  }

  copy(): RowStore {
    return new RowStore(this.#rows, this.#ids);
  }

  get(id: number): Row | undefined {
    return this.#rows.get(id);
  }

  set(id: number, row: Row): void {
    if (!this.#rows.has(id)) this.#ids.splice(this.#position(id), 0, id);
    this.#rows.set(id, row);
  }

  delete(id: number): void {
    if (this.#rows.delete(id)) this.#ids.splice(this.#position(id), 1);
  }

  /** The row id after the largest; where that is no exact number any more, the smallest one free. */
  nextId(): number {
    const largest = this.#ids.at(-1);
    if (largest === undefined) return 1;
    if (largest < Number.MAX_SAFE_INTEGER) return largest + 1;
    let free = 1;
    while (this.#rows.has(free)) free++;
    return free;
  }

  /** Ids and rows, in row id order. */
  *entries(): Generator<readonly [id: number, row: Row]> {
    for (const id of this.#ids) {
      const row = this.#rows.get(id);
      if (row !== undefined) yield [id, row];
    }
  }

  /** The first place whose id is not smaller. */
  #position(id: number): number {
    const largest = this.#ids.at(-1);
    if (largest === undefined || largest < id) return this.#ids.length;
    let low = 0;
    let high = this.#ids.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#ids[middle] ?? Infinity) < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
