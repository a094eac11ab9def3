import { type Result, failed, ok } from "../../errors/result.ts";
import { showText, showValue } from "../../errors/show.ts";
import type { Call } from "../../http/call.ts";
import { soleOperand } from "../../store/operand.ts";
import { type Condition, compileCondition, textsOf } from "../../store/operators.ts";
import { type ComparisonRules, comparisonRules } from "../../store/order-value.ts";
import type { Column, TableSchema } from "../../store/schema.ts";
import { strictStorage, exactInteger } from "../../store/storage-rules.ts";
import type { Table, WriteResult, Written } from "../../store/table.ts";
import {
  Base64Blob,
  BlobValue,
  ExactInteger,
  type GivenRow,
  type Row,
  type Value,
  WholeReal,
  copyValue,
  type JsonRow,
} from "../../store/value.ts";
import { rowMissing, wrongTypeMessage, noRowId } from "../../store/violation.ts";
import { readParameters } from "../parameters.ts";
import { type TablesFailure, joinFailures } from "./errors.ts";
import { keyConditions } from "./query-parameters.ts";
import { type Target, type WriteOperation, readRowBody } from "./request.ts";
import { readTokens } from "../../schema/json-text.ts";
import { parseNumber } from "../../store/number-text.ts";

/** The row as written and, unless it is new, as it was before; or why the table refuses it. */
export type RowWrite = WriteResult & { readonly before?: Row };

/** Writes the row that a request sends, or refuses what this table cannot take. */
export async function writeRow(
  call: Call,
  operation: WriteOperation,
  { target, table }: { readonly target: Target; readonly table: Table },
): Promise<Result<RowWrite, TablesFailure>> {
  const { schema } = table;
  const [parameter] = readParameters(call.query);
  if (parameter !== undefined) return failed(unexpectedQuery(parameter.name));
  const where = target.key === undefined ? ok([]) : keyConditions(schema, target.key);
  if (!where.ok) return where;
  if (operation === "delete") {
    return ok(await onRow(table, where.value, (key) => table.delete(key)));
  }
  const body = await readRowBody(call);
  if (!body.ok) return body;
  // Most bodies have no number beyond doubles, and so need no second reading.
  const lost = hasUnsafe(body.value) ? await lostNumbers(call, body.value, schema) : undefined;
  if (lost !== undefined) return failed(lost);
  if (operation === "insert") return ok(await table.insert(body.value));
  const row = withIntegers(body.value, schema);
  const mismatch = keyMismatch(schema, where.value, row);
  if (mismatch !== undefined) return failed(mismatch);
  if (operation === "replace") {
    // Assignment would lose a column named `__proto__`.
    const replace = (key: readonly Value[], stored: Row): Written =>
      table.replace(key, Object.fromEntries([...Object.entries(row), ...unchanged(stored, row)]));
    return ok(await onRow(table, where.value, replace));
  }
  // The body may repeat the key of the path.
  const others = Object.entries(row).filter(([name]) => !schema.primaryKey.includes(name));
  if (others.length === 0) {
    const message = "The body has the primary key and no column to change.";
    return failed({ code: "empty_body", message });
  }
  const changes = Object.fromEntries(others);
  const update = (key: readonly Value[], stored: Row): Written =>
    table.update(key, changed(stored, changes));
  return ok(await onRow(table, where.value, update));
}

/** Refuses a query on a write: it looks like a condition but would have no effect. */
function unexpectedQuery(name: string): TablesFailure {
  return {
    code: "unexpected_query",
    message: `A write takes no query parameters, but has ${showText(name)}.`,
    hint: "Only GET can be filtered; a write addresses one row by its key in the path.",
  };
}

/**
 * Writes the addressed row. If two rows match, it takes the older one: the key `5` matches a number and a text in an
 * ANY column.
 */
async function onRow(
  table: Table,
  where: readonly Condition[],
  write: (key: readonly Value[], stored: Row) => Written,
): Promise<RowWrite> {
  const { primaryKey } = table.schema;
  const [row] = table.select({ where, limit: 1 });
  if (row !== undefined) {
    const key = primaryKey.map((column) => row[column] ?? null);
    const written = await write(key, row);
    return written.ok ? { ...written, before: row } : written;
  }
  const values = where.flatMap(textsOf);
  return { ok: false, violations: [rowMissing(primaryKey, values)] };
}

function keyMismatch(
  schema: TableSchema,
  where: readonly Condition[],
  row: Row,
): TablesFailure | undefined {
  for (const condition of where) {
    const { column: name } = condition;
    const column = schema.columns.find((known) => known.name === name);
    if (column === undefined || !Object.hasOwn(row, name)) continue;
    if (meets(condition, column, row[name])) continue;
    const wanted = textsOf(condition).join(",");
    const value = row[name];
    const isSame =
      (typeof value === "number" || typeof value === "string") && String(value) === wanted;
    const [given, other] =
      typeof value === "number" ? ["the number ", "a text"] : ["the text ", "a number"];
    const has = `The body has ${isSame ? given : ""}${showValue(value)} as its ${showText(name)}`;
    const message = isSame
      ? `${has}, but the key of the path's row is ${other}.`
      : `${has}, but the path has ${showText(wanted)}.`;
    const hint = "A key cannot change: remove it from the body, or send the path's.";
    return { code: "key_mismatch", message, hint };
  }
  return undefined;
}

