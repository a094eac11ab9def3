import { showValue } from "../../core/errors/show.ts";
import { CurrentTime } from "../../core/store/schema.ts";
import { type CellLayout, rowIdOf } from "../../core/store/table-layout.ts";
import { nextRowIdOf } from "../../core/store/table-state.ts";
import {
  BlobValue,
  ExactInteger,
  type GivenRow,
  type Value,
  WholeReal,
  copyJson,
} from "../../core/store/value.ts";
import { type Violation, noRowId, unknownColumn, wrongType } from "../../core/store/violation.ts";
import {
  type SchemaIssue,
  type StandardSchema,
  type Validation,
  validateRecord,
} from "./collection.ts";
import { recordCell } from "./records.ts";
import type { LoadedRecords, TableShape } from "./table-shape.ts";

/** The values that a write sets, by property. Undefined removes the property. */
export type PropertyChanges = Readonly<Record<string, unknown>>;

/** The given values, and the problems that do not depend on the collection's schema. */
export interface GivenValues {
  readonly changes: PropertyChanges;
  readonly violations: readonly Violation[];
}

/**
 * Reads the given values of a row, converted by the storage rules. A declared column accepts values of its type; the
 * collection's schema checks those of other columns.
 */
export function readGiven(shape: TableShape, given: GivenRow): GivenValues {
  const changes: [string, unknown][] = [];
  const violations: Violation[] = [];
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const cell = shape.layout.cells.find((one) => one.name === name);
    const violation = violationOf(shape, name, { cell, value });
    if (violation === undefined) changes.push([name, takenValue(shape, value, cell)]);
    else violations.push(violation);
  }
  return { changes: Object.fromEntries(changes), violations };
}

function violationOf(
  { layout, isDeclared, isClosed, relations }: TableShape,
  name: string,
  { cell, value }: { readonly cell: CellLayout | undefined; readonly value: unknown },
): Violation | undefined {
  if (relations.includes(name)) {
    const message = `Column "${name}" is a relation of the collection, which only code can write.`;
    return { kind: "wrong-type", message, columns: [name] };
  }
  if (cell === undefined) return isClosed ? unknownColumn(name, layout.columnNames) : undefined;
  if (!isDeclared || value === null) return undefined;
  const { type } = cell.column;
  const fitting = layout.storage.fit(value, cell.kind);
  if (!fitting.ok) return wrongType(name, value, { type, expected: fitting.expected });
  const isNoId = name === layout.rowIdColumn && rowIdOf(fitting.value) === undefined;
  return isNoId ? noRowId(name, value) : undefined;
}

/** A value as its property holds it: bigints and booleans are kept, even under storage rules without booleans. */
function takenValue(
  { layout, isDeclared }: TableShape,
  value: unknown,
  cell: CellLayout | undefined,
): unknown {
  // A column of another type may accept any value.
  const isTold = cell !== undefined && (isDeclared || !/^(?:JSON|ANY)$/.test(cell.column.type));
  if (value === null || value instanceof ExactInteger || !isTold) return plain(value);
  const fitting = layout.storage.fit(value, cell.kind);
  if (!fitting.ok) return plain(value);
  const { value: stored } = fitting;
  const isText = cell.column.type === "BOOLEAN" && (stored === "true" || stored === "false");
  return isText ? stored === "true" : plain(stored);
}

/** A stored value in JavaScript. JSON is copied, so that the caller cannot change the record. */
function plain(value: unknown): unknown {
  if (value instanceof ExactInteger || value instanceof WholeReal) return value.value;
  return value instanceof BlobValue ? value.bytes : (copyJson(value) ?? value);
}

/** The declared defaults of columns. The collection's schema decides about the rest. */
export function declaredDefaults({ layout }: TableShape): PropertyChanges {
  return Object.fromEntries(
    layout.schema.columns.flatMap(({ name, default: value }) =>
      value === undefined || value instanceof CurrentTime ? [] : [[name, plain(value)]],
    ),
  );
}

