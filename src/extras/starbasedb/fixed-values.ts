import { compileConditions } from "../../core/store/filter.ts";
import type { Condition } from "../../core/store/operators.ts";
import { comparisonRules, type ComparisonRules } from "../../core/store/order-value.ts";
import type { TableSchema } from "../../core/store/schema.ts";
import { affinityFit, sqliteStorage } from "../../core/store/storage-rules.ts";

/** The value that one condition says a column has. */
interface FixedValue {
  readonly by: Condition;
  readonly text: string;
}

/**
 * What the conditions of a statement say that columns have. SQLite puts it in the place of those columns in all
 * other conditions, and judges these before it looks at any row.
 */
export class FixedValues {
  readonly #schema: TableSchema;
  readonly #values = new Map<string, FixedValue>();

  /** Of several equalities on a column the last one counts. */
  constructor(schema: TableSchema, where: readonly Condition[]) {
    this.#schema = schema;
    for (const by of where) {
      const text = equalText(by);
      if (text !== undefined && this.#rules(by.column).collation === "BINARY") {
        this.#values.set(by.column, { by, text });
      }
    }
  }

  /** Whether a condition is judged by the value alone, and how that turns out; else undefined. */
  judge(condition: Condition): boolean | undefined {
    const fixed = this.#values.get(condition.column);
    if (fixed === undefined || fixed.by === condition) return undefined;
    const rules = this.#rules(condition.column);
    const { operator } = condition;
    const isComparison =
      operator !== "like" && (operator !== "in" || equalText(condition) !== undefined);
    if (rules.kind === "NONE" && !isComparison) return undefined;
    const fitting = affinityFit(fixed.text, rules.kind);
    return fitting.ok && compileConditions([condition], rules)(fitting.value);
  }

  #rules(name: string): ComparisonRules {
    const column = this.#schema.columns.find((each) => each.name === name);
    // Any other name is that of the row id.
    if (column === undefined) return { kind: "INTEGER", collation: "BINARY" };
    return comparisonRules(column, sqliteStorage.kindOf);
  }
}

/** The text that an equality asks for. A list of one is an equality, too. */
function equalText(condition: Condition): string | undefined {
  switch (condition.operator) {
    case "eq":
      return condition.value;
    case "in":
      return condition.values.length === 1 ? condition.values[0] : undefined;
    default:
      return undefined;
  }
}