function meets(condition: Condition, column: Column, value: Value | undefined): boolean {
  const rules = comparisonRules(column, strictStorage.kindOf);
  // A value nested too deeply to compare is not a key either.
  const comparable = copyValue(value);
  if (comparable === undefined) return false;
  return compileCondition(condition, rules)(comparable) || isShownKey(condition, rules, comparable);
}

/** Whether this is the number that GET shows for a key beyond doubles. */
function isShownKey(condition: Condition, rules: ComparisonRules, value: Value): boolean {
  if (condition.operator !== "eq") return false;
  const key = soleOperand(condition.value, rules);
  return typeof key === "bigint" && Number(key) === value;
}

/**
 * The stored values of columns that GET shows exactly as they were sent. So reading a row and sending it back loses
 * nothing that JSON cannot express: bytes, integers beyond doubles, 5.0 beside 5, infinite numbers.
 */
function unchanged(stored: Row, sent: GivenRow): readonly [column: string, stored: Value][] {
  return Object.entries(stored).filter(
    ([name, value]) => Object.hasOwn(sent, name) && isShownAs(value, sent[name]),
  );
}

/** The sent values that differ from what GET shows. */
function changed(stored: Row, sent: GivenRow): GivenRow {
  const others = new Map(unchanged(stored, sent));
  return Object.fromEntries(Object.entries(sent).filter(([name]) => !others.has(name)));
}

/** Whether GET shows a value like this. Documents are skipped: JSON expresses them fully. */
function isShownAs(value: Value, sent: unknown): boolean {
  if (value === sent) return true;
  if (value instanceof ExactInteger || value instanceof WholeReal) return value.toJSON() === sent;
  if (value instanceof Base64Blob) return value.toJSON() === sent;
  if (value instanceof BlobValue) return isEmptyObject(sent);
  return typeof value === "number" && !Number.isFinite(value) && sent === null;
}

function isEmptyObject(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.keys(value).length === 0;
}

/**
 * Refuses a row with numbers that `JSON.parse` changed. Numbers that this service itself shows do not count:
 * `9223372036854776000` is JSON's form of 2^63 here.
 */
async function lostNumbers(
  call: Call,
  row: JsonRow,
  schema: TableSchema,
): Promise<TablesFailure | undefined> {
  const body = await call.readBody();
  const lost: TablesFailure[] = [];
  findRounded(
    body.kind === "bytes" ? new TextDecoder().decode(body.bytes) : "",
    (digits, column) => {
      if (lost.length > mostNamed) return;
      const failure = lostNumber(digits, { column, value: row[column], schema });
      if (failure !== undefined) lost.push(failure);
    },
  );
  const [first, ...others] = lost;
  return first && joinFailures(first, others);
}

/** The sent row with integers in place of texts of digits, so that it can be compared with a stored row. */
function withIntegers(row: JsonRow, { columns }: TableSchema): Row {
  const isInteger = (name: string): boolean =>
    columns.some(
      (column) => column.name === name && strictStorage.kindOf(column.type) === "INTEGER",
    );
  const entries = Object.entries(row).map(([name, value]): [string, Value] => [
    name,
    isInteger(name) ? exactInteger(value) : value,
  ]);
  return Object.fromEntries(entries);
}

const mostNamed = 20;

/** The place of a number in a sent row. */
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
function lostNumber(digits: string, place: NumberPlace): TablesFailure | undefined {
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
  // A REAL is the nearest double of the number as written, as for 0.1.
  if (kind === "REAL") return undefined;
  return isInteger64(digits) || !isRowId(type, place)
    ? inexact(digits, column)
    : { code: "invalid_body", message: noRowId(column, new ExactInteger(BigInt(digits))).message };
}

/** A value that every numeric column accepts and no other column does. */
const anyNumber = 2;

function isInteger64(digits: string): boolean {
  return typeof parseNumber(digits) === "bigint";
}

function isRowId(type: string, { column, schema }: NumberPlace): boolean {
  const { primaryKey, withoutRowId = false } = schema;
  const isKey = primaryKey.length === 1 && primaryKey[0] === column;
  return isKey && !withoutRowId && strictStorage.isRowIdType(type);
}

function inexact(digits: string, column: string): TablesFailure {
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

function beyondDoubles(digits: string, column: string): TablesFailure {
  return {
    code: "invalid_body",
    message: `Column ${showText(column)} has the number ${cut(digits)}, which is out of range.`,
    hint: `Numbers go from ${-Number.MAX_VALUE} to ${Number.MAX_VALUE}.`,
  };
}

const longestShown = 60;

/** Shortens digits for a message: a number in a body may be as long as the body. */
function cut(digits: string): string {
  return digits.length <= longestShown ? digits : `${digits.slice(0, longestShown)}…`;
}

/** Receives a number of a body that no double holds, as sent: a whole one, or one beyond all doubles. */
type Rounded = (digits: string, column: string) => void;

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
