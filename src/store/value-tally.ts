import { type ComparisonRules, orderKey, orderValue } from "./order-value.ts";
import type { JsonValue, Row } from "./row.ts";

/** How many rows have each value of a column, for foreign keys. NULLs are not counted. */
export class ValueTally {
  readonly column: string;
  readonly #rules: ComparisonRules;
  readonly #counts: Map<string, number>;

  /** `rules` are those of the column referred to, on both sides of a reference. */
  constructor(
    column: string,
    rules: ComparisonRules,
    counts: ReadonlyMap<string, number> = new Map(),
  ) {
    this.column = column;
    this.#rules = rules;
    this.#counts = new Map(counts);
  }

  copy(): ValueTally {
    return new ValueTally(this.column, this.#rules, this.#counts);
  }

  has(value: JsonValue): boolean {
    const key = orderKey(orderValue(value, this.#rules));
    return key !== undefined && this.#counts.has(key);
  }

  /** Counts a row in (`by` 1) or out (`by` -1). */
  count(row: Row, by: 1 | -1): void {
    const key = orderKey(orderValue(row[this.column] ?? null, this.#rules));
    if (key === undefined) return;
    const count = (this.#counts.get(key) ?? 0) + by;
    if (count === 0) this.#counts.delete(key);
    else this.#counts.set(key, count);
  }
}
