import type { GivenRow, Row, Value } from "./value.ts";
import { type Column, CurrentTime } from "./schema.ts";
import { affinity } from "./column-kinds.ts";
import { affinityFit, type StorageRules } from "./storage-rules.ts";
import { timeText } from "./time-text.ts";
import { type CellLayout, makeRow, rowIdOf, type TableLayout } from "./table-layout.ts";
import {
  checkFails,
  moreUnknownColumns,
  noRowId,
  notNull,
  unknownColumn,
  type Violation,
  wrongType,
} from "./violation.ts";

/** A complete row made from given values, and its violations. */
export interface RowDraft {
  /**
   * The complete row. Where a given value does not fit, the row has the previous one, so that later checks report
   * nothing about the wrong value.
   */
  readonly row: Row;
  readonly violations: readonly Violation[];
}

export interface RowDraftOptions {
  /** The default of a column that is left out. */
  readonly fallback: (column: Column) => Value;
  /** Whether the row id is generated where it is NULL. */
  readonly generatesRowId: boolean;
  /** The row before the change, if any. */
  readonly previous: Row | undefined;
}

/** Only this many unknown columns are named, since finding the nearest known name takes 20 µs for each. */
const mostNamed = 20;

/** Makes a complete row from given values, and checks each of them. */
export function draftRow(layout: TableLayout, given: GivenRow, options: RowDraftOptions): RowDraft {
  const violations: Violation[] = [];
  const unknown = Object.keys(given).filter((name) => layout.rules(name) === undefined);
  for (const name of unknown.slice(0, mostNamed)) {
    violations.push(unknownColumn(name, layout.columnNames));
  }
  if (unknown.length > mostNamed) violations.push(moreUnknownColumns(unknown.slice(mostNamed)));
  const values: Value[] = [];
  for (const cell of layout.cells) {
    values.push(draftValue(cell, given, { layout, options, violations }));
  }
  const { hiddenRowId } = layout;
  const hiddenId = hiddenRowId === undefined ? undefined : given[hiddenRowId];
  if (hiddenRowId !== undefined && hiddenId !== undefined) {
    const isGenerated = hiddenId === null && options.generatesRowId;
    if (!isGenerated && givenRowId(layout, given) === undefined) {
      violations.push(noRowId(hiddenRowId, hiddenId));
    }
  }
  return { row: makeRow(layout, values), violations };
}

/** The given row id, in a table where the row id is not a column. */
export function givenRowId(layout: TableLayout, given: GivenRow): ReturnType<typeof rowIdOf> {
  const { hiddenRowId: name } = layout;
  const value = name !== undefined && Object.hasOwn(given, name) ? given[name] : undefined;
  if (value === undefined || value === null) return undefined;
  const fitting = layout.storage.fit(value, "INTEGER");
  return fitting.ok ? rowIdOf(fitting.value) : undefined;
}

function draftValue(
  { column, kind, isKey, needsValue }: CellLayout,
  given: GivenRow,
  context: {
    readonly layout: TableLayout;
    readonly options: RowDraftOptions;
    readonly violations: Violation[];
  },
): Value {
  const { layout, options, violations } = context;
  const { name } = column;
  const isRowId = name === layout.rowIdColumn;
  const value = Object.hasOwn(given, name) ? given[name] : undefined;
  if (value !== undefined && value !== null) {
    const before = options.previous?.[name] ?? null;
    // Rows of SQL dumps may have values that do not fit. Writing such a value back unchanged is allowed.
    return value === before
      ? before
      : fittingValue(value, { column, kind, isRowId, before }, context);
  }
  const isLeftOut = value === undefined || (isRowId && options.generatesRowId);
  const stored = isLeftOut ? options.fallback(column) : null;
  if (stored === null && needsValue) violations.push(notNull(name, isKey));
  return stored;
}

interface Cell {
  readonly column: Column;
  readonly kind: CellLayout["kind"];
  readonly isRowId: boolean;
  /** The column's value before the write. */
  readonly before: Value;
}

/** A value in stored form; the previous value, with a violation, if it does not fit. */
function fittingValue(
  value: unknown,
  { column: { name, type }, kind, isRowId, before }: Cell,
  { layout, violations }: { readonly layout: TableLayout; readonly violations: Violation[] },
): Value {
  const fitting = layout.storage.fit(value, kind);
  if (!fitting.ok) {
    violations.push(wrongType(name, value, { type, expected: fitting.expected }));
    return before;
  }
  if (!isRowId || rowIdOf(fitting.value) !== undefined) return fitting.value;
  violations.push(noRowId(name, value));
  return before;
}

/** The value of a new row in a column that is left out. */
export function defaultValue(
  { default: value = null, type }: Column,
  { storage, now }: { readonly storage: StorageRules; readonly now: () => number },
): Value {
  if (value === null) return null;
  const given = value instanceof CurrentTime ? currentTime(value, { type, now: now() }) : value;
  const fitting = storage.fit(given, storage.kindOf(type));
  return fitting.ok ? fitting.value : null;
}

/** The time as a column of this type stores it. */
function currentTime(
  { format }: CurrentTime,
  { type, now }: { readonly type: string; readonly now: number },
): Value {
  const seconds = Math.floor(now / 1000);
  if (format === "seconds") return seconds;
  // Whole seconds, as SQLite counts them in `unixepoch() * 1000`.
  if (format === "milliseconds") return seconds * 1000;
  const fitting = affinityFit(timeText(format, now), affinity(type));
  return fitting.ok ? fitting.value : null;
}

/**
 * The checks that a row violates. Like SQLite, an update only tests the checks that read a column which it sets, so
 * that a row that violates several can be repaired value by value.
 */
export function brokenChecks(
  { checks }: TableLayout,
  row: Row,
  sets?: (column: string) => boolean,
): readonly Violation[] {
  if (checks.length === 0) return [];
  return checks.flatMap(({ check, holds }) => {
    const isTested = sets === undefined || check.columns.some(sets);
    return isTested && !holds(row) ? [checkFails(check, row)] : [];
  });
}

/** The columns that need a value but have none, in a row in stored form. */
export function missingValues({ cells }: TableLayout, row: Row): readonly Violation[] {
  return notNulls(
    cells.filter(({ needsValue }) => needsValue),
    row,
  );
}

/** {@link missingValues} for a row of another database, where keys may be NULL. */
export function missingDeclaredValues({ cells }: TableLayout, row: Row): readonly Violation[] {
  return notNulls(
    cells.filter(({ column }) => column.notNull),
    row,
  );
}

function notNulls(cells: readonly CellLayout[], row: Row): readonly Violation[] {
  return cells
    .filter(({ name }) => (row[name] ?? null) === null)
    .map(({ name, isKey }) => notNull(name, isKey));
}
