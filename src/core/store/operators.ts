import { type CellTest, compares, equals, isLike, isOneOf } from "./cell-tests.ts";
import type { ComparisonRules } from "./order-value.ts";

/** Operators that take one text. */
export type SingleOperator = "eq" | "ne" | "gt" | "gte" | "lt" | "lte" | "like";
/** Operators that take several texts. */
export type ListOperator = "in";
export type Operator = SingleOperator | ListOperator;

/** A filter condition. Its operand is the text in the filter; the column decides what the text means. */
export type Condition =
  | {
      readonly column: string;
      readonly operator: SingleOperator;
      readonly value: string;
    }
  | {
      readonly column: string;
      readonly operator: ListOperator;
      readonly values: readonly string[];
    };

/** An end of the range that a condition allows. */
export interface RangeEnd {
  readonly text: string;
  /** Whether the range includes this end. */
  readonly isInside: boolean;
}

/** The values that a condition allows, by which an index can be searched: those equal to some texts, or a range. */
export type Allowed =
  | { readonly kind: "points"; readonly texts: readonly string[] }
  | { readonly kind: "range"; readonly low?: RangeEnd; readonly high?: RangeEnd };

/** Everything that is known of an operator. */
interface OperatorRow {
  /** How people write the operator; the first way is the one to show. */
  readonly signs: readonly [string, ...(readonly string[])];
  /** A value of the column, a pattern of texts, or values of the column with commas between them. */
  readonly takes: "value" | "pattern" | "list";
  /** Whether a test takes the same time for any number of texts, so that requests may have any number of them. */
  readonly isLookup: boolean;
  /** Makes the test of a value in a column with these rules. */
  readonly compile: (texts: readonly string[], rules: ComparisonRules) => CellTest;
  /** Makes one test for many texts, in place of a test for each. */
  readonly compileMany?: (texts: readonly string[], rules: ComparisonRules) => CellTest;
  /** The values that the operator allows; undefined where any value may pass. */
  readonly allows: (texts: readonly string[]) => Allowed | undefined;
}

const nothingKnown = (): undefined => undefined;

/** All operators of filters, in the order in which messages list them. A new one is a name above and a row here. */
export const operators: Readonly<
  Record<SingleOperator, OperatorRow & { readonly takes: "value" | "pattern" }> &
    Record<ListOperator, OperatorRow & { readonly takes: "list" }>
> = {
  eq: {
    signs: ["="],
    takes: "value",
    isLookup: false,
    compile: ([text = ""], rules) => equals(text, rules),
    allows: (texts) => ({ kind: "points", texts }),
  },
  ne: {
    signs: ["≠", "!="],
    takes: "value",
    isLookup: true,
    compile: ([text = ""], rules) => compares(text, rules, (order) => order !== 0),
    compileMany: (texts, rules) => {
      const isListed = isOneOf(texts, rules);
      return (value) => value !== null && !isListed(value);
    },
    allows: nothingKnown,
  },
  gt: {
    signs: [">"],
    takes: "value",
    isLookup: false,
    compile: ([text = ""], rules) => compares(text, rules, (order) => order > 0),
    allows: ([text = ""]) => ({ kind: "range", low: { text, isInside: false } }),
  },
  gte: {
    signs: ["≥", ">="],
    takes: "value",
    isLookup: false,
    compile: ([text = ""], rules) => compares(text, rules, (order) => order >= 0),
    allows: ([text = ""]) => ({ kind: "range", low: { text, isInside: true } }),
  },
  lt: {
    signs: ["<"],
    takes: "value",
    isLookup: false,
    compile: ([text = ""], rules) => compares(text, rules, (order) => order < 0),
    allows: ([text = ""]) => ({ kind: "range", high: { text, isInside: false } }),
  },
  lte: {
    signs: ["≤", "<="],
    takes: "value",
    isLookup: false,
    compile: ([text = ""], rules) => compares(text, rules, (order) => order <= 0),
    allows: ([text = ""]) => ({ kind: "range", high: { text, isInside: true } }),
  },
  like: {
    signs: ["like"],
    takes: "pattern",
    isLookup: false,
    compile: ([pattern = ""], rules) => isLike(pattern, rules),
    allows: nothingKnown,
  },
  in: {
    signs: ["in"],
    takes: "list",
    isLookup: true,
    compile: isOneOf,
    allows: (texts) => ({ kind: "points", texts }),
  },
};

export function isOperator(name: string): name is Operator {
  return Object.hasOwn(operators, name);
}

export function isListOperator(operator: Operator): operator is ListOperator {
  return operators[operator].takes === "list";
}

export const operatorNames: readonly Operator[] = Object.keys(operators).filter(isOperator);

/** Reads a filter. Commas separate the values of a list, so a value cannot contain one. */
export function readCondition(column: string, operator: Operator, text: string): Condition {
  if (!isListOperator(operator)) return { column, operator, value: text };
  return { column, operator, values: text.split(",").map((item) => item.trim()) };
}

/** The texts that a condition asks for. */
export function textsOf(condition: Test): readonly string[] {
  return "values" in condition ? condition.values : [condition.value];
}

/** The values that a condition allows; undefined where every value may pass. */
export function allowedBy(condition: Test): Allowed | undefined {
  return operators[condition.operator].allows(textsOf(condition));
}

/** Compiles a condition to a test of the column's value. NULL never passes. */
export function compileCondition(condition: Test, rules: ComparisonRules): CellTest {
  return operators[condition.operator].compile(textsOf(condition), rules);
}

/** A condition without its column. */
type Test = WithoutColumn<Condition>;

type WithoutColumn<Each> = Each extends Condition ? Omit<Each, "column"> : never;
