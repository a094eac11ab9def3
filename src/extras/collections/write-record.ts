import { takenValues } from "../../core/store/constraints.ts";
import { missingValues } from "../../core/store/row-draft.ts";
import { rowIdOf } from "../../core/store/table-layout.ts";
import { type StoredRow, nextRowIdOf, rowByKey } from "../../core/store/table-state.ts";
import type { WriteResult } from "../../core/store/table.ts";
import { type GivenRow, type Row, type Value, isDatabaseValue } from "../../core/store/value.ts";
import { type Violation, rowMissing, unknownColumn } from "../../core/store/violation.ts";
import type { CollectionSource } from "./collection.ts";
import {
  type GivenValues,
  type Judgement,
  type PropertyChanges,
  applyChanges,
  declaredDefaults,
  issueViolation,
  judge,
  judgeNew,
  readGiven,
  refusedWrite,
} from "./judge.ts";
import { columnsOf, recordRow, validationInput } from "./records.ts";
import { type LoadedRecords, type TableShape, loadRecords } from "./table-shape.ts";

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

/** Lets the collection write. Its hooks and relations may refuse. */
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
