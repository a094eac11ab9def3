import type { Expr, FunctionCallExpr } from "sqlite3-parser";
import { CurrentTime } from "../../core/store/schema.ts";
import {
  BlobValue,
  ExactInteger,
  integerValue,
  type Value,
  WholeReal,
} from "../../core/store/value.ts";
import { integerLiteral, realLiteral, truthLiteral } from "./literals.ts";
import { textFunctions } from "./sql-functions.ts";

/** Nothing that writes dumps nests deeper; keeps recursion far from its end. */
const deepestNesting = 50;

/**
 * The value of a constant expression as a column without a type would store it, or that it is the time. Undefined
 * for everything that would need a database: columns, subqueries, most functions and operators.
 */
export function constantOf(expression: Expr, depth = 0): Value | CurrentTime | undefined {
  if (depth > deepestNesting) return undefined;
  switch (expression.type) {
    case "Id":
    case "KeywordLiteral":
      return truthOf(expression);
    case "UnaryExpr":
      return signedConstant(expression, depth);
    case "ParenthesizedExpr": {
      const [inner, ...others] = expression.exprs;
      return inner === undefined || others.length > 0 ? undefined : constantOf(inner, depth + 1);
    }
    case "FunctionCallExpr":
      return callResult(expression, depth);
    default:
      return literalOf(expression);
  }
}

function literalOf(expression: Expr): Value | CurrentTime | undefined {
  switch (expression.type) {
    case "NullLiteral":
      return null;
    case "StringLiteral":
      return expression.value;
    case "NumericLiteral":
      return numberOf(expression.value, false);
    case "BlobLiteral":
      return new BlobValue(expression.bytes);
    case "CurrentTimestampLiteral":
      return new CurrentTime("timestamp");
    case "CurrentDateLiteral":
      return new CurrentTime("date");
    case "CurrentTimeLiteral":
      return new CurrentTime("time");
    default:
      return undefined;
  }
}

/** A name in quotes is a name, whatever it says: its place is wider than its text. */
function truthOf(
  word: Extract<Expr, { readonly type: "Id" | "KeywordLiteral" }>,
): 0 | 1 | undefined {
  const text = word.type === "Id" ? word.name : word.value;
  return word.span.length === text.length ? truthLiteral(text) : undefined;
}

function numberOf(digits: string, isNegative: boolean): Value | undefined {
  const isReal = /[.e]/i.test(digits) && !/^0x/i.test(digits);
  return isReal ? realLiteral(digits, isNegative) : integerLiteral(digits, isNegative);
}

function signedConstant(
  { op, expr }: Extract<Expr, { readonly type: "UnaryExpr" }>,
  depth: number,
): Value | undefined {
  if (op !== "Negative" && op !== "Positive") return undefined;
  const isNegative = op === "Negative";
  // The smallest integer is one number, not the opposite of one.
  if (expr.type === "NumericLiteral") return numberOf(expr.value, isNegative);
  const value = constantOf(expr, depth + 1);
  if (!isNumber(value)) return undefined;
  return isNegative ? negated(value) : value;
}

function isNumber(value: unknown): value is number | ExactInteger | WholeReal {
  return typeof value === "number" || value instanceof ExactInteger || value instanceof WholeReal;
}

function negated(value: number | ExactInteger | WholeReal): Value {
  if (typeof value === "number") return value === 0 ? 0 : -value;
  if (value instanceof WholeReal) return value.value === 0 ? value : new WholeReal(-value.value);
  const opposite = -value.value;
  return BigInt.asIntN(64, opposite) === opposite ? integerValue(opposite) : Number(opposite);
}

/** `datetime('now')` and its kin are the time as well. */
const clocks: ReadonlyMap<string, CurrentTime> = new Map([
  ["datetime", new CurrentTime("timestamp")],
  ["date", new CurrentTime("date")],
  ["time", new CurrentTime("time")],
]);

function callResult(call: FunctionCallExpr, depth: number): string | CurrentTime | undefined {
  const { name, args = [], distinctness, orderBy, filterOver } = call;
  if (distinctness !== undefined || orderBy !== undefined || filterOver !== undefined) {
    return undefined;
  }
  const values = args.map((argument) => constantOf(argument, depth + 1));
  const called = name.name.toLowerCase();
  if (values.length === 1 && values[0] === "now") return clocks.get(called);
  return textFunctions.get(called)?.(values);
}
