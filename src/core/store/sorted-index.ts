import type { ColumnKind } from "./column-kinds.ts";
import {
  type ComparisonRules,
  type OrderValue,
  compareOrderValues,
  orderKeys,
  orderValue,
} from "./order-value.ts";
import { type EntryOrder, type RankRange, SortedTree, elementAt } from "./sorted-tree.ts";
import { type Row, type RowId, type Value, compareRowIds } from "./value.ts";

/** Converts a value to the form in which a column of this kind would store it. */
export type StoredAs = (value: Value, kind: ColumnKind) => Value;

/** The columns of an index, and how it compares. */
export interface IndexDefinition {
  readonly columns: readonly string[];
  /** One rule per column. */
  readonly rules: readonly ComparisonRules[];
  /**
   * A conversion of values for each column. A foreign key needs it to compare values as the other column would store
   * them.
   */
  readonly stored?: readonly StoredAs[] | undefined;
  /** Whether values are unique, apart from NULL. Default: false. */
  readonly isUnique?: boolean;
}

/**
 * Row ids in the order of a column's values, ties in row id order. An index over several columns finds equal values
 * only: its keys combine them in one text, or are NULL where one of them is.
 */
export class SortedIndex {
  readonly definition: IndexDefinition;
  readonly #tree: SortedTree<OrderValue, RowId>;

  constructor(
    definition: IndexDefinition,
    tree: SortedTree<OrderValue, RowId> = new SortedTree(indexOrder, { keys: [], values: [] }),
  ) {
    this.definition = definition;
    this.#tree = tree;
  }

  /** An independent index with the same entries, at the same cost for any number of them. */
  fork(): SortedIndex {
    return new SortedIndex(this.definition, this.#tree.fork());
  }

  /** Entries by rank. */
  get entries(): SortedTree<OrderValue, RowId> {
    return this.#tree;
  }

  /** A row's key. */
  keyOf(row: Row): OrderValue {
    const { columns, rules } = this.definition;
    const [column] = columns;
    const [own] = rules;
    if (columns.length === 1 && column !== undefined && own !== undefined) {
      return this.#orderValue(row[column] ?? null, own, 0);
    }
    return this.keyOfValues(columns.map((name) => row[name] ?? null));
  }

  /** The key of these values, in column order. */
  keyOfValues(values: readonly Value[]): OrderValue {
    const keys = this.definition.rules.map((rules, at) =>
      this.#orderValue(values[at] ?? null, rules, at),
    );
    return keys.length === 1 ? (keys[0] ?? null) : (orderKeys(keys) ?? null);
  }

  #orderValue(value: Value, rules: ComparisonRules, at: number): OrderValue {
    const stored = this.definition.stored?.[at];
    return orderValue(stored === undefined ? value : stored(value, rules.kind), rules);
  }

  /** The entries with this key. */
  rangeOf(key: OrderValue): RankRange {
    const { entries } = this;
    const from = entries.rank(key, -Infinity);
    if (this.definition.isUnique !== true || key === null) {
      return { from, to: entries.rank(key, Infinity) };
    }
    return { from, to: this.#withKey(key, from) === undefined ? from : from + 1 };
  }

  /** The first row under a key. */
  first(key: OrderValue): RowId | undefined {
    return this.#withKey(key, this.entries.rank(key, -Infinity));
  }

  /** A row with this key other than the given one. */
  otherThan(key: OrderValue, id: RowId | undefined): RowId | undefined {
    const rank = this.entries.rank(key, -Infinity);
    const first = this.#withKey(key, rank);
    return first === undefined || first !== id ? first : this.#withKey(key, rank + 1);
  }

  add(key: OrderValue, id: RowId): void {
    this.#tree.add(key, id);
  }

  remove(key: OrderValue, id: RowId): void {
    this.#tree.delete(key, id);
  }

  #withKey(key: OrderValue, rank: number): RowId | undefined {
    const entry = this.entries.at(rank);
    return entry !== undefined && compareOrderValues(entry[0], key) === 0 ? entry[1] : undefined;
  }
}

/** An index with an entry for each row. */
export function indexOf(definition: IndexDefinition, rows: SortedTree<RowId, Row>): SortedIndex {
  const empty = new SortedIndex(definition);
  const entries: (readonly [key: OrderValue, id: RowId])[] = [];
  rows.visit({ from: 0, to: rows.size }, (id, row) => entries.push([empty.keyOf(row), id]) > 0);
  // The sort is stable, so that equal keys stay in the order of their row ids.
  entries.sort(([left], [right]) => compareOrderValues(left, right));
  const tree = new SortedTree(indexOrder, {
    keys: entries.map(([key]) => key),
    values: entries.map(([, id]) => id),
  });
  return new SortedIndex(definition, tree);
}

/** The order of an index: by key, then by row id. */
export const indexOrder: EntryOrder<OrderValue, RowId> = {
  floor: ({ keys, values }, key, id) => {
    let low = 0;
    let high = keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isAfter(elementAt(keys, middle), elementAt(values, middle), key, id)) high = middle;
      else low = middle + 1;
    }
    return low - 1;
  },
  isAt: ({ keys, values }, place, key, id) =>
    compareRowIds(elementAt(values, place), id) === 0 &&
    compareOrderValues(elementAt(keys, place), key) === 0,
};

/** Whether an entry comes after another. A comparison per common kind of key: V8 optimises each for its own type. */
function isAfter(ownKey: OrderValue, ownId: RowId, key: OrderValue, id: RowId): boolean {
  if (typeof ownKey === "number" && typeof key === "number") {
    return ownKey > key || (ownKey === key && ownId > id);
  }
  if (typeof ownKey === "string" && typeof key === "string") {
    return ownKey > key || (ownKey === key && ownId > id);
  }
  // A bigint and a double may be equal, which `===` would not find.
  const sign = compareOrderValues(ownKey, key);
  return sign > 0 || (sign === 0 && ownId > id);
}
