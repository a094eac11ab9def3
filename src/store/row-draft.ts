import type { ColumnKind } from "./affinity.ts";
import type { FitPolicy } from "./fit.ts";
import { copyJson } from "./json-value.ts";
import type { JsonValue, Row } from "./row.ts";
import type { Column } from "./schema.ts";
import type { TableLayout } from "./table-layout.ts";
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
  const violations: Violation[] = Object.keys(given)
    .filter((name) => layout.rules(name) === undefined)
    .map((name) => unknownColumn(name, layout.columnNames));
  const cells = layout.schema.columns.map((column): [string, JsonValue] => {
    const cell = draftCell(column, layout.rules(column.name)?.kind ?? "NONE", {
      given,
      ...options,
    });
    const missing = cell.value === null && (column.notNull || layout.isKeyColumn(column.name));
    if (cell.violation !== undefined) violations.push(cell.violation);
    else if (missing) violations.push(notNull(column.name, layout.isKeyColumn(column.name)));
    return [column.name, cell.value];
  });
  // `fromEntries` makes ordinary properties of all names, `__proto__` included.
  return { row: Object.freeze(Object.fromEntries(cells)), violations };
}

interface DraftCell {
  readonly value: JsonValue;
  readonly violation?: Violation;
}

function draftCell(
  column: Column,
  kind: ColumnKind,
  { given, ...options }: DraftOptions & { readonly given: GivenRow },
): DraftCell {
  const { name, type } = column;
  const value = Object.hasOwn(given, name) ? given[name] : undefined;
  if (value === undefined || (value === null && name === options.generated)) {
    return { value: options.fallback(column) };
  }
  if (value === null) return { value: null };
  const fitting = options.fit(value, kind);
  if (fitting.ok) return { value: fitting.value };
  const violation = wrongType(name, value, { type, expected: fitting.expected });
  return { value: options.previous?.[name] ?? null, violation };
}

/** What a new row gets in a column that is left out. */
export function defaultValue(column: Column): JsonValue {
  return column.default === undefined ? null : (copyJson(column.default) ?? null);
}
