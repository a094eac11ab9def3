import type { Affinity } from "../column-kinds.ts";
import type { Collation } from "../schema.ts";
import type { Scalar } from "./scalar.ts";

/** An SQL expression over the columns of one row. */
export type Expression =
  | { readonly kind: "literal"; readonly value: Scalar }
  | { readonly kind: "column"; readonly name: string }
  | { readonly kind: "unary"; readonly operator: UnaryOperator; readonly operand: Expression }
  | {
      readonly kind: "binary";
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly kind: "in"; readonly operand: Expression; readonly list: readonly Expression[] }
  | {
      readonly kind: "between";
      readonly operand: Expression;
      readonly low: Expression;
      readonly high: Expression;
    }
  | { readonly kind: "truth"; readonly operand: Expression; readonly wanted: boolean }
  | { readonly kind: "call"; readonly name: string; readonly given: readonly Expression[] }
  | { readonly kind: "cast"; readonly operand: Expression; readonly to: Affinity }
  | {
      readonly kind: "case";
      readonly operand: Expression | undefined;
      readonly cases: readonly { readonly when: Expression; readonly result: Expression }[];
      readonly otherwise: Expression;
    }
  | { readonly kind: "collate"; readonly operand: Expression; readonly collation: Collation };

export type UnaryOperator = "-" | "+" | "~" | "not";

export type BinaryOperator =
  | "and"
  | "or"
  | "="
  | "<>"
  | "<"
  | "<="
  | ">"
  | ">="
  | "is"
  | "is not"
  | "+"
  | "-"
  | "*"
  | "/"
  | "%"
  | "||"
  | "&"
  | "|"
  | "<<"
  | ">>";

export const unknownValue: Expression = { kind: "literal", value: null };

/** Why an expression cannot be used. */
export class ExpressionProblem extends Error {}
