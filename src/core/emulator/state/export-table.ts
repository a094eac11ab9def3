import { EmulatorError } from "../../errors/emulator-error.ts";
import { isReadAsWritten } from "../../fixture-set/json/json-copy.ts";
import { Database } from "../../store/database.ts";
import { sizeOfRows } from "../../store/row-budget.ts";
import { type StorageRules, strictStorage } from "../../store/storage-rules.ts";
import {
  ExactInteger,
  type Row,
  type Value,
  WholeReal,
  isDatabaseValue,
  BlobValue,
} from "../../store/value.ts";
import type { State } from "../state.ts";
import {
  type ColumnInput,
  columnTypePattern,
  type ForeignKeyInput,
  type ReferenceInput,
  type TableInput,
} from "../../fixture-set/format/table-format.ts";
import {
  type Column,
  type CheckConstraint,
  type ColumnReference,
  CurrentTime,
  type DeclaredIndex,
  type TableSchema,
} from "../../store/schema.ts";
import type { CellInput } from "../../fixture-set/format/state-format.ts";
import { type ColumnKind, columnKinds } from "../../store/column-kinds.ts";
import type { MemoryTable } from "../../store/memory-table.ts";
import { type CellLayout, rowIdOf, type TableLayout } from "../../store/table-layout.ts";
import { hexadecimal } from "../../http/bytes.ts";

/** A row as fixtures have it: a whole number beyond JSON's numbers is the text of its digits. */
export function wireRow(row: Row): object {
  if (isPlainRow(row) || Object.values(row).every(isWritten)) return row;
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, wireValue(value)]));
}

function isWritten(value: Value): boolean {
  if (value instanceof ExactInteger) return false;
  const number = value instanceof WholeReal ? value.value : value;
  return typeof number !== "number" || !Number.isInteger(number) || isReadAsWritten(number);
}

function wireValue(value: Value): unknown {
  if (isWritten(value)) return value;
  if (value instanceof ExactInteger) return String(value.value);
  return String(BigInt(Number(value instanceof WholeReal ? value.value : value)));
}

/** New rows for a table. */
export interface NewRows {
  readonly name: string;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly storage: StorageRules;
  readonly now: () => number;
  /** Tables of SQL dumps, whose rows the store never checked. */
  readonly dumped: ReadonlySet<string>;
}

/**
 * Replaces a table's rows as if the fixtures had these. Throws an EmulatorError with every problem, and then changes
 * nothing. References of other tables to removed rows are problems, too, but not those of SQL dumps.
 */
export async function replaceRows(state: State, given: NewRows): Promise<void> {
  const { database, budget } = state;
  const { name, rows, storage, now, dumped } = given;
  const { tables } = database.snapshot();
  if (!tables.has(name)) throw notOurs(name);
  const contents = [...tables.keys()].flatMap((other) => {
    const table = database.table(other);
    if (table === undefined) return [];
    const { schema } = table;
    // The values are JSON, and the load checks them.
    if (other === name) return [{ schema, rows: rows as readonly Row[] }];
    return [{ schema, rows: table.rows(), asStored: dumped.has(other) }];
  });
  const replaced = Database.load(contents, { storage, now });
  const loaded = replaced.peek().tables.get(name);
  const size = sizeOfRows(replaced.table(name)?.rows() ?? []);
  if (loaded === undefined) return;
  const current = database.snapshot().tables;
  const hasChanged = [...tables].some(
    ([other, rowsOf]) => other !== name && current.get(other) !== rowsOf,
  );
  // Other tables have changed in the meantime, and may refer to these rows, so everything is checked again.
  if (hasChanged) return replaceRows(state, given);
  budget.take(size);
  database.restore({ tables: new Map(tables).set(name, loaded) });
}

function notOurs(name: string): EmulatorError {
  return new EmulatorError(
    "ERR_ROW_REFUSED",
    `Cannot replace the rows of "${name}": they belong to the surrounding program. Change them there.`,
  );
}

/** A table without its rows, as fixtures have it. Throws `ERR_FIXTURES_INVALID` where only SQL can express it. */
export function schemaDocument(schema: TableSchema, storage: StorageRules): object {
  refuseInexpressible(schema);
  const { name, primaryKey, columns, checks = [] } = schema;
  return defined<Exclude<keyof TableInput, "rows" | "generate">>({
    primaryKey: keyDocument(primaryKey, columns),
    unique: uniqueDocument(schema),
    foreignKeys: foreignKeysDocument(schema),
    autoIncrement: schema.autoIncrement === true || undefined,
    withoutRowId: schema.withoutRowId === true || undefined,
    columns: columns.length === 0 ? undefined : columnsDocument(name, columns, storage),
    check: checks.length === 0 ? undefined : checksDocument(checks),
  });
}

