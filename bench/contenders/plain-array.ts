/** Rows in an array, in the order of their keys, with a Map from key to row; everything else is a scan. */
import type { Item, NewItem } from "../items.ts";
import { pageSize, type ReadParameters } from "../operations.ts";
import type { Contender, ItemChanges } from "./contender.ts";

function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

export class PlainArray implements Contender {
  readonly #rows: Item[];
  readonly #byId: Map<number, Item>;

  constructor(items: readonly Item[]) {
    this.#rows = [...items];
    this.#byId = new Map(items.map((item) => [item.id, item]));
  }

  get({ id }: ReadParameters["get"]): readonly object[] {
    const row = this.#byId.get(id);
    return row === undefined ? [] : [row];
  }

  equal({ category }: ReadParameters["equal"]): readonly object[] {
    const found: Item[] = [];
    for (const row of this.#rows) {
      if (row.category === category && found.push(row) === pageSize) break;
    }
    return found;
  }

  range({ from, to, offset }: ReadParameters["range"]): readonly object[] {
    return this.#rows
      .filter(({ price }) => price >= from && price < to)
      .toSorted((left, right) => left.price - right.price)
      .slice(offset, offset + pageSize);
  }

  resorted({ from, to, offset }: ReadParameters["range"]): readonly object[] {
    return this.#rows
      .filter(({ price }) => price >= from && price < to)
      .toSorted((left, right) => compareTexts(left.created, right.created))
      .slice(offset, offset + pageSize);
  }

  like({ part }: ReadParameters["like"]): readonly object[] {
    const pattern = new RegExp(part, "i");
    return this.#rows.filter(({ name }) => pattern.test(name));
  }

  in({ emails }: ReadParameters["in"]): readonly object[] {
    const wanted = new Set(emails);
    return this.#rows.filter(({ email }) => wanted.has(email));
  }

  top(): readonly object[] {
    return this.#rows
      .toSorted((left, right) => compareTexts(right.created, left.created))
      .slice(0, pageSize);
  }

  fullSort(): readonly object[] {
    return this.#rows.toSorted((left, right) => left.price - right.price);
  }

  insert(given: NewItem, id: number): void {
    const row = { id, ...given };
    this.#rows.push(row);
    this.#byId.set(id, row);
  }

  update(id: number, changes: ItemChanges): void {
    const row = { ...this.#row(id), ...changes };
    this.#rows[this.#indexOf(id)] = row;
    this.#byId.set(id, row);
  }

  delete(id: number): void {
    this.#rows.splice(this.#indexOf(id), 1);
    this.#byId.delete(id);
  }

  #row(id: number): Item {
    const row = this.#byId.get(id);
    if (row === undefined) throw new Error(`There is no row ${id}.`);
    return row;
  }

  #indexOf(id: number): number {
    let low = 0;
    let high = this.#rows.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#rows[middle]?.id ?? Infinity) < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
