import { type ColumnKind, columnKind } from "./affinity.ts";
import { type ComparisonRules, comparisonRules } from "./order-value.ts";
import type { Column, TableSchema } from "./schema.ts";

/** A schema with what is derived from it once and used by every read and write. */
export interface TableLayout {
  readonly schema: TableSchema;
  readonly columnNames: readonly string[];
  /** The comparison rules of a column, or undefined where there is no such column. */
  readonly rules: (column: string) => ComparisonRules | undefined;
  /** The integer primary key, whose value is the row id, and which is generated when it is left out. */
  readonly rowIdColumn: string | undefined;
  readonly isKeyColumn: (column: string) => boolean;
  /** The columns as rows are made by, in the table's order. */
  readonly cells: readonly CellLayout[];
}

/** What decides what a row has in one column. */
export interface CellLayout {
  readonly column: Column;
  readonly kind: ColumnKind;
  readonly isKey: boolean;
}

export function tableLayout(schema: TableSchema): TableLayout {
  const rules = new Map(schema.columns.map((column) => [column.name, comparisonRules(column)]));
  const [soleKey, ...otherKeys] = schema.primaryKey;
  const isKeyColumn = (column: string): boolean => schema.primaryKey.includes(column);
  const isSole = soleKey !== undefined && otherKeys.length === 0;
  return {
    schema,
    columnNames: schema.columns.map(({ name }) => name),
    rules: (column) => rules.get(column),
    rowIdColumn: isSole && rules.get(soleKey)?.kind === "INTEGER" ? soleKey : undefined,
    isKeyColumn,
    cells: schema.columns.map((column) => ({
      column,
      kind: columnKind(column.type),
      isKey: isKeyColumn(column.name),
    })),
  };
}

/** The sets of columns whose values may occur once only: the primary key first. */
export function uniqueColumnSets(schema: TableSchema): readonly (readonly string[])[] {
  const { primaryKey } = schema;
  const sole = primaryKey.length === 1 ? primaryKey[0] : undefined;
  const unique = schema.columns.filter((column: Column) => column.unique && column.name !== sole);
  return [...(primaryKey.length > 0 ? [primaryKey] : []), ...unique.map(({ name }) => [name])];
}
