import type { WriteResult } from "../../core/store/table.ts";
import type { GivenRow, Value } from "../../core/store/value.ts";
import { type Violation, rowMissing } from "../../core/store/violation.ts";
import type { CollectionSource } from "./collection.ts";
import {
  type PropertyChanges,
  type GivenValues,
  applyChanges,
  readGiven,
  replacing,
  unchangedColumns,
  withDefaults,
  withoutColumns,
} from "./given-values.ts";
import {
  type Judgement,
  deletePrevented,
  droppedColumns,
  issueViolation,
  judge,
  judgeNew,
  missingCells,
  refusedWrite,
  takenKeyValues,
} from "./judge.ts";
import { columnsOf, recordRow, validationInput } from "./records.ts";
import {
  type GivenLinks,
  learnRelation,
  linkInputs,
  readLinks,
  relate,
  takenLinks,
} from "./relations.ts";
import { recordByKey } from "./scan.ts";
import type { TableShape } from "./table-shape.ts";

/** A collection and what its rows look like at the moment. */
export interface WriteContext {
  readonly source: CollectionSource;
  readonly shape: () => TableShape;
}

/** Which columns of a row a change is about. */
type ChangeKind = "replace" | "update";

/** Creates a record. */
export async function insertRecord(context: WriteContext, given: GivenRow): Promise<WriteResult> {
  const { source } = context;
  const shape = context.shape();
  const links = readLinks(source.collection, shape, { given, isNew: true });
  const read = readGiven(shape, links.rest);
  const base = linkInputs(links);
  const judgement = await judgeNew(source, shape, {
    base,
    changes: withDefaults(shape, read.changes),
  });
  const violations = violationsOf(context, { read, links, judgement, base, before: undefined });
  if (violations.length > 0) return { ok: false, violations };
  const values = applyChanges(Object.fromEntries(links.links), judgement.changes);
  return written(context, () => source.collection.create(values), {
    // Without records, only the refusal of the first one tells what its relations are.
    retry: (error) =>
      learnRelation(source.collection, error, values) ? insertRecord(context, given) : undefined,
  });
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
  const { links, read, changes } = readChange(context, before, options);
  const base = { ...validationInput(before), ...linkInputs(links) };
  const judgement = await judge(source.schema, base, changes);
  const violations = violationsOf(context, { read, links, judgement, base, before });
  if (violations.length > 0) return { ok: false, violations };
  const result = await written(context, () =>
    source.collection.update(before, { data: (draft) => assign(draft, judgement.changes) }),
  );
  if (result.ok) relate(before, links.links);
  // Who writes to the collection directly can have deleted it meanwhile.
  const isGone = !result.ok && recordByKey(source, shape.layout, key) === undefined;
  return isGone ? missing(shape, key) : result;
}

/** What a change sets: not what is given as the row has it already. */
function readChange(
  { source, shape: shapeNow }: WriteContext,
  before: object,
  { given, kind }: { readonly given: GivenRow; readonly kind: ChangeKind },
): { readonly links: GivenLinks; readonly read: GivenValues; readonly changes: PropertyChanges } {
  const shape = shapeNow();
  const { layout, isDeclared } = shape;
  const links = readLinks(source.collection, shape, { given, isNew: false });
  const unchanged = unchangedColumns(recordRow(layout, before), links.rest);
  const read = readGiven(shape, withoutColumns(links.rest, unchanged));
  if (kind === "update") return { links, read, changes: read.changes };
  const columns = isDeclared ? layout.columnNames : columnsOf(before);
  const replaced = columns.filter((name) => !unchanged.has(name) && !links.links.has(name));
  return { links, read, changes: replacing(shape, read.changes, replaced) };
}

/** Deletes the record that has this key. */
export function deleteRecord(context: WriteContext, key: readonly Value[]): WriteResult {
  const { collection } = context.source;
  const shape = context.shape();
  const record = recordByKey(context.source, shape.layout, key);
  if (record === undefined) return missing(shape, key);
  const row = recordRow(shape.layout, record);
  try {
    collection.delete(record);
  } catch (error) {
    return { ok: false, violations: [refusedWrite(error)] };
  }
  if (!collection.all().includes(record)) return { ok: true, row };
  return { ok: false, violations: [deletePrevented(shape.layout.schema.name)] };
}

function missing({ layout }: TableShape, key: readonly Value[]): WriteResult {
  return { ok: false, violations: [rowMissing(layout.schema.primaryKey, key)] };
}

/** Everything that forbids a change. A column that is wrong already is not reported by the schema again. */
function violationsOf(
  { source, shape }: WriteContext,
  change: {
    readonly read: GivenValues;
    readonly links: GivenLinks;
    readonly judgement: Judgement;
    readonly base: Readonly<Record<string, unknown>>;
    readonly before: object | undefined;
  },
): readonly Violation[] {
  const { read, links, judgement, base, before } = change;
  const { changes, validation } = judgement;
  const { layout } = shape();
  const given = [...links.violations, ...read.violations];
  const wrong = new Set(given.flatMap(({ columns }) => columns));
  const isNew = ({ columns }: Violation): boolean => columns.every((name) => !wrong.has(name));
  const issues = validation.ok
    ? []
    : validation.issues.map((issue) => issueViolation(issue, changes));
  const record = validation.ok ? validation.value : applyChanges(base, changes);
  return [
    ...given,
    ...issues.filter(isNew),
    ...droppedColumns(shape(), judgement),
    ...(validation.ok ? missingCells(layout, record).filter(isNew) : []),
    ...takenLinks(links.links, { records: source.collection.all(), record: before }),
    ...takenKeyValues(layout, record, { records: source.collection.all(), except: before }),
  ];
}

/** Has the collection write, which its hooks and relations may refuse. */
async function written(
  { shape }: WriteContext,
  write: () => Promise<object | undefined>,
  { retry }: { readonly retry?: (error: unknown) => Promise<WriteResult> | undefined } = {},
): Promise<WriteResult> {
  try {
    const record = await write();
    if (record === undefined) throw new Error("The record is no longer there.");
    return { ok: true, row: recordRow(shape().layout, record) };
  } catch (error) {
    return retry?.(error) ?? { ok: false, violations: [refusedWrite(error)] };
  }
}

function assign(draft: object, changes: PropertyChanges): void {
  for (const [name, value] of changes) {
    if (value === undefined) Reflect.deleteProperty(draft, name);
    else Reflect.set(draft, name, value);
  }
}

const lastWrites = new WeakMap<object, Promise<unknown>>();

/**
 * Runs a write when those before it on the same collection are over. The collection itself would make two
 * updates of one record from the same state, and lose the first.
 */
export function inTurn<Result>(
  collection: object,
  write: () => Promise<Result> | Result,
): Promise<Result> {
  const previous = lastWrites.get(collection) ?? Promise.resolve();
  const result = previous.then(write);
  // A write that fails does not stop those after it.
  lastWrites.set(
    collection,
    result.catch(() => undefined),
  );
  return result;
}
