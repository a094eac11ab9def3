import { EmulatorError } from "../../errors/emulator-error.ts";
import { columnTypePattern } from "../../fixture-set/format/table-format.ts";
import { type Column, CurrentTime, type TableSchema } from "../../store/schema.ts";
import type { StorageRules } from "../../store/storage-rules.ts";
import { BlobValue, ExactInteger, type Value } from "../../store/value.ts";
import { isSaid } from "./cells.ts";

/** A table without its rows, as fixtures have it. Throws `ERR_FIXTURES_INVALID` where only SQL can say it. */
export function schemaDocument(schema: TableSchema, storage: StorageRules): object {
  refuseUnsayable(schema);
  const { name, primaryKey, columns } = schema;
  return {
    // Without one it is what the table's columns tell.
    ...(primaryKey.length === 0 ? {} : { primaryKey: keyDocument(primaryKey) }),
    // Without any they are those of its first row.
    ...(columns.length === 0 ? {} : { columns: columnsDocument(name, columns, storage) }),
  };
}

function keyDocument(primaryKey: readonly string[]): string | readonly string[] {
  const [only = "", ...others] = primaryKey;
  return others.length === 0 ? only : primaryKey;
}

function columnsDocument(table: string, columns: readonly Column[], storage: StorageRules): object {
  const documents = columns.map((column) => columnDocument(table, column, storage));
  return Object.fromEntries(columns.map(({ name }, index) => [name, documents[index]]));
}

function columnDocument(table: string, column: Column, storage: StorageRules): object {
  const { type, notNull, unique, references, collate } = column;
  // A column without a type is one of this type to SQLite.
  const sayableType = type === "" ? "BLOB" : type;
  if (!columnTypePattern.test(sayableType)) throw cannotSay(table, `the column type "${type}"`);
  return {
    type: sayableType,
    ...(notNull ? { notNull } : {}),
    ...(unique ? { unique } : {}),
    ...(column.default === undefined ? {} : { default: defaultOf(table, column, storage) }),
    ...(references === undefined ? {} : { references: `${references.table}.${references.column}` }),
    ...(collate === "BINARY" ? {} : { collate }),
  };
}

function defaultOf(table: string, column: Column, storage: StorageRules): Value | undefined {
  const value = column.default;
  if (value instanceof CurrentTime) throw cannotSay(table, "a default that is the time");
  if (value === undefined) return undefined;
  if (isSaid(value, storage.kindOf(column.type), storage)) {
    return value instanceof ExactInteger ? String(value.value) : value;
  }
  throw cannotSay(
    table,
    value instanceof BlobValue ? "a default that is a blob" : "a default that JSON has no word for",
  );
}

/** What only SQL can say. */
function refuseUnsayable({ name, columns, indexes, foreignKeys, ...others }: TableSchema): void {
  if (others.primaryKey.length === 0 && columns.some((column) => column.name === "id")) {
    throw cannotSay(name, 'a column "id" that is no key');
  }
  if (foreignKeys !== undefined && foreignKeys.length > 0) {
    throw cannotSay(name, "foreign keys of several columns");
  }
  if (indexes?.some(({ unique }) => unique) === true) {
    throw cannotSay(name, "columns that are unique together");
  }
  if (others.withoutRowId === true) throw cannotSay(name, "no row ids");
  if (others.autoIncrement === true) throw cannotSay(name, "AUTOINCREMENT");
  if (name === "" || columns.some((column) => column.name === "")) {
    throw cannotSay(name, "an empty name");
  }
  if (columns.some(({ collate }) => collate === "RTRIM")) {
    throw cannotSay(name, "the collation RTRIM");
  }
}

function cannotSay(table: string, what: string): EmulatorError {
  return new EmulatorError(
    "ERR_FIXTURES_INVALID",
    `Cannot export the state: the table "${table}" has ${what}, which a fixture document cannot say. ` +
      "Leave that out of the fixtures, or do without the export.",
  );
}
