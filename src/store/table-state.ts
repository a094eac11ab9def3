import type { ComparisonRules } from "./order-value.ts";
import type { Row } from "./row.ts";
import { RowStore } from "./row-store.ts";
import { type TableLayout, tableLayout, uniqueColumnSets } from "./table-layout.ts";
import type { TableSchema } from "./schema.ts";
import { UniqueIndex } from "./unique-index.ts";
import { ValueTally } from "./value-tally.ts";

/** A row before and after a write; undefined where there is none. */
export interface RowChange {
  readonly before: { readonly id: number; readonly row: Row } | undefined;
  readonly after: { readonly id: number; readonly row: Row } | undefined;
}

/** Which columns of a table stand on either side of a reference, and how their values compare. */
export interface TalliedColumns {
  readonly referring: readonly { readonly column: string; readonly rules: ComparisonRules }[];
  readonly referredTo: readonly { readonly column: string; readonly rules: ComparisonRules }[];
}

interface StateParts {
  readonly layout: TableLayout;
  readonly rows: RowStore;
  readonly uniques: readonly UniqueIndex[];
  readonly referring: readonly ValueTally[];
  readonly referredTo: readonly ValueTally[];
}

/** All of a table that a write changes: rows and everything that finds them. */
export class TableState {
  readonly layout: TableLayout;
  readonly rows: RowStore;
  readonly uniques: readonly UniqueIndex[];
  /** Values of columns that refer to others. */
  readonly #referring: readonly ValueTally[];
  /** Values of columns that others refer to. */
  readonly #referredTo: readonly ValueTally[];

  constructor(parts: StateParts) {
    this.layout = parts.layout;
    this.rows = parts.rows;
    this.uniques = parts.uniques;
    this.#referring = parts.referring;
    this.#referredTo = parts.referredTo;
  }

  copy(): TableState {
    return new TableState({
      layout: this.layout,
      rows: this.rows.copy(),
      uniques: this.uniques.map((index) => index.copy()),
      referring: this.#referring.map((tally) => tally.copy()),
      referredTo: this.#referredTo.map((tally) => tally.copy()),
    });
  }

  referring(column: string): ValueTally | undefined {
    return this.#referring.find((tally) => tally.column === column);
  }

  referredTo(column: string): ValueTally | undefined {
    return this.#referredTo.find((tally) => tally.column === column);
  }

  /** Brings the tallies from one row to the other. The reverse change undoes it. */
  tally({ before, after }: RowChange): void {
    for (const tallies of [this.#referring, this.#referredTo]) {
      for (const tally of tallies) {
        if (before !== undefined) tally.count(before.row, -1);
        if (after !== undefined) tally.count(after.row, 1);
      }
    }
  }

  /** Puts the rows and the unique indexes from one row to the other. Nothing after it may fail. */
  commit({ before, after }: RowChange): void {
    for (const index of this.uniques) {
      if (before !== undefined) index.remove(before.row);
      if (after !== undefined) index.add(after.row, after.id);
    }
    if (before !== undefined && before.id !== after?.id) this.rows.delete(before.id);
    if (after !== undefined) this.rows.set(after.id, after.row);
  }
}

/** A table's state without rows. */
export function emptyState(schema: TableSchema, tallied: TalliedColumns): TableState {
  const layout = tableLayout(schema);
  return new TableState({
    layout,
    rows: new RowStore(),
    uniques: uniqueColumnSets(schema).map(
      (columns) =>
        new UniqueIndex(columns, {
          rules: columns.flatMap((column) => layout.rules(column) ?? []),
          isKey: columns === schema.primaryKey,
        }),
    ),
    referring: tallied.referring.map(({ column, rules }) => new ValueTally(column, rules)),
    referredTo: tallied.referredTo.map(({ column, rules }) => new ValueTally(column, rules)),
  });
}
