/** What every contender can do, each in the way its users would. */
import type { Item, NewItem } from "../items.ts";
import type { ReadParameters } from "../operations.ts";

/** Reads of the table. `in` may give its rows in any order. */
export type Reads = {
  readonly [Name in keyof ReadParameters]: (parameters: ReadParameters[Name]) => readonly object[];
};

/** What an update changes: a column with an index and one without. */
export type ItemChanges = Pick<NewItem, "price" | "stock">;

/** Holders of one table of items. */
export interface Contender extends Reads {
  /** Adds a row. Those that generate keys make `id`, one more than the greatest; the others are given it. */
  readonly insert: (given: NewItem, id: number) => unknown;
  readonly update: (id: number, changes: ItemChanges) => unknown;
  readonly delete: (id: number) => unknown;
}

/** Makes a contender with these rows, indexes included where it has some. */
export type MakeContender = (items: readonly Item[]) => Contender | Promise<Contender>;
