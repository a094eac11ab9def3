import type { GivenRow } from "../store/row-draft.ts";
import type { TableLayout } from "../store/table-layout.ts";
import type { WriteResult } from "../store/table.ts";
import type { Value } from "../store/value.ts";
import { rowMissing, type Violation } from "../store/violation.ts";
import type { CollectionSource } from "./collection.ts";
import { judgeNew } from "./generated-key.ts";
import {
  applyChanges,
  type Changes,
  type GivenValues,
  readGiven,
  replacing,
  withDefaults,
} from "./given-values.ts";
import { type Judgement, judge } from "./judge.ts";
import { columnsOf, rowOf } from "./record-cells.ts";
import { findRecord } from "./scan.ts";
import type { TableShape } from "./table-shape.ts";
import { validationInput } from "./validation-input.ts";
import {
  deletePrevented,
  droppedColumns,
  issueViolation,
  missingCells,
  refusal,
  takenValues,
} from "./write-violations.ts";

/** A collection and what its rows look like at the moment. */
export interface WriteContext {
  readonly source: CollectionSource;
  readonly shape: () => TableShape;
}

/** Which columns of a row a change is about. */
export type ChangeKind = "replace" | "update";

/** Creates a record. */
export async function insertRecord(context: WriteContext, given: GivenRow): Promise<WriteResult> {
  const { source } = context;
  const shape = context.shape();
  const read = readGiven(shape, given);
  const judgement = await judgeNew(source, shape, withDefaults(shape, read.changes));
  const violations = violationsOf(context, { read, judgement, base: {}, before: undefined });
  if (violations.length > 0) return { ok: false, violations };
  const values = applyChanges({}, judgement.changes);
  return written(context, () => source.collection.create(values));
}

/** Changes the record that has this key. */
export async function changeRecord(
  context: WriteContext,
  key: readonly Value[],
  options: { readonly given: GivenRow; readonly kind: ChangeKind },
): Promise<WriteResult> {
  const { source } = context;
  const shape = context.shape();
  const before = recordByKey(source, shape.layout, key);
  if (before === undefined) return missing(shape, key);
  const read = readGiven(shape, options.given);
  const changes =
    options.kind === "update"
      ? read.changes
      : replacing(
          shape,
          read.changes,
          shape.isDeclared ? shape.layout.columnNames : columnsOf(before),
        );
  const base = validationInput(before);
  const judgement = await judge(source.schema, base, changes);
  const violations = violationsOf(context, { read, judgement, base, before });
  if (violations.length > 0) return { ok: false, violations };
  const result = await written(context, () =>
    source.collection.update(before, { data: (draft) => assign(draft, judgement.changes) }),
  );
  // Who writes to the collection directly can have deleted it meanwhile.
  const isGone = !result.ok && recordByKey(source, shape.layout, key) === undefined;
  return isGone ? missing(shape, key) : result;
}

/** Deletes the record that has this key. */
export function deleteRecord(context: WriteContext, key: readonly Value[]): WriteResult {
  const { collection } = context.source;
  const shape = context.shape();
  const record = recordByKey(context.source, shape.layout, key);
  if (record === undefined) return missing(shape, key);
  const row = rowOf(shape.layout, record);
  try {
    collection.delete(record);
  } catch (error) {
    return { ok: false, violations: [refusal(error)] };
  }
  if (!collection.all().includes(record)) return { ok: true, row };
  return { ok: false, violations: [deletePrevented(shape.layout.schema.name)] };
}

/** The first record with this key, given in key order. */
export function recordByKey(
  { collection }: CollectionSource,
  layout: TableLayout,
  key: readonly Value[],
): object | undefined {
  const { primaryKey } = layout.schema;
  if (primaryKey.length === 0) return undefined;
  const rules = primaryKey.flatMap((column) => layout.rules(column) ?? []);
  const values = primaryKey.map((column, at) => asStored(layout, column, key[at] ?? null));
  return findRecord(collection.all(), primaryKey, { rules, values });
}

/** A value of a key counts as its column would store it, where it would. */
function asStored({ cells, storage }: TableLayout, name: string, value: Value): Value {
  const kind = cells.find(({ column }) => column.name === name)?.kind;
  if (value === null || kind === undefined) return value;
  const fitting = storage.fit(value, kind);
  return fitting.ok ? fitting.value : value;
}

function missing({ layout }: TableShape, key: readonly Value[]): WriteResult {
  return { ok: false, violations: [rowMissing(layout.schema.primaryKey, key)] };
}

/** Everything that forbids a change. A column that is wrong already is not reported by the schema again. */
function violationsOf(
  { source, shape }: WriteContext,
  change: {
    readonly read: GivenValues;
    readonly judgement: Judgement;
    readonly base: Readonly<Record<string, unknown>>;
    readonly before: object | undefined;
  },
): readonly Violation[] {
  const { read, judgement, base, before } = change;
  const { changes, validation } = judgement;
  const { layout } = shape();
  const wrong = new Set(read.violations.flatMap(({ columns }) => columns));
  const isNew = ({ columns }: Violation): boolean => columns.every((name) => !wrong.has(name));
  const issues = validation.ok
    ? []
    : validation.issues.map((issue) => issueViolation(issue, changes));
  const record = validation.ok ? validation.value : applyChanges(base, changes);
  return [
    ...read.violations,
    ...issues.filter(isNew),
    ...droppedColumns(shape(), judgement),
    ...(validation.ok ? missingCells(layout, record).filter(isNew) : []),
    ...takenValues(layout, record, { records: source.collection.all(), except: before }),
  ];
}

/** Has the collection write, which its hooks and relations may refuse. */
async function written(
  { shape }: WriteContext,
  write: () => Promise<object | undefined>,
): Promise<WriteResult> {
  try {
    const record = await write();
    if (record === undefined) throw new Error("The record is no longer there.");
    return { ok: true, row: rowOf(shape().layout, record) };
  } catch (error) {
    return { ok: false, violations: [refusal(error)] };
  }
}

function assign(draft: object, changes: Changes): void {
  for (const [name, value] of changes) {
    if (value === undefined) Reflect.deleteProperty(draft, name);
    else Reflect.set(draft, name, value);
  }
}