/** Leaves out the keys without a value. The type requires every key of the format, so that an export forgets none. */
function defined<Key extends string>(document: Readonly<Record<Key, unknown>>): object {
  return Object.fromEntries(Object.entries(document).filter(([, value]) => value !== undefined));
}

function keyDocument(
  primaryKey: readonly string[],
  columns: readonly Column[],
): string | readonly string[] | undefined {
  const [only, ...others] = primaryKey;
  if (only !== undefined) return others.length === 0 ? only : primaryKey;
  return columns.some(({ name }) => name === "id") ? [] : undefined;
}

function uniqueDocument({ indexes = [] }: TableSchema): readonly (readonly string[])[] | undefined {
  const unique = indexes.filter((index) => index.unique);
  if (unique.length === 0) return undefined;
  return unique.map(({ columns }) => columns.map(({ name }) => name));
}

function foreignKeysDocument({
  foreignKeys = [],
}: TableSchema): readonly ForeignKeyInput[] | undefined {
  if (foreignKeys.length === 0) return undefined;
  return foreignKeys.map(({ columns, to, ...actions }) => {
    return { columns, table: to.table, to: to.columns, ...actions };
  });
}

/** Conditions by name. A condition without a name is its own key. */
function checksDocument(checks: readonly CheckConstraint[]): string | object {
  const [first, ...others] = checks;
  if (first !== undefined && others.length === 0 && !first.isNamed) return first.sql;
  const found = new Map<string, string>();
  for (const { name, isNamed, sql } of checks) {
    const key = isNamed ? name : sql;
    // SQLite allows a name twice.
    found.set(found.has(key) ? `${key} (${found.size})` : key, sql);
  }
  return Object.fromEntries(found);
}

function columnsDocument(table: string, columns: readonly Column[], storage: StorageRules): object {
  const documents = columns.map((column) => columnDocument(table, column, storage));
  return Object.fromEntries(columns.map(({ name }, index) => [name, documents[index]]));
}

function columnDocument(table: string, column: Column, storage: StorageRules): object {
  const { type, notNull, unique, references, collate } = column;
  // SQLite treats a column without a type as BLOB.
  const writtenType = type === "" ? "BLOB" : type;
  if (!columnTypePattern.test(writtenType)) throw cannotSay(table, `the column type "${type}"`);
  // The checks of columns are among those of the table.
  return defined<Exclude<keyof ColumnInput, "check">>({
    type: writtenType,
    notNull: notNull || undefined,
    unique: unique || undefined,
    default: defaultOf(table, column, storage),
    defaultTime: column.default instanceof CurrentTime ? column.default.format : undefined,
    references: references && referenceDocument(references),
    collate: collate === "BINARY" ? undefined : collate,
  });
}

function referenceDocument({ table, column, ...actions }: ColumnReference): string | object {
  const target = `${table}.${column}`;
  const said = defined<Exclude<keyof ReferenceInput, "column">>({
    onDelete: actions.onDelete,
    onUpdate: actions.onUpdate,
  });
  return Object.keys(said).length === 0 ? target : { column: target, ...said };
}

function defaultOf(table: string, column: Column, storage: StorageRules): Value | undefined {
  const value = column.default;
  if (value === undefined || value instanceof CurrentTime) return undefined;
  if (survivesJson(value, storage.kindOf(column.type), storage)) {
    return value instanceof ExactInteger ? String(value.value) : value;
  }
  throw cannotSay(
    table,
    value instanceof BlobValue ? "a default that is a blob" : "a default that JSON cannot express",
  );
}

/** Refuses a table that only SQL can express. */
function refuseInexpressible({ name, columns, indexes = [] }: TableSchema): void {
  if (name === "" || columns.some((column) => column.name === "")) {
    throw cannotSay(name, "an empty name");
  }
  if (indexes.some((index) => index.unique && !usesColumnCollations(index, columns))) {
    throw cannotSay(name, "columns that are unique by another collation than their own");
  }
}

/** Whether an index compares by the collations of its columns: a fixture document can express no others. */
export function usesColumnCollations(
  { columns: parts }: DeclaredIndex,
  columns: readonly Column[],
): boolean {
  return parts.every(({ name, collate }) =>
    columns.some((column) => column.name === name && column.collate === collate),
  );
}

