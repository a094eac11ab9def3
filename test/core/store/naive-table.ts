import { compileCondition } from "../../../src/core/store/operators.ts";
import {
  compareOrderValues,
  type ComparisonRules,
  comparisonRules,
  orderValue,
} from "../../../src/core/store/order-value.ts";
import type { Query } from "../../../src/core/store/table.ts";
import type { JsonRow } from "../../../src/core/store/value.ts";
import type { TableSchema } from "../../../src/core/store/schema.ts";
import { strictStorage } from "../../../src/core/store/storage-rules.ts";

/**
 * Rows in a list, looked at one by one for everything: what the engine must agree with. The first column is
 * an integer primary key, and the columns named in `unique` may have each value once.
 */
export class NaiveTable {
  readonly #schema: TableSchema;
  readonly #rulesByName: ReadonlyMap<string, ComparisonRules>;
  rows: readonly JsonRow[];

  constructor(schema: TableSchema, rows: readonly JsonRow[]) {
    this.#schema = schema;
    this.#rulesByName = new Map(
      schema.columns.map((one) => [one.name, comparisonRules(one, strictStorage.kindOf)]),
    );
    this.rows = rows;
  }

  #rules(name: string): ComparisonRules {
    const rules = this.#rulesByName.get(name);
    if (rules === undefined) throw new Error(`There is no column ${name}.`);
    return rules;
  }

  #compare(name: string, left: JsonRow, right: JsonRow): number {
    const rules = this.#rules(name);
    return compareOrderValues(
      orderValue(left[name] ?? null, rules),
      orderValue(right[name] ?? null, rules),
    );
  }

  select({ where, sort, offset = 0, limit = Infinity }: Query): readonly JsonRow[] {
    const matching = this.rows.filter((row) =>
      where.every((one) => compileCondition(one, this.#rules(one.column))(row[one.column] ?? null)),
    );
    const ordered = matching.toSorted((left, right) => {
      for (const { column, descending } of sort?.by ?? []) {
        const sign = this.#compare(column, left, right);
        if (sign !== 0) return descending ? -sign : sign;
      }
      const byId = this.#compare("id", left, right);
      return sort?.rowIdDescending === true ? -byId : byId;
    });
    return ordered.slice(offset, offset + limit);
  }

  /** Whether the row's key and unique values are free, apart from those of the row with the key `but`. */
  accepts(row: JsonRow, but: unknown): boolean {
    const unique = this.#schema.columns.filter((one) => one.unique || one.name === "id");
    return unique.every(({ name }) =>
      this.rows.every(
        (other) =>
          other["id"] === but || row[name] === null || this.#compare(name, row, other) !== 0,
      ),
    );
  }
}
