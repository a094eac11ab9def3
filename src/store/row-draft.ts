import type { FitPolicy } from "./fit.ts";
import { copyJson } from "./json-value.ts";
import type { JsonValue, Row } from "./row.ts";
import type { Column } from "./schema.ts";
import type { CellLayout, TableLayout } from "./table-layout.ts";
import { notNull, unknownColumn, type Violation, wrongType } from "./violation.ts";

/** Columns and values as somebody gives them, unchecked. A value of undefined counts as left out. */
export type GivenRow = Readonly<Record<string, unknown>>;

/** A complete row made of what was given, and what is wrong with it. */
export interface RowDraft {
  /** Values that do not fit are left as they were before, so that later checks do not stumble over them. */
  readonly row: Row;
  readonly violations: readonly Violation[];
}

export interface DraftOptions {
  readonly fit: FitPolicy;
  /** What a column gets that is left out. */
  readonly fallback: (column: Column) => JsonValue;
  /** The column whose NULL counts as left out too, since its value is generated. */
  readonly generated?: string | undefined;
  /** The row that is changed, if any. */
  readonly previous: Row | undefined;
}

/** Makes a row of what was given: every column of the table, each value checked. */
export function draftRow(layout: TableLayout, given: GivenRow, options: DraftOptions): RowDraft {
  const violations: Violation[] = [];
  for (const name of Object.keys(given)) {
    if (layout.rules(name) === undefined) {
      violations.push(unknownColumn(name, layout.columnNames));
    }
  }
  const cells: [string, JsonValue][] = [];
  for (const cell of layout.cells) {
    cells.push([cell.column.name, draftValue(cell, given, { options, violations })]);
  }
  // `fromEntries` makes ordinary properties of all names, `__proto__` included.
  return { row: Object.freeze(Object.fromEntries(cells)), violations };
}

function draftValue(
  { column, kind, isKey }: CellLayout,
  given: GivenRow,
  { options, violations }: { readonly options: DraftOptions; readonly violations: Violation[] },
): JsonValue {
  const { name, type } = column;
  const value = Object.hasOwn(given, name) ? given[name] : undefined;
  if (value !== undefined && value !== null) {
    const fitting = options.fit(value, kind);
    if (fitting.ok) return fitting.value;
    violations.push(wrongType(name, value, { type, expected: fitting.expected }));
    return options.previous?.[name] ?? null;
  }
  const isLeftOut = value === undefined || name === options.generated;
  const stored = isLeftOut ? options.fallback(column) : null;
  if (stored === null && (column.notNull || isKey)) violations.push(notNull(name, isKey));
  return stored;
}

/** What a new row gets in a column that is left out. */
export function defaultValue(column: Column): JsonValue {
  return column.default === undefined ? null : (copyJson(column.default) ?? null);
}