/** A record's properties after changes. */
export function applyChanges(
  base: Readonly<Record<string, unknown>>,
  changes: PropertyChanges,
): Readonly<Record<string, unknown>> {
  const all = Object.entries({ ...base, ...changes });
  return Object.fromEntries(all.filter(([, value]) => value !== undefined));
}

/** The verdict of the collection's schema on a change, before it is made. */
export interface Judgement {
  /** The values to set. */
  readonly changes: PropertyChanges;
  readonly validation: Validation;
}

/**
 * Validates a record after changes. If the schema refuses a NULL but accepts the property's absence, the property is
 * left out: a row has no other way to say that it is absent.
 */
export async function judge(
  schema: StandardSchema,
  base: Readonly<Record<string, unknown>>,
  changes: PropertyChanges,
): Promise<Judgement> {
  const validation = await validateRecord(schema, applyChanges(base, changes));
  const nulls = Object.keys(changes).filter(
    (name) => changes[name] === null && concerns(validation, name),
  );
  if (nulls.length === 0) return { changes, validation };
  const without = { ...changes, ...Object.fromEntries(nulls.map((name) => [name, undefined])) };
  const second = await validateRecord(schema, applyChanges(base, without));
  const isNull = second.ok && nulls.every((name) => recordCell(second.value, name) === null);
  return isNull ? { changes: without, validation: second } : { changes, validation };
}

/**
 * Validates a new record. The schema may supply a missing key; otherwise an integer key is generated.
 */
export async function judgeNew(
  schema: StandardSchema,
  { layout, seen }: TableShape,
  { changes, state }: Pick<LoadedRecords, "state"> & { readonly changes: PropertyChanges },
): Promise<Judgement> {
  // While no columns are known, the key may turn out to be an integer.
  const key =
    layout.rowIdColumn ?? (seen.length === 0 ? (layout.schema.primaryKey[0] ?? "id") : "");
  if (key === "" || (changes[key] ?? null) !== null) return judge(schema, {}, changes);
  const first = await judge(schema, {}, { ...changes, [key]: undefined });
  const { validation } = first;
  const given: Value = validation.ok ? recordCell(validation.value, key) : null;
  // Set it: a schema that makes a new key each time would give the collection another one.
  if (given !== null) return { ...first, changes: { ...first.changes, [key]: plain(given) } };
  const needsKey = validation.ok ? layout.rowIdColumn === key : concerns(validation, key);
  if (!needsKey) return first;
  const second = await judge(schema, {}, { ...changes, [key]: nextRowIdOf(state)() });
  return concerns(second.validation, key) ? first : second;
}

/** Whether the schema reports a problem of this property. */
function concerns(validation: Validation, name: string): boolean {
  return !validation.ok && validation.error.some(({ path }) => path[0] === name);
}

/** The problems that the collection's schema reports, by column. */
export function issueViolation(issue: SchemaIssue, changes: PropertyChanges): Violation {
  const [column, ...inner] = issue.path;
  const message = asSentence(issue.message);
  if (column === undefined) return refused("wrong-type", message);
  const place = inner.length === 0 ? "" : ` at ${issue.path.join(".")}`;
  const isMissing = inner.length === 0 && (changes[column] ?? null) === null;
  return {
    kind: isMissing ? "not-null" : "wrong-type",
    message: `Column "${column}" is refused by the collection${place}: ${message}`,
    columns: [column],
  };
}

/** The violation when a hook or a relation refuses a write that the schema allowed. */
export function refusedWrite(error: unknown): Violation {
  const isError = error instanceof Error;
  // The code of the package's own `RelationError`.
  const isRelation = isError && "code" in error && error.code === "INVALID_FOREIGN_RECORD";
  const message = asSentence(isError ? error.message : showValue(error));
  return refused(isRelation ? "reference-missing" : "wrong-type", message);
}

function refused(kind: Violation["kind"], message: string): Violation {
  return { kind, message: `The collection refuses the row: ${message}`, columns: [] };
}

function asSentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}