function cannotSay(table: string, what: string): EmulatorError {
  return new EmulatorError(
    "ERR_FIXTURES_INVALID",
    `Cannot export the state: the table "${table}" has ${what}, which a fixture document cannot express. ` +
      "Remove that from the fixtures, or do without the export.",
  );
}

/** The values that would not survive as JSON rows, which the document lists separately. */
export function cellsOf(
  rows: readonly Row[],
  { columns }: TableSchema,
  storage: StorageRules,
): readonly CellInput[] {
  const kinds = new Map(columns.map(({ name, type }) => [name, storage.kindOf(type)]));
  const cells: CellInput[] = [];
  for (const [row, values] of rows.entries()) {
    if (isPlainRow(values)) continue;
    for (const [column, value] of Object.entries(values)) {
      if (isPlain(value) || survivesJson(value, kinds.get(column) ?? "NONE", storage)) continue;
      cells.push({ row, column, ...saidExactly(value) });
    }
  }
  return cells;
}

/** Whether the table would refuse its own rows or defaults, as is possible for those of a database. */
export function isOfDatabase(table: MemoryTable): boolean {
  const { layout } = table.state;
  const { cells } = layout;
  if (cells.some(({ column }) => hasWrongTypeDefault(column))) return true;
  return table
    .rows()
    .some(
      (row) =>
        !cells.every((cell) => isAccepted(row[cell.name] ?? null, cell, layout)) ||
        table.missingReferences(row).length > 0,
    );
}

/** Whether fixtures would refuse a default: they check it by our own types, whatever the storage rules. */
function hasWrongTypeDefault({ type, default: value = null }: Column): boolean {
  if (value === null || value instanceof CurrentTime) return false;
  // An exact integer is written by its digits.
  const written = value instanceof ExactInteger ? String(value.value) : value;
  return !strictStorage.fit(written, strictStorage.kindOf(type)).ok;
}

/** Whether the table would accept this value in a new row. A database may have NULL in a key, or no row id. */
function isAccepted(
  value: Value,
  { name, kind, needsValue }: CellLayout,
  layout: TableLayout,
): boolean {
  if (value === null) return !needsValue;
  // This check avoids a conversion, which copies the value. Nearly all values pass it.
  if (columnKinds[kind].isStoredAsItIs(value)) return true;
  const fitting = layout.storage.fit(value, kind);
  if (!fitting.ok) return false;
  return name !== layout.rowIdColumn || rowIdOf(fitting.value) !== undefined;
}

/** True for nearly all rows: an export writes them as they are. */
function isPlainRow(row: Row): boolean {
  // Takes half as long as `Object.values`.
  for (const name in row) if (!isPlain(row[name] ?? null)) return false;
  return true;
}

function isPlain(value: Value): boolean {
  if (typeof value === "number") return Number.isSafeInteger(value) || isReadAsWritten(value);
  return typeof value !== "object" || value === null;
}

/**
 * The row in the export's `rows`. Like {@link wireRow}, but values that would not be read back are null: `cells` has
 * them.
 */
export function writtenRow(row: Row): object {
  if (isPlainRow(row)) return row;
  const entries: readonly [string, unknown][] = Object.entries(wireRow(row));
  return Object.fromEntries(
    entries.map(([name, value]) => [name, canBeReadBack(value) ? value : null]),
  );
}

function canBeReadBack(value: unknown): boolean {
  return typeof value === "number" || isDatabaseValue(value) || isReadAsWritten(value);
}

/** Whether a column turns the JSON form of a value beyond JSON back into that value. */
export function survivesJson(value: Value, kind: ColumnKind, storage: StorageRules): boolean {
  if (value instanceof ExactInteger) {
    const read = storage.fit(String(value.value), kind);
    return read.ok && read.value instanceof ExactInteger;
  }
  if (value instanceof WholeReal) {
    const read = storage.fit(value.value, kind);
    return read.ok && read.value instanceof WholeReal;
  }
  return !(value instanceof BlobValue) && isReadAsWritten(value);
}

function saidExactly(value: Value): Omit<CellInput, "row" | "column"> {
  if (value instanceof BlobValue) return { blob: hexadecimal(value.bytes) };
  if (value instanceof ExactInteger) return { integer: String(value.value) };
  if (value instanceof WholeReal && isReadAsWritten(value.value)) return { real: value.value };
  if (value instanceof WholeReal) return { real: String(value.value) };
  if (value === Infinity) return { real: "Infinity" };
  return value === -Infinity ? { real: "-Infinity" } : { json: JSON.stringify(value) };
}
