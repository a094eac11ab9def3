import { inferColumns, plainColumn, type Column } from "../../core/store/schema.ts";
import { indexOf } from "../../core/store/sorted-index.ts";
import { type StorageRules, strictStorage } from "../../core/store/storage-rules.ts";
import { type TableLayout, rowIdOf, tableLayout } from "../../core/store/table-layout.ts";
import { TableState, rowsTree } from "../../core/store/table-state.ts";
import { type Row, type RowId, compareRowIds } from "../../core/store/value.ts";
import type { CollectionSource, DescribedColumns } from "./collection.ts";
import { columnsOf, recordCell, recordRow, relationsOf } from "./records.ts";

/** The user's declaration of a collection's table. */
export interface TableDeclaration {
  readonly name: string;
  /** The key. Undefined: `id`, if there is such a column. */
  readonly primaryKey: readonly string[] | undefined;
  /** The declared columns. Undefined: those of the collection's schema and records. */
  readonly columns: readonly Column[] | undefined;
  /** How values compare, and how values of keys and declared columns are converted. Default: strict rules. */
  readonly storage?: StorageRules;
}

/** The schema of a collection's rows at one moment. */
export interface TableShape {
  readonly layout: TableLayout;
  /** The columns found in the schema or records, not only named as the key. Empty: none are known yet. */
  readonly seen: readonly string[];
  /** Whether the columns are declared, so that values must fit them in addition to the collection's schema. */
  readonly isDeclared: boolean;
  /** Whether rows can have no other columns. */
  readonly isClosed: boolean;
  /** Properties that refer to records of other collections, and so are not columns. */
  readonly relations: readonly unknown[];
}

/** The current shape. Without declared columns it may change with the records. */
export function shapeOf(
  { collection }: CollectionSource,
  { name, primaryKey, columns: declared, storage = strictStorage }: TableDeclaration,
  described: DescribedColumns,
): TableShape {
  const records = collection.all();
  const [first] = records;
  const relations = first === undefined ? [] : [...(relationsOf(first)?.keys() ?? [])];
  const columns = declared ?? foundColumns(records, relations, described);
  const seen = columns.map((column) => column.name);
  const key = primaryKey ?? (seen.includes("id") ? ["id"] : []);
  const schema =
    declared === undefined ? { name, columns: withKey(columns, key, records) } : { name, columns };
  const layout = tableLayout({ ...schema, primaryKey: key }, storage);
  const isDeclared = declared !== undefined;
  return { layout, seen, isDeclared, isClosed: isDeclared || described.isClosed, relations };
}

/** The columns of the schema and of all records, inferred as for a fixture table without columns. */
function foundColumns(
  records: readonly object[],
  relations: readonly unknown[],
  { columns, isClosed }: DescribedColumns,
): readonly Column[] {
  const told = columns.filter(({ name }) => !relations.includes(name));
  if (isClosed) return told;
  const names = new Set(told.map(({ name }) => name));
  const found = inferColumns(records.map(typicalRow));
  return [...told, ...found.filter(({ name }) => !names.has(name))];
}

/** A row for type inference, for which only the types of values matter. */
function typicalRow(record: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    columnsOf(record).map((name) => {
      const isBigInteger = typeof Reflect.get(record, name) === "bigint";
      return [name, isBigInteger ? 0 : recordCell(record, name)];
    }),
  );
}

/**
 * The columns, in which a single numeric key is INTEGER, so that a missing key is generated. It stays NUMERIC if a
 * record has a key such as 1.5.
 */
function withKey(
  found: readonly Column[],
  key: readonly string[],
  records: readonly object[],
): readonly Column[] {
  const unseen = key.filter((part) => found.every(({ name }) => name !== part));
  const columns = [...unseen.map((part) => plainColumn(part, "ANY")), ...found];
  const [name = "", ...others] = key;
  const isNumber = columns.some((column) => column.name === name && column.type === "NUMERIC");
  const isRowId = isNumber && !records.some((record) => hasOtherNumber(record, name));
  if (others.length > 0 || !isRowId) return columns;
  return columns.map((column) => (column.name === name ? { ...column, type: "INTEGER" } : column));
}

/** Whether a record's key is a number that cannot be a row id. */
function hasOtherNumber(record: object, name: string): boolean {
  const key = recordCell(record, name);
  return typeof key === "number" && rowIdOf(key) === undefined;
}

/** All records as rows of the engine, which answers queries and checks keys. */
export interface LoadedRecords {
  readonly state: TableState;
  readonly record: (id: RowId) => object | undefined;
}

/** Loads the current records: other code may change one at any time. */
export function loadRecords(layout: TableLayout, records: readonly object[]): LoadedRecords {
  const byId = new Map<RowId, readonly [Row, object]>();
  const others: (readonly [Row, object])[] = [];
  const { rowIdColumn } = layout;
  for (const [at, record] of records.entries()) {
    const row = recordRow(layout, record);
    const id = rowIdColumn === undefined ? at + 1 : rowIdOf(row[rowIdColumn] ?? null);
    if (id === undefined || byId.has(id)) others.push([row, record]);
    else byId.set(id, [row, record]);
  }
  // Code may create records without a key, or with a duplicate one: those come last.
  let largest = [...byId.keys()].reduce<number>((most, id) => Math.max(most, Number(id)), 0);
  for (const other of others) byId.set((largest += 1), other);
  const entries = [...byId].toSorted(([left], [right]) => compareRowIds(left, right));
  const keys = entries.map(([id]) => id);
  const rows = rowsTree({ keys, values: entries.map(([, [row]]) => row) });
  const uniques = layout.uniqueKeys.map((key) => indexOf({ ...key, isUnique: false }, rows));
  const state = new TableState({ layout, rows, uniques, others: [], largestId: keys.at(-1) });
  return { state, record: (id) => byId.get(id)?.[1] };
}
