import { type ColumnKind, columnKinds } from "./column-kinds.ts";
import { type ComparisonRules, comparisonRules } from "./order-value.ts";
import type { CheckConstraint, Collation, Column, RowTest, TableSchema } from "./schema.ts";
import type { IndexDefinition } from "./sorted-index.ts";
import type { StorageRules } from "./storage-rules.ts";
import { elementAt } from "./sorted-tree.ts";
import { ExactInteger, type Row, type RowId, type Value, isIntegerNumber } from "./value.ts";

/** The name of the row id in messages, if no other name is available. */
export const rowIdName = "rowid";
const rowIdNames = [rowIdName, "_rowid_", "oid"];

/** The first of SQLite's names for the row id that no column has; undefined if columns have all of them. */
export function freeRowIdName({ columns }: Pick<TableSchema, "columns">): string | undefined {
  const taken = new Set(columns.map(({ name }) => name.toLowerCase()));
  return rowIdNames.find((name) => !taken.has(name));
}

/** A schema with what every read and write derives from it. */
export interface TableLayout {
  readonly schema: TableSchema;
  /** The schema as declared: without columns adopted from the first row. */
  readonly declared: TableSchema;
  readonly storage: StorageRules;
  readonly columnNames: readonly string[];
  /** The comparison rules of a column, or undefined where there is no such column. */
  readonly rules: (column: string) => ComparisonRules | undefined;
  /** The integer primary key. Its value is the row id, generated when left out. */
  readonly rowIdColumn: string | undefined;
  /** The name under which queries and writes can use a row id that is not a column; undefined if they cannot use it. */
  readonly hiddenRowId: string | undefined;
  /** Whether this name means the row id. */
  readonly isRowId: (column: string) => boolean;
  readonly isKeyColumn: (column: string) => boolean;
  /** The columns in the table's order, as needed to make rows. */
  readonly cells: readonly CellLayout[];
  /** The columns of the primary key, in key order. */
  readonly keyCells: readonly CellLayout[];
  /** The unique keys: the primary key first, unless it is the row id. */
  readonly uniqueKeys: readonly UniqueKey[];
  /** The conditions of rows. */
  readonly checks: readonly CheckLayout[];
  /** Indexes that any version of the table has made, so that a restore need not make them again. */
  readonly wantedIndexes: IndexDefinition[];
}

/** The properties of a column that decide its values. */
export interface CellLayout {
  readonly name: string;
  readonly column: Column;
  readonly kind: ColumnKind;
  /** Whether a value is in stored form. False when in doubt. */
  readonly isStoredAsItIs: (value: unknown) => boolean;
  /** Whether NULL is refused. */
  readonly needsValue: boolean;
  readonly isKey: boolean;
}

/** A condition of rows, ready to be tested. */
export interface CheckLayout {
  readonly check: CheckConstraint;
  readonly holds: RowTest;
}

/** Columns whose combined values must be unique. */
export interface UniqueKey {
  readonly columns: readonly string[];
  readonly rules: readonly ComparisonRules[];
  readonly isUnique?: boolean;
  /** Whether it is the primary key. */
  readonly isKey: boolean;
}

export interface LayoutOptions {
  /** The schema as declared. Default: `schema`. */
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
    const kind = storage.kindOf(type);
    const { isStoredAsItIs } = columnKinds[kind];
    return { name, column, kind, isStoredAsItIs, needsValue, isKey };
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
    checks: (schema.checks ?? []).map((check) => {
      return { check, holds: check.compile(schema.columns, storage) };
    }),
    wantedIndexes: [],
    uniqueKeys: uniqueKeys(schema, rowIdColumn, (name) => rules.get(name)),
  };
}

/** Whether two tables have the same declaration, so that one can take the other's rows. */
export function isSameTable(one: TableLayout, other: TableLayout): boolean {
  if (one.storage !== other.storage) return false;
  return (
    one.declared === other.declared ||
    JSON.stringify(one.declared) === JSON.stringify(other.declared)
  );
}

/** The integer primary key that is the row id; undefined if there is none. */
export function rowIdColumnOf(schema: TableSchema, storage: StorageRules): string | undefined {
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

/** A frozen row with these values, given in column order. */
export function makeRow({ columnNames }: TableLayout, values: readonly Value[]): Row {
  // Assign property by property, then freeze: 0.3 µs, and 104 bytes for seven columns. `Object.fromEntries` takes
  // three times as long, and freezing a copy of a template makes a dictionary of 350 bytes.
  const row: Record<string, Value> = {};
  for (let at = 0; at < columnNames.length; at++) {
    const name = elementAt(columnNames, at);
    const value = values[at] ?? null;
    if (name === "__proto__") Object.defineProperty(row, name, { value, enumerable: true });
    else row[name] = value;
  }
  return Object.freeze(row);
}

/** The least row id that is generated. Tables that never reuse an id start at 1. */
export function leastGenerated({ schema }: TableLayout): number {
  return schema.autoIncrement === true ? 1 : -Infinity;
}

/** The row id that a value of the integer primary key means; undefined if it is not a whole number. */
export function rowIdOf(value: Value): RowId | undefined {
  if (value instanceof ExactInteger) return value.value;
  return typeof value === "number" && isIntegerNumber(value) ? value + 0 : undefined;
}
