import { ExactInteger, type JsonRow, type Row, type Value } from "../../store/value.ts";
import { type Result, failed, ok } from "../../errors/result.ts";
import { showText } from "../../errors/show.ts";
import type { Call } from "../../http/call.ts";
import { readTokens } from "../../http/json-text.ts";
import { parseNumber } from "../../store/number-text.ts";
import type { TableSchema } from "../../store/schema.ts";
import { exactInteger, strictStorage } from "../../store/storage-rules.ts";
import { wrongTypeMessage, noRowId } from "../../store/violation.ts";
import { type RestFailure, joinFailures } from "./errors.ts";

/**
 * Reads a body's row for its table: an INTEGER beyond JSON's numbers is sent as the text of its digits. If it was
 * sent as a number and parsing changed it, it is refused.
 */
export async function readSentRow(
  call: Call,
  row: JsonRow,
  schema: TableSchema,
): Promise<Result<Row, RestFailure>> {
  const lost: RestFailure[] = [];
  await readRounded(call, row, (digits, column) => {
    if (lost.length > mostNamed) return;
    const failure = lostNumber(digits, { column, value: row[column], schema });
    if (failure !== undefined) lost.push(failure);
  });
  const [first, ...others] = lost;
  if (first !== undefined) return failed(joinFailures(first, others));
  const kinds = new Map(schema.columns.map(({ name, type }) => [name, strictStorage.kindOf(type)]));
  const entries = Object.entries(row).map(([name, value]): [string, Value] => [
    name,
    kinds.get(name) === "INTEGER" ? exactInteger(value) : value,
  ]);
  return ok(Object.fromEntries(entries));
}

const mostNamed = 20;

/** Where a number stands in a sent row. */
interface NumberPlace {
  readonly column: string;
  /** The column's value: the number, or an array or object that contains it. */
  readonly value: unknown;
  readonly schema: TableSchema;
}

/**
 * Why a number that no double holds is refused. Undefined where nothing is lost, or where the store refuses the row
 * anyway with a reason.
 */
function lostNumber(digits: string, place: NumberPlace): RestFailure | undefined {
  const { column, value, schema } = place;
  const type = schema.columns.find(({ name }) => name === column)?.type;
  if (type === undefined) return undefined;
  const kind = strictStorage.kindOf(type);
  const isSole = typeof value === "number";
  const fitting = strictStorage.fit(isSole ? anyNumber : [], kind);
  if (!fitting.ok && !isSole) return undefined;
  if (!fitting.ok) {
    const message = wrongTypeMessage(column, { type, ...fitting, given: cut(digits) });
    return {
      code: "invalid_body",
      message,
      ...(kind === "TEXT" && { hint: `Send it as a text, "${cut(digits)}".` }),
    };
  }
  if (!Number.isFinite(Number(digits))) return beyondDoubles(digits, column);
  // A REAL is the nearest double of what is written, like 0.1.
  if (kind === "REAL") return undefined;
  return isInteger64(digits) || !isRowId(type, place)
    ? inexact(digits, column)
    : { code: "invalid_body", message: noRowId(column, new ExactInteger(BigInt(digits))).message };
}

/** The value that only numeric columns accept. */
const anyNumber = 2;

function isInteger64(digits: string): boolean {
  return typeof parseNumber(digits) === "bigint";
}

function isRowId(type: string, { column, schema }: NumberPlace): boolean {
  const { primaryKey, withoutRowId = false } = schema;
  const isKey = primaryKey.length === 1 && primaryKey[0] === column;
  return isKey && !withoutRowId && strictStorage.isRowIdType(type);
}

function inexact(digits: string, column: string): RestFailure {
  const nearest = String(Number(digits));
  // Texts of more than 64 bits are not integers, and fit few columns.
  const text = isInteger64(digits) ? `its digits as a text, "${digits}", or ` : "";
  return {
    code: "invalid_body",
    message:
      `Column ${showText(column)} has the number ${digits}, which JSON cannot hold exactly: ` +
      `it would become ${nearest}.`,
    hint: `Send ${text}${nearest}.`,
  };
}

function beyondDoubles(digits: string, column: string): RestFailure {
  return {
    code: "invalid_body",
    message: `Column ${showText(column)} has the number ${cut(digits)}, which is out of range.`,
    hint: `Numbers go from ${-Number.MAX_VALUE} to ${Number.MAX_VALUE}.`,
  };
}

const longestShown = 60;

/** Only numbers beyond doubles are longer, and they may be as long as a body. */
function cut(digits: string): string {
  return digits.length <= longestShown ? digits : `${digits.slice(0, longestShown)}…`;
}

/** Receives a number of a body that no double holds, as sent: a whole one, or one beyond all doubles. */
type Rounded = (digits: string, column: string) => void;

/**
 * Reads the numbers of a body that `JSON.parse` changed. Numbers that this service itself shows do not count:
 * `9223372036854776000` is JSON's form of 2^63 here.
 */
async function readRounded(call: Call, row: JsonRow, rounded: Rounded): Promise<void> {
  // Most bodies have no such number and are not read a second time.
  if (!hasUnsafe(row)) return;
  const body = await call.readBody();
  if (body.kind === "bytes") findRounded(new TextDecoder().decode(body.bytes), rounded);
}

function hasUnsafe(value: unknown): boolean {
  // An infinite number is beyond doubles: JSON cannot express infinity.
  if (typeof value === "number") return isUnsafe(value);
  return typeof value === "object" && value !== null && Object.values(value).some(hasUnsafe);
}

function isUnsafe(value: number): boolean {
  return !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value));
}

const wholeNumber = /^-?\d+$/;

function findRounded(text: string, rounded: Rounded): void {
  let column = "";
  let depth = 0;
  readTokens(text, {
    open: () => (depth += 1),
    close: () => (depth -= 1),
    key: (start, end) => {
      if (depth === 1) column = String(JSON.parse(text.slice(start, end)));
    },
    value: (kind, start, end) => {
      const digits = text.slice(start, end);
      if (kind === "number" && isRounded(digits)) rounded(digits, column);
    },
  });
}

function isRounded(digits: string): boolean {
  const value = Number(digits);
  if (!Number.isFinite(value)) return true;
  if (!wholeNumber.test(digits) || Number.isSafeInteger(value)) return false;
  return digits !== String(value) && BigInt(digits) !== BigInt(value);
}
