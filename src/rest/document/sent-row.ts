import type { Call } from "../../http/call.ts";
import { exactInteger } from "../../store/fit.ts";
import { showText } from "../../store/json-value.ts";
import { parseNumber } from "../../store/number-text.ts";
import type { JsonRow, Row } from "../../store/row.ts";
import type { Column, TableSchema } from "../../store/schema.ts";
import { strictStorage } from "../../store/storage-rules.ts";
import type { Value } from "../../store/value.ts";
import { accepted, type Failure, joinFailures, type Outcome, refused } from "./errors.ts";
import { type RoundedNumber, roundedNumbers } from "./rounded-numbers.ts";

/**
 * Reads the row of a body as its table takes it: an INTEGER that no JSON number holds is the text of its digits.
 * One that was sent as a number, and is another one by now, is refused.
 */
export async function readSentRow(
  call: Call,
  row: JsonRow,
  { columns }: TableSchema,
): Promise<Outcome<Row>> {
  const kinds = new Map(columns.map((column) => [column.name, kindOf(column)]));
  const rounded = await roundedNumbers(call, row);
  // A REAL is the nearest double of what is written, as 0.1 is.
  const [first, ...others] = rounded.filter(({ column }) => kinds.get(column) !== "REAL");
  if (first !== undefined) {
    return refused(joinFailures(inexact(first), others.slice(0, mostNamed).map(inexact)));
  }
  const entries = Object.entries(row).map(([name, value]): [string, Value] => [
    name,
    kinds.get(name) === "INTEGER" ? exactInteger(value) : value,
  ]);
  return accepted(Object.fromEntries(entries));
}

const mostNamed = 20;

function kindOf({ type }: Column): string {
  return strictStorage.kindOf(type);
}

function inexact({ digits, column }: RoundedNumber): Failure {
  const nearest = String(Number(digits));
  // Texts of more than 64 bits are no integers, and fit few columns.
  const isInteger = typeof parseNumber(digits) === "bigint";
  return {
    code: "invalid_body",
    message:
      `Column ${showText(column)} has the number ${digits}, which JSON cannot hold exactly: ` +
      `it would become ${nearest}.`,
    hint: `Send ${isInteger ? `its digits as a text, "${digits}", or ` : ""}${nearest}.`,
  };
}
