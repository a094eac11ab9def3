import { takenValues } from "../../core/store/constraints.ts";
import { missingValues } from "../../core/store/row-draft.ts";
import { rowIdOf, type CellLayout } from "../../core/store/table-layout.ts";
import { type StoredRow, nextRowIdOf, rowByKey } from "../../core/store/table-state.ts";
import type { WriteResult } from "../../core/store/table.ts";
import {
  type GivenRow,
  type Row,
  type Value,
  isDatabaseValue,
  BlobValue,
  ExactInteger,
  WholeReal,
  copyJson,
} from "../../core/store/value.ts";
import {
  type Violation,
  rowMissing,
  unknownColumn,
  noRowId,
  wrongType,
} from "../../core/store/violation.ts";
import {
  type CollectionSource,
  type SchemaIssue,
  type StandardSchema,
  type Validation,
  validateRecord,
} from "./collection.ts";
import { columnsOf, recordRow, validationInput, recordCell } from "./records.ts";
import { type LoadedRecords, type TableShape, loadRecords } from "./table-shape.ts";
import { showValue } from "../../core/errors/show.ts";
import { CurrentTime } from "../../core/store/schema.ts";

/** A collection and the current shape of its rows. */
export interface WriteContext {
  readonly source: CollectionSource;
  readonly shape: () => TableShape;
}

/** The rows before a write. */
interface Found extends LoadedRecords {
  readonly shape: TableShape;
}

function find({ source, shape: shapeNow }: WriteContext): Found {
  const shape = shapeNow();
  return { shape, ...loadRecords(shape.layout, source.collection.all()) };
}

/** Creates a record. */
export async function insertRecord(context: WriteContext, given: GivenRow): Promise<WriteResult> {
  const { schema, collection } = context.source;
  const { shape, state } = find(context);
  const read = readGiven(shape, given);
  const changes = { ...declaredDefaults(shape), ...read.changes };
  const judgement = await judgeNew(schema, shape, { changes, state });
  const violations = violationsOf(find(context), { read, judgement, base: {}, before: undefined });
  if (violations.length > 0) return { ok: false, violations };
  const values = applyChanges({}, judgement.changes);
  return written(context, () => collection.create(values));
}

/** Changes the record with this key; `replace` also removes or resets what is left out. */
export async function changeRecord(
  context: WriteContext,
  key: readonly Value[],
  { given, kind }: { readonly given: GivenRow; readonly kind: "replace" | "update" },
): Promise<WriteResult> {
  const { schema, collection } = context.source;
  const { shape, state, record } = find(context);
  const before = rowByKey(state, key);
  const recordBefore = before && record(before.id);
  if (before === undefined || recordBefore === undefined) return missing(shape, key);
  const changed = changedColumns(before.row, given);
  const read = readGiven(shape, changed);
  const changes =
    kind === "update" ? read.changes : { ...leftOut(shape, recordBefore, given), ...read.changes };
  const base = validationInput(recordBefore);
  const judgement = await judge(schema, base, changes);
  const violations = violationsOf(find(context), { read, judgement, base, before });
  if (violations.length > 0) return { ok: false, violations };
  const result = await written(context, () =>
    collection.update(recordBefore, { data: (draft) => assign(draft, judgement.changes) }),
  );
  // Other code may have deleted the record meanwhile.
  const isGone = !result.ok && rowByKey(find(context).state, key) === undefined;
  return isGone ? missing(shape, key) : result;
}

/**
 * The given values that differ from the row. The rest is left alone: a record holds more than its row shows, such as
 * dates, bigints, and relations within documents.
 */
function changedColumns(row: Row, given: GivenRow): GivenRow {
  const isShown = (name: string, value: unknown): boolean =>
    Object.hasOwn(row, name) &&
    !isDatabaseValue(value) &&
    JSON.stringify(value) === JSON.stringify(row[name]);
  return Object.fromEntries(Object.entries(given).filter(([name, value]) => !isShown(name, value)));
}

/** The columns that a replacing row leaves out: they get their default, or are removed. */
function leftOut(shape: TableShape, record: object, given: GivenRow): PropertyChanges {
  const { layout, isDeclared } = shape;
  const defaults = declaredDefaults(shape);
  const columns = isDeclared ? layout.columnNames : columnsOf(record);
  return Object.fromEntries(
    columns
      .filter((name) => given[name] === undefined && !layout.isKeyColumn(name))
      .map((name) => [name, defaults[name]]),
  );
}

/** Deletes the record with this key. */
export function deleteRecord(context: WriteContext, key: readonly Value[]): WriteResult {
  const { collection } = context.source;
  const { shape, state, record: recordOf } = find(context);
  const before = rowByKey(state, key);
  const record = before && recordOf(before.id);
  if (before === undefined || record === undefined) return missing(shape, key);
  try {
    collection.delete(record);
  } catch (error) {
    return { ok: false, violations: [refusedWrite(error)] };
  }
  if (!collection.all().includes(record)) return { ok: true, row: before.row };
  const { name } = shape.layout.schema;
  const message = `The row of "${name}" stays: a hook of the collection does not let it be deleted.`;
  return { ok: false, violations: [{ kind: "still-referenced", message, columns: [] }] };
}

function missing({ layout }: TableShape, key: readonly Value[]): WriteResult {
  return { ok: false, violations: [rowMissing(layout.schema.primaryKey, key)] };
}

