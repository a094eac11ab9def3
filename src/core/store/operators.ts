/** Compare a column with one value. */
export type ComparisonOperator = "eq" | "ne" | "gt" | "gte" | "lt" | "lte";
/** Look at a column's text. */
export type TextOperator = "like";
/** Compare a column with several values. */
export type ListOperator = "in";
export type Operator = ComparisonOperator | TextOperator | ListOperator;

/** The value that an operator asks for, as the text of the filter. The column decides what it means. */
export type Condition =
  | {
      readonly column: string;
      readonly operator: ComparisonOperator | TextOperator;
      readonly value: string;
    }
  | {
      readonly column: string;
      readonly operator: ListOperator;
      readonly values: readonly string[];
    };

/** The properties of an operator. `filter.ts` tests texts and lists. */
interface OperatorRule {
  /** The operator as people write it. */
  readonly sign: string;
  /** The placeholder of an empty input field. */
  readonly placeholder: string;
  /** How an index can be searched: for equal values, or for a range that starts or ends at the value. */
  readonly search: "equal" | "lower" | "upper" | "none";
}

interface ComparisonRule extends OperatorRule {
  /** Whether a value passes that is less than (negative), equal to (0) or greater than the operand. */
  readonly holds: (order: number) => boolean;
}

const value = "value";

/** All operators of filters, in the order of messages. */
export const operators: Readonly<
  Record<ComparisonOperator, ComparisonRule> & Record<TextOperator | ListOperator, OperatorRule>
> = {
  eq: { sign: "=", placeholder: value, search: "equal", holds: (order) => order === 0 },
  ne: { sign: "≠", placeholder: value, search: "none", holds: (order) => order !== 0 },
  gt: { sign: ">", placeholder: value, search: "lower", holds: (order) => order > 0 },
  gte: { sign: "≥", placeholder: value, search: "lower", holds: (order) => order >= 0 },
  lt: { sign: "<", placeholder: value, search: "upper", holds: (order) => order < 0 },
  lte: { sign: "≤", placeholder: value, search: "upper", holds: (order) => order <= 0 },
  like: { sign: "like", placeholder: "%part%", search: "none" },
  in: { sign: "in", placeholder: "a,b", search: "equal" },
};

export function isOperator(name: string): name is Operator {
  return Object.hasOwn(operators, name);
}

export const operatorNames: readonly Operator[] = Object.keys(operators).filter(isOperator);

/** Reads a filter. Commas separate the values of a list, so a value cannot contain one. */
export function readCondition(column: string, operator: Operator, text: string): Condition {
  if (operator !== "in") return { column, operator, value: text };
  return { column, operator, values: text.split(",").map((item) => item.trim()) };
}
