import { type ComparisonRules, orderKey, orderKeys, orderValue } from "./order-value.ts";
import type { JsonValue, Row } from "./row.ts";

/** Row ids by the values of the primary key or of a unique column. Rows with a NULL there are not in it. */
export class UniqueIndex {
  readonly columns: readonly string[];
  readonly isKey: boolean;
  readonly #rules: readonly ComparisonRules[];
  readonly #ids: Map<string, number>;

  constructor(
    columns: readonly string[],
    options: {
      readonly rules: readonly ComparisonRules[];
      readonly isKey: boolean;
      readonly ids?: ReadonlyMap<string, number>;
    },
  ) {
    this.columns = columns;
    this.isKey = options.isKey;
    this.#rules = options.rules;
    this.#ids = new Map(options.ids);
  }

  copy(): UniqueIndex {
    return new UniqueIndex(this.columns, { rules: this.#rules, isKey: this.isKey, ids: this.#ids });
  }

  /** The values of the index's columns in a row. */
  valuesOf(row: Row): readonly JsonValue[] {
    return this.columns.map((column) => row[column] ?? null);
  }

  /** The row that holds these values, given in the order of `columns`. */
  find(values: readonly JsonValue[]): number | undefined {
    const key = this.#key(values);
    return key === undefined ? undefined : this.#ids.get(key);
  }

  /** The row whose values come down to this key; see `orderKeys`. */
  findByKey(key: string): number | undefined {
    return this.#ids.get(key);
  }

  /** The other row that holds the values of a row, if any. */
  holderOf(row: Row): number | undefined {
    const key = this.#keyOf(row);
    return key === undefined ? undefined : this.#ids.get(key);
  }

  add(row: Row, id: number): void {
    const key = this.#keyOf(row);
    if (key !== undefined) this.#ids.set(key, id);
  }

  remove(row: Row): void {
    const key = this.#keyOf(row);
    if (key !== undefined) this.#ids.delete(key);
  }

  /** Nearly every index has one column, and every row that is loaded asks for its key. */
  #keyOf(row: Row): string | undefined {
    const [column, ...others] = this.columns;
    const [rules] = this.#rules;
    if (column === undefined || rules === undefined || others.length > 0) {
      return this.#key(this.valuesOf(row));
    }
    return orderKey(orderValue(row[column] ?? null, rules));
  }

  #key(values: readonly JsonValue[]): string | undefined {
    return orderKeys(this.#rules.map((rules, index) => orderValue(values[index] ?? null, rules)));
  }
}
