import { showValue } from "../../core/errors/show.ts";
import type { ComparisonRules } from "../../core/store/order-value.ts";
import { missingValues } from "../../core/store/row-draft.ts";
import type { TableLayout } from "../../core/store/table-layout.ts";
import { ExactInteger } from "../../core/store/value.ts";
import { type Violation, notUnique, unknownColumn } from "../../core/store/violation.ts";
import {
  type CollectionSource,
  type SchemaIssue,
  type StandardSchema,
  type Validation,
  validateRecord,
} from "./collection.ts";
import { type PropertyChanges, applyChanges } from "./given-values.ts";
import { recordCell, recordRow } from "./records.ts";
import { findRecord } from "./scan.ts";
import type { TableShape } from "./table-shape.ts";

/** What the collection's schema says of a change, before it is made. */
export interface Judgement {
  /** What is to be set. */
  readonly changes: PropertyChanges;
  readonly validation: Validation;
}

/**
 * Asks the schema about a record with changes made to it. A NULL that it refuses is left out instead, where that
 * makes a NULL of it: a row has no other way to say that a property is not there.
 */
export async function judge(
  schema: StandardSchema,
  base: Readonly<Record<string, unknown>>,
  changes: PropertyChanges,
): Promise<Judgement> {
  const validation = await validateRecord(schema, applyChanges(base, changes));
  if (validation.ok) return { changes, validation };
  const refused = new Set(validation.issues.map(({ path }) => path[0]));
  const nulls = [...changes].flatMap(([name, value]) =>
    value === null && refused.has(name) ? [name] : [],
  );
  if (nulls.length === 0) return { changes, validation };
  const without = new Map(changes);
  for (const name of nulls) without.set(name, undefined);
  const second = await validateRecord(schema, applyChanges(base, without));
  const isNull = second.ok && nulls.every((name) => recordCell(second.value, name) === null);
  return isNull ? { changes: without, validation: second } : { changes, validation };
}

/**
 * Asks the schema about a new record: `base` is what it is related to. A key that is left out is the one that the schema itself gives; where it
 * gives none, an integer key is one more than the largest.
 */
export async function judgeNew(
  { collection, schema }: CollectionSource,
  { layout, seen }: TableShape,
  {
    base,
    changes,
  }: { readonly base: Readonly<Record<string, unknown>>; readonly changes: PropertyChanges },
): Promise<Judgement> {
  const key = generatedKey(layout, seen);
  if (key === undefined || (changes.get(key) ?? null) !== null) return judge(schema, base, changes);
  const keyless = new Map(changes);
  keyless.delete(key);
  const first = await judge(schema, base, keyless);
  const { validation } = first;
  const given = validation.ok ? recordCell(validation.value, key) : null;
  // Set, so that a schema which gives another one each time gives no other to the collection.
  if (given !== null) return { ...first, changes: new Map([...first.changes, [key, given]]) };
  const needsKey = validation.ok ? layout.rowIdColumn === key : concerns(validation, key);
  if (!needsKey) return first;
  const next = nextKey(collection.all(), key, layout.storage.largestRowId);
  const second = await judge(schema, base, new Map([...keyless, [key, next]]));
  return concerns(second.validation, key) ? first : second;
}

/** Whether the schema finds something wrong with this property. */
function concerns(validation: Validation, key: string): boolean {
  return !validation.ok && validation.issues.some(({ path }) => path[0] === key);
}

/** An integer key; or `id` where no record and no schema tells the columns yet. */
function generatedKey(
  { rowIdColumn, schema }: TableLayout,
  seen: readonly string[],
): string | undefined {
  if (rowIdColumn !== undefined) return rowIdColumn;
  const [sole = "id", ...others] = schema.primaryKey;
  return seen.length === 0 && others.length === 0 ? sole : undefined;
}

/** One more than the largest; where that is no exact number any more, the smallest one free from 1 on. */
function nextKey(records: readonly object[], key: string, greatest: number | bigint): number {
  const taken = records.flatMap((record) => {
    const value = recordCell(record, key);
    const number = value instanceof ExactInteger ? Number(value.value) : value;
    return typeof number === "number" ? [Math.floor(number)] : [];
  });
  if (taken.length === 0) return 1;
  const largest = taken.reduce((left, right) => Math.max(left, right));
  if (largest < greatest) return largest + 1;
  const all = new Set(taken);
  let free = 1;
  while (all.has(free)) free++;
  return free;
}

/** What the collection's schema finds wrong, by column. */
export function issueViolation(issue: SchemaIssue, changes: PropertyChanges): Violation {
  const [column, ...inner] = issue.path;
  const message = asSentence(issue.message);
  if (column === undefined) {
    return {
      kind: "wrong-type",
      message: `The collection refuses the row: ${message}`,
      columns: [],
    };
  }
  const place = inner.length === 0 ? "" : ` at ${issue.path.join(".")}`;
  const isMissing = inner.length === 0 && (changes.get(column) ?? null) === null;
  return {
    kind: isMissing ? "not-null" : "wrong-type",
    message: `Column "${column}" is refused by the collection${place}: ${message}`,
    columns: [column],
  };
}

/** Columns that were given, and of which the schema left nothing in the record that it made. */
export function droppedColumns(
  shape: TableShape,
  { changes, validation }: Judgement,
): readonly Violation[] {
  if (!validation.ok) return [];
  const dropped = [...changes].filter(
    ([name, value]) =>
      value !== undefined &&
      shape.takes(name) === undefined &&
      !Object.hasOwn(validation.value, name),
  );
  return dropped.map(([name]) => unknownColumn(name, shape.layout.columnNames));
}

/** What a record lacks that its columns need. */
export function missingCells(layout: TableLayout, record: object): readonly Violation[] {
  return missingValues(layout, recordRow(layout, record));
}

/** Values of the key and of unique columns that another record has. */
export function takenKeyValues(
  layout: TableLayout,
  record: object,
  others: { readonly records: readonly object[]; readonly except: object | undefined },
): readonly Violation[] {
  return uniqueSets(layout).flatMap(({ columns, rules, isKey }) => {
    const values = columns.map((column) => recordCell(record, column));
    const { records, except } = others;
    const holder = findRecord(records, columns, { rules, values, except });
    return holder === undefined ? [] : [notUnique(columns, values, isKey)];
  });
}

interface UniqueSet {
  readonly columns: readonly string[];
  readonly rules: readonly ComparisonRules[];
  readonly isKey: boolean;
}

/** The layout's own list leaves out a key that is the row id. */
function uniqueSets({ schema, uniqueKeys, rules }: TableLayout): readonly UniqueSet[] {
  const columns = schema.primaryKey;
  const key = { columns, rules: columns.flatMap((column) => rules(column) ?? []), isKey: true };
  const others = uniqueKeys.filter(({ isKey }) => !isKey);
  return columns.length === 0 ? others : [key, ...others];
}

/** What the collection said when it refused a write that its schema had let through: a hook, or a relation. */
export function refusedWrite(error: unknown): Violation {
  const isError = error instanceof Error;
  const message = isError ? error.message : showValue(error);
  // The code of the package's own `RelationError`.
  const isRelation = isError && "code" in error && error.code === "INVALID_FOREIGN_RECORD";
  return {
    kind: isRelation ? "reference-missing" : "wrong-type",
    message: `The collection refuses the row: ${asSentence(message)}`,
    columns: [],
  };
}

function asSentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}

/** A `delete` hook prevented what it was told of. */
export function deletePrevented(table: string): Violation {
  const message = `The row of "${table}" stays: a hook of the collection prevents that it is deleted.`;
  return { kind: "still-referenced", message, columns: [] };
}
