import { didYouMean, showText, showValue } from "../errors/show.ts";
import type { CheckConstraint, ReferenceActions } from "./schema.ts";
import { ExactInteger, type Row, type Value } from "./value.ts";

/** The rule that a written or loaded row breaks. */
export type ViolationKind =
  /** The row names a column that the table does not have. */
  | "unknown-column"
  /** A value does not fit its column. */
  | "wrong-type"
  /** The row id, or the integer primary key that it is, is not a whole number, or can no longer be generated. */
  | "no-row-id"
  /** NULL, or no value, in a column that needs one. */
  | "not-null"
  /** The row does not meet a CHECK constraint. */
  | "check"
  /** A value of a unique column or of the primary key is taken. */
  | "unique"
  /** The row refers to a row that does not exist. */
  | "reference-missing"
  /** Other rows refer to the row to delete, or to the value to change. */
  | "still-referenced"
  /** No row has the given key. */
  | "row-missing"
  /** The schema contradicts itself; only when tables are loaded. */
  | "schema";

/** A broken rule, and where. */
export interface Violation {
  readonly kind: ViolationKind;
  /** A sentence that names the column and the value. */
  readonly message: string;
  /** The columns concerned. */
  readonly columns: readonly string[];
  /** The name of a CHECK constraint. */
  readonly constraint?: string;
}

export function unknownColumn(column: string, valid: readonly string[]): Violation {
  return {
    kind: "unknown-column",
    message: `There is no column ${showText(column)}.${didYouMean(column, valid)}`,
    columns: [column],
  };
}

export function moreUnknownColumns(columns: readonly string[]): Violation {
  const message = `There are ${columns.length} more unknown columns.`;
  return { kind: "unknown-column", message, columns };
}

export function wrongType(
  column: string,
  value: unknown,
  { type, expected }: { readonly type: string; readonly expected: string },
): Violation {
  const message = wrongTypeMessage(column, { type, expected, given: showValue(value) });
  return { kind: "wrong-type", message, columns: [column] };
}

/** What a column accepts instead of the given value, which is shown as written. */
export function wrongTypeMessage(
  column: string,
  {
    type,
    expected,
    given,
  }: { readonly type: string; readonly expected: string; readonly given: string },
): string {
  const declared = type === "" ? "" : ` of type ${type}`;
  return `Column "${column}"${declared} takes ${expected}, not ${given}.`;
}

export function notNull(column: string, isKey: boolean): Violation {
  const reason = isKey ? "is part of the primary key" : "is NOT NULL";
  return {
    kind: "not-null",
    message: `Column "${column}" ${reason} and needs a value.`,
    columns: [column],
  };
}

export function noRowId(column: string, value: unknown): Violation {
  const isWhole =
    typeof value === "bigint" || value instanceof ExactInteger || Number.isInteger(value);
  const expected = isWhole ? "a whole number of 64 bits" : "a whole number";
  return {
    kind: "no-row-id",
    message: `Column "${column}" is the row id and takes ${expected}, not ${showValue(value)}.`,
    columns: [column],
  };
}

export function keysUsedUp(column: string, largest: number | bigint): Violation {
  return {
    kind: "no-row-id",
    message: `Column "${column}" never reuses a key, and its largest possible key, ${largest}, was used.`,
    columns: [column],
  };
}

export function notUnique(
  columns: readonly string[],
  values: readonly Value[],
  isKey: boolean,
): Violation {
  const noun = columns.length === 1 ? "Column" : "The columns together";
  const what = isKey ? "The primary key" : noun;
  return {
    kind: "unique",
    message: `${what} ${listed(columns)} must be unique, and ${values.map(showValue).join(", ")} is taken.`,
    columns,
  };
}

export function checkFails({ name, isNamed, sql, columns }: CheckConstraint, row: Row): Violation {
  const named = isNamed ? ` ${showText(name)}` : "";
  const values = columns.map((column) => `${showText(column)} = ${showValue(row[column] ?? null)}`);
  const given = values.length === 0 ? "" : `, with ${values.join(", ")}`;
  return {
    kind: "check",
    message: `The CHECK constraint${named} is not met: ${sql}${given}.`,
    columns,
    constraint: name,
  };
}

/** Columns that refer to another table, or to the same one. */
export interface Reference extends ReferenceActions {
  readonly table: string;
  readonly columns: readonly string[];
  readonly to: { readonly table: string; readonly columns: readonly string[] };
}

export function referenceMissing({ columns, to }: Reference, values: readonly Value[]): Violation {
  const target = to.columns.map((column) => `"${to.table}"."${column}"`).join(", ");
  const [verb, what] = columns.length === 1 ? ["Column", "refers"] : ["Columns", "refer"];
  return {
    kind: "reference-missing",
    message: `${verb} ${listed(columns)} ${what} to ${target}, where there is no ${values.map(showValue).join(", ")}.`,
    columns,
  };
}

export function stillReferenced(
  { table, columns, to }: Reference,
  values: readonly Value[],
): Violation {
  const noun = columns.length === 1 ? "column" : "columns";
  return {
    kind: "still-referenced",
    message: `Rows of "${table}" refer to ${values.map(showValue).join(", ")} in ${listed(to.columns)} with their ${noun} ${listed(columns)}.`,
    columns: to.columns,
  };
}

/** The violation when the action of a foreign key would break a rule in a referring row. */
export function actionFails(
  { table, columns, to, ...actions }: Reference,
  event: "onDelete" | "onUpdate",
  violations: readonly Violation[],
): Violation {
  const clause = `${event === "onDelete" ? "ON DELETE" : "ON UPDATE"} ${String(actions[event]).toUpperCase()}`;
  const names = columns.map((column) => `"${table}"."${column}"`).join(", ");
  const reasons = violations.map(({ message }) => message).join(" ");
  return {
    kind: "still-referenced",
    message: `${clause} of ${names} fails: ${reasons}`,
    columns: to.columns,
  };
}

/** SQLite refuses longer chains of actions. */
export const longestChain = 1_000;

export function chainTooLong({ table, to }: Reference): Violation {
  return {
    kind: "still-referenced",
    message: `The rows of "${table}" that would go or change with it refer to each other more than ${longestChain} deep. Begin at the other end of the chain.`,
    columns: to.columns,
  };
}

function listed(columns: readonly string[]): string {
  return columns.map((column) => `"${column}"`).join(", ");
}

export function rowMissing(primaryKey: readonly string[], key: readonly Value[]): Violation {
  const message =
    primaryKey.length === 0
      ? "The table has no primary key to find a row by."
      : `There is no row with ${primaryKey.map((name) => `"${name}"`).join(", ")} = ${key.map(showValue).join(", ")}.`;
  return { kind: "row-missing", message, columns: primaryKey };
}

export function schemaViolation(message: string, columns: readonly string[]): Violation {
  return { kind: "schema", message, columns };
}
