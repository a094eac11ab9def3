import { showValue } from "../../core/errors/show.ts";
import type { ComparisonRules } from "../../core/store/order-value.ts";
import { missingValues } from "../../core/store/row-draft.ts";
import type { TableLayout } from "../../core/store/table-layout.ts";
import { notUnique, unknownColumn, type Violation } from "../../core/store/violation.ts";
import type { Changes } from "./given-values.ts";
import type { Judgement } from "./judge.ts";
import { recordCell, rowOf } from "./record-cells.ts";
import { findRecord } from "./scan.ts";
import type { SchemaIssue } from "./standard-schema.ts";
import type { TableShape } from "./table-shape.ts";

/** What the collection's schema finds wrong, by column. */
export function issueViolation(issue: SchemaIssue, changes: Changes): Violation {
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
  return missingValues(layout, rowOf(layout, record));
}

/** Values of the key and of unique columns that another record has. */
export function takenValues(
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
export function refusal(error: unknown): Violation {
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