/** All violations of a change. The schema's problems are left out for columns that have one already. */
function violationsOf(
  { shape: { layout }, state }: Found,
  change: {
    readonly read: GivenValues;
    readonly judgement: Judgement;
    readonly base: Readonly<Record<string, unknown>>;
    readonly before: StoredRow | undefined;
  },
): readonly Violation[] {
  const { read, judgement, base, before } = change;
  const { changes, validation } = judgement;
  const wrong = new Set(read.violations.flatMap(({ columns }) => columns));
  const isNew = ({ columns }: Violation): boolean => columns.every((name) => !wrong.has(name));
  const row = recordRow(layout, validation.ok ? validation.value : applyChanges(base, changes));
  const own =
    layout.rowIdColumn === undefined ? undefined : rowIdOf(row[layout.rowIdColumn] ?? null);
  const id = own ?? before?.id ?? nextRowIdOf(state)();
  const issues = validation.ok
    ? [
        ...droppedColumns(layout.columnNames, changes, validation.value),
        ...missingValues(layout, row),
      ]
    : validation.error.map((issue) => issueViolation(issue, changes));
  return [
    ...read.violations,
    ...issues.filter(isNew),
    ...(id === undefined ? [] : takenValues(state, { before, after: { id, row } })),
  ];
}

/** Given columns that the schema dropped from its record. */
function droppedColumns(
  known: readonly string[],
  changes: PropertyChanges,
  made: object,
): readonly Violation[] {
  return Object.keys(changes)
    .filter((name) => changes[name] !== undefined && !Object.hasOwn(made, name))
    .map((name) => unknownColumn(name, known));
}

/** Runs a write of the collection, whose hooks and relations may refuse it. */
async function written(
  { shape }: WriteContext,
  write: () => Promise<object | undefined>,
): Promise<WriteResult> {
  try {
    const record = await write();
    if (record === undefined) throw new Error("The record is no longer there.");
    return { ok: true, row: recordRow(shape().layout, record) };
  } catch (error) {
    return { ok: false, violations: [refusedWrite(error)] };
  }
}

function assign(draft: object, changes: PropertyChanges): void {
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) Reflect.deleteProperty(draft, name);
    else Reflect.set(draft, name, value);
  }
}

const lastWrites = new WeakMap<object, Promise<unknown>>();

/**
 * Runs a write after earlier ones on the same collection. The collection itself would base two updates of one record
 * on the same state, and lose the first.
 */
export function oneAtATime<Result>(
  collection: object,
  write: () => Promise<Result> | Result,
): Promise<Result> {
  const previous = lastWrites.get(collection) ?? Promise.resolve();
  const result = previous.then(write);
  // A failed write does not stop later ones.
  lastWrites.set(
    collection,
    result.catch(() => undefined),
  );
  return result;
}

/** The values that a write sets, by property. Undefined removes the property. */
type PropertyChanges = Readonly<Record<string, unknown>>;

/** The given values, and the problems that do not depend on the collection's schema. */
interface GivenValues {
  readonly changes: PropertyChanges;
  readonly violations: readonly Violation[];
}

/**
 * Reads the given values of a row, converted by the storage rules. A declared column accepts values of its type; the
 * collection's schema checks those of other columns.
 */
function readGiven(shape: TableShape, given: GivenRow): GivenValues {
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
  // A column of type JSON or ANY does not determine the type of its values.
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
function declaredDefaults({ layout }: TableShape): PropertyChanges {
  return Object.fromEntries(
    layout.schema.columns.flatMap(({ name, default: value }) =>
      value === undefined || value instanceof CurrentTime ? [] : [[name, plain(value)]],
    ),
  );
}

/** A record's properties after changes. */
function applyChanges(
  base: Readonly<Record<string, unknown>>,
  changes: PropertyChanges,
): Readonly<Record<string, unknown>> {
  const all = Object.entries({ ...base, ...changes });
  return Object.fromEntries(all.filter(([, value]) => value !== undefined));
}

/** The collection's verdict on a change, before it is made. */
interface Judgement {
  /** The values to set. */
  readonly changes: PropertyChanges;
  readonly validation: Validation;
}

/**
 * Validates a record after changes. If the schema refuses a NULL but accepts the property's absence, the property is
 * left out: a row has no other way to say that it is absent.
 */
async function judge(
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
async function judgeNew(
  schema: StandardSchema,
  { layout, seen }: TableShape,
  { changes, state }: Pick<LoadedRecords, "state"> & { readonly changes: PropertyChanges },
): Promise<Judgement> {
  // While no columns are known yet, the key may turn out to be an integer.
  const key =
    layout.rowIdColumn ?? (seen.length === 0 ? (layout.schema.primaryKey[0] ?? "id") : "");
  if (key === "" || (changes[key] ?? null) !== null) return judge(schema, {}, changes);
  const first = await judge(schema, {}, { ...changes, [key]: undefined });
  const { validation } = first;
  const given: Value = validation.ok ? recordCell(validation.value, key) : null;
  // The key is set explicitly, since a schema that generates keys would give the record another key than the one
  // checked here.
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
function issueViolation(issue: SchemaIssue, changes: PropertyChanges): Violation {
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
function refusedWrite(error: unknown): Violation {
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
