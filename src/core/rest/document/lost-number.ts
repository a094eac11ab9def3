import { showText } from "../../errors/show.ts";
import { parseNumber } from "../../store/number-text.ts";
import type { TableSchema } from "../../store/schema.ts";
import { strictStorage } from "../../store/storage-rules.ts";
import { misfitMessage, noRowId } from "../../store/violation.ts";
import type { Failure } from "./errors.ts";

/** Where a number stands in a row that was sent. */
export interface NumberPlace {
  readonly column: string;
  /** What the column has: the number, or an array or object with it. */
  readonly value: unknown;
  readonly schema: TableSchema;
}

/**
 * Why a number that no double holds is refused. Undefined where nothing is lost, and where the store refuses the row in
 * any case and says why.
 */
export function lostNumber(digits: string, place: NumberPlace): Failure | undefined {
  const { column, value, schema } = place;
  const type = schema.columns.find(({ name }) => name === column)?.type;
  if (type === undefined) return undefined;
  const kind = strictStorage.kindOf(type);
  const isSole = typeof value === "number";
  const fitting = strictStorage.fit(isSole ? anyNumber : [], kind);
  if (!fitting.ok && !isSole) return undefined;
  if (!fitting.ok) {
    const message = misfitMessage(column, { type, ...fitting, given: cut(digits) });
    return {
      code: "invalid_body",
      message,
      ...(kind === "TEXT" && { hint: `Send it as a text, "${cut(digits)}".` }),
    };
  }
  if (!Number.isFinite(Number(digits))) return beyondDoubles(digits, column);
  // A REAL is the nearest double of what is written, as 0.1 is.
  if (kind === "REAL") return undefined;
  return isInteger64(digits) || !isRowId(type, place)
    ? inexact(digits, column)
    : { code: "invalid_body", message: noRowId(column, BigInt(digits)).message };
}

/** What every column of numbers takes, and no other. */
const anyNumber = 2;

function isInteger64(digits: string): boolean {
  return typeof parseNumber(digits) === "bigint";
}

function isRowId(type: string, { column, schema }: NumberPlace): boolean {
  const { primaryKey, withoutRowId = false } = schema;
  const isKey = primaryKey.length === 1 && primaryKey[0] === column;
  return isKey && !withoutRowId && strictStorage.isRowIdType(type);
}

function inexact(digits: string, column: string): Failure {
  const nearest = String(Number(digits));
  // Texts of more than 64 bits are no integers, and fit few columns.
  const text = isInteger64(digits) ? `its digits as a text, "${digits}", or ` : "";
  return {
    code: "invalid_body",
    message:
      `Column ${showText(column)} has the number ${digits}, which JSON cannot hold exactly: ` +
      `it would become ${nearest}.`,
    hint: `Send ${text}${nearest}.`,
  };
}

function beyondDoubles(digits: string, column: string): Failure {
  return {
    code: "invalid_body",
    message: `Column ${showText(column)} has the number ${cut(digits)}, which is beyond all numbers that are kept.`,
    hint: `Numbers go from ${-Number.MAX_VALUE} to ${Number.MAX_VALUE}.`,
  };
}

const longestShown = 60;

/** Only what is beyond doubles is longer, and may be as long as a body. */
function cut(digits: string): string {
  return digits.length <= longestShown ? digits : `${digits.slice(0, longestShown)}…`;
}
