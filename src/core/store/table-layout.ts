import type { ColumnKind } from "./column-kinds.ts";
import { type ComparisonRules, comparisonRules } from "./order-value.ts";
import type { Collation, Column, TableSchema } from "./schema.ts";
import type { IndexDefinition } from "./sorted-index.ts";
import type { StorageRules } from "./storage-rules.ts";
import { elementAt } from "./sorted-tree.ts";
import { ExactInteger, type Row, type RowId, type Value, isIntegerNumber } from "./value.ts";

/** What messages call the row id where no name means it. */
export const rowIdName = "rowid";
const rowIdNames = [rowIdName, "_rowid_", "oid"];

/** The name of the row id that no column has, as SQLite looks for it; undefined where columns have them all. */
export function freeRowIdName({ columns }: Pick<TableSchema, "columns">): string | undefined {
  const taken = new Set(columns.map(({ name }) => name.toLowerCase()));
  return rowIdNames.find((name) => !taken.has(name));
}

/** A schema with what is derived from it once and used by every read and write. */
export interface TableLayout {
  readonly schema: TableSchema;
  /** The schema as it was declared: without the columns that the table has adopted from its first row. */
  readonly declared: TableSchema;
  readonly storage: StorageRules;
  readonly columnNames: readonly string[];
  /** The comparison rules of a column, or undefined where there is no such column. */
  readonly rules: (column: string) => ComparisonRules | undefined;
  /** The integer primary key, whose value is the row id, and which is generated when it is left out. */
  readonly rowIdColumn: string | undefined;
  /** The name under which queries and writes see a row id that is no column; undefined where they do not. */
  readonly hiddenRowId: string | undefined;
  /** Whether this name means the row id. */
  readonly isRowId: (column: string) => boolean;
  readonly isKeyColumn: (column: string) => boolean;
  /** The columns as rows are made by, in the table's order. */
  readonly cells: readonly CellLayout[];
  /** The columns of the primary key, in key order. */
  readonly keyCells: readonly CellLayout[];
  /** What may occur once only: the primary key first, without the one that is the row id. */
  readonly uniqueKeys: readonly UniqueKey[];
  /** Indexes that some version of the table has made: after a restore they would be made anew each time. */
  readonly wantedIndexes: IndexDefinition[];
}

/** What decides what a row has in one column. */
export interface CellLayout {
  readonly name: string;
  readonly column: Column;
  readonly kind: ColumnKind;
  /** NULL is refused. */
  readonly needsValue: boolean;
  readonly isKey: boolean;
}

/** Columns whose values together may occur once only. */
export interface UniqueKey {
  readonly columns: readonly string[];
  readonly rules: readonly ComparisonRules[];
  readonly isUnique?: boolean;
  /** Whether it is the primary key. */
  readonly isKey: boolean;
}

export interface LayoutOptions {
  /** Default: the schema itself. */
  readonly declared?: TableSchema;
}

export function tableLayout(
  schema: TableSchema,
  storage: StorageRules,
  { declared = schema }: LayoutOptions = {},
): TableLayout {
  const rules = new Map(
    schema.columns.map((column) => [column.name, comparisonRules(column, storage.kindOf)]),
  );
  const rowIdColumn = rowIdColumnOf(schema, storage);
  const isHidden = storage.rowIdIsColumn && !schema.withoutRowId && rowIdColumn === undefined;
  const hiddenRowId = isHidden ? freeRowIdName(schema) : undefined;
  if (hiddenRowId !== undefined) rules.set(hiddenRowId, { kind: "INTEGER", collation: "BINARY" });
  const rowIdIs = rowIdColumn ?? hiddenRowId;
  const isRowId = (column: string): boolean => column === rowIdIs;
  const keysNeedValues = !storage.keysMayBeNull || schema.withoutRowId === true;
  const isKeyColumn = (column: string): boolean => schema.primaryKey.includes(column);
  const cells = schema.columns.map((column): CellLayout => {
    const isKey = isKeyColumn(column.name);
    const needsValue = column.notNull || (isKey && (keysNeedValues || isRowId(column.name)));
    const { name, type } = column;
    return { name, column, kind: storage.kindOf(type), needsValue, isKey };
  });
  return {
    schema,
    declared,
    storage,
    columnNames: schema.columns.map(({ name }) => name),
    rules: (column) => rules.get(column),
    rowIdColumn,
    hiddenRowId,
    isRowId,
    isKeyColumn,
    cells,
    keyCells: schema.primaryKey.flatMap((name) =>
      cells.filter(({ column }) => column.name === name),
    ),
    wantedIndexes: [],
    uniqueKeys: uniqueKeys(schema, rowIdColumn, (name) => rules.get(name)),
  };
}

