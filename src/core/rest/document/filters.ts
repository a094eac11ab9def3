import { failed, ok, type Result } from "../../errors/result.ts";
import { didYouMean } from "../../errors/nearest-name.ts";
import { type Condition, isOperator, operatorNames, readCondition } from "../../store/operators.ts";
import { showText } from "../../errors/show.ts";
import type { Column } from "../../store/schema.ts";
import type { Parameter } from "../parameters.ts";
import { type Failure, listNames } from "./errors.ts";
import { meantParameter } from "./json-server-names.ts";

/** Parameters that are no filters. */
export const reservedNames = ["sort_by", "order", "limit", "offset"] as const;

/** Reads `<column>=<value>` or `<column>.<operator>=<value>` against a table's columns. */
export function readFilter(
  { name, value }: Parameter,
  columns: readonly Column[],
): Result<Condition, Failure> {
  // The exact name first: column names may have dots.
  if (hasColumn(columns, name)) return ok({ column: name, operator: "eq", value });
  const dot = name.lastIndexOf(".");
  if (dot < 0) return failed(unknownParameter(name, columns));
  const column = name.slice(0, dot);
  const operator = name.slice(dot + 1);
  if (!hasColumn(columns, column)) return failed(unknownColumn(column, columns));
  if (!isOperator(operator)) return failed(unknownOperator(name, operator));
  return ok(readCondition(column, operator, value));
}

/** Whether there is a column of exactly this name. */
export function hasColumn(columns: readonly Column[], name: string): boolean {
  return columns.some((column) => column.name === name);
}

/** Names a column that a query asks for in vain, the nearest name, and all columns that there are. */
export function unknownColumn(column: string, columns: readonly Column[]): Failure {
  const names = columns.map(({ name }) => name);
  return noColumn(column, names, didYouMean(column, names));
}

/** The same for the name of a parameter, which could have been another parameter's as well. */
function unknownParameter(name: string, columns: readonly Column[]): Failure {
  const names = columns.map((column) => column.name);
  return noColumn(name, names, meantParameter(name, names, reservedNames));
}

function noColumn(column: string, names: readonly string[], meant: string): Failure {
  return {
    code: "unknown_column",
    message: `There is no column ${showText(column)}.${meant}`,
    hint: listNames("Columns", names),
  };
}

function unknownOperator(name: string, operator: string): Failure {
  return {
    code: "unknown_operator",
    message:
      `There is no operator ${showText(operator)}, as in ${showText(name)}.` +
      `${didYouMean(operator, operatorNames)} The operators are ${operatorNames.join(", ")}.`,
    hint: "Write a filter as <column>.<operator>=<value>, or <column>=<value> for equality.",
  };
}
