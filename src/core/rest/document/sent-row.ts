import { type Failure, joinFailures } from "./errors.ts";
import { failed, ok, type Result } from "../../errors/result.ts";
import type { Call } from "../../http/call.ts";
import type { TableSchema } from "../../store/schema.ts";
import { exactInteger, strictStorage } from "../../store/storage-rules.ts";
import type { JsonRow, Row, Value } from "../../store/value.ts";
import { lostNumber } from "./lost-number.ts";
import { roundedNumbers } from "./rounded-numbers.ts";

/**
 * Reads the row of a body as its table takes it: an INTEGER that no JSON number holds is the text of its digits.
 * One that was sent as a number, and is another one by now, is refused.
 */
export async function readSentRow(
  call: Call,
  row: JsonRow,
  schema: TableSchema,
): Promise<Result<Row, Failure>> {
  const rounded = await roundedNumbers(call, row);
  const [first, ...others] = rounded.flatMap(
    ({ digits, column }) => lostNumber(digits, { column, value: row[column], schema }) ?? [],
  );
  if (first !== undefined) return failed(joinFailures(first, others.slice(0, mostNamed)));
  const kinds = new Map(schema.columns.map(({ name, type }) => [name, strictStorage.kindOf(type)]));
  const entries = Object.entries(row).map(([name, value]): [string, Value] => [
    name,
    kinds.get(name) === "INTEGER" ? exactInteger(value) : value,
  ]);
  return ok(Object.fromEntries(entries));
}

const mostNamed = 20;