/** Whether two tables are declared alike, so that the rows of one can be those of the other. */
export function isSameTable(one: TableLayout, other: TableLayout): boolean {
  if (one.storage !== other.storage) return false;
  return (
    one.declared === other.declared ||
    JSON.stringify(one.declared) === JSON.stringify(other.declared)
  );
}

function rowIdColumnOf(schema: TableSchema, storage: StorageRules): string | undefined {
  const [sole, ...others] = schema.primaryKey;
  if (sole === undefined || others.length > 0 || schema.withoutRowId === true) return undefined;
  const column = schema.columns.find(({ name }) => name === sole);
  return column !== undefined && storage.isRowIdType(column.type) ? sole : undefined;
}

function uniqueKeys(
  schema: TableSchema,
  rowIdColumn: string | undefined,
  rulesOf: (column: string) => ComparisonRules | undefined,
): readonly UniqueKey[] {
  const keyOf = (columns: readonly string[], isKey = false): UniqueKey => ({
    columns,
    rules: columns.flatMap((column) => rulesOf(column) ?? []),
    isUnique: true,
    isKey,
  });
  const { primaryKey, indexes = [] } = schema;
  const hasOwnKey = primaryKey.length > 0 && rowIdColumn === undefined;
  const sole = primaryKey.length === 1 ? primaryKey[0] : undefined;
  const unique = schema.columns.filter((column) => column.unique && column.name !== sole);
  const declared = indexes.filter((index) => index.unique);
  return [
    ...(hasOwnKey ? [keyOf(primaryKey, true)] : []),
    ...unique.map(({ name }) => keyOf([name])),
    ...declared.map(({ columns }) => {
      const key = keyOf(columns.map(({ name }) => name));
      return { ...key, rules: key.rules.map((own, at) => collatedBy(own, columns[at]?.collate)) };
    }),
  ];
}

function collatedBy(rules: ComparisonRules, collation: Collation | undefined): ComparisonRules {
  return { ...rules, collation: collation ?? rules.collation };
}

/** A row with these values, given in the order of the columns. Nobody can change it. */
export function makeRow({ columnNames }: TableLayout, values: readonly Value[]): Row {
  // Property by property, then frozen: 0.3 µs, and 104 bytes for seven columns. `Object.fromEntries` takes
  // three times as long, and freezing a copy of a template turns it into a dictionary of 350 bytes.
  const row: Record<string, Value> = {};
  for (let at = 0; at < columnNames.length; at++) {
    const name = elementAt(columnNames, at);
    const value = values[at] ?? null;
    if (name === "__proto__") Object.defineProperty(row, name, { value, enumerable: true });
    else row[name] = value;
  }
  return Object.freeze(row);
}

/** The least row id that is generated beside rows: those that are never used again start at 1. */
export function leastGenerated({ schema }: TableLayout): number {
  return schema.autoIncrement === true ? 1 : -Infinity;
}

/** The row id that a value of the integer primary key stands for; undefined where it is no whole number. */
export function rowIdOf(value: Value): RowId | undefined {
  if (value instanceof ExactInteger) return value.value;
  return typeof value === "number" && isIntegerNumber(value) ? value + 0 : undefined;
}
