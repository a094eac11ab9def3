import { Database } from "../../core/store/database.ts";
import {
  type CheckConstraint,
  type Column,
  type ColumnReference,
  CurrentTime,
  type ForeignKey,
  plainColumn,
  type ReferenceActions,
  type TableSchema,
} from "../../core/store/schema.ts";
import { sqliteStorage } from "../../core/store/storage-rules.ts";
import type { Table } from "../../core/store/table.ts";
import {
  type Row,
  WholeReal,
  integerValue,
  BlobValue,
  ExactInteger,
} from "../../core/store/value.ts";
import { sameName } from "./columns.ts";
import { autoIndexNumbers } from "./indexes.ts";
import { reservedWords } from "./words.ts";
import { hexadecimal } from "../../core/http/bytes.ts";

/** The table with a name in any case, including SQLite's own tables. */
export function findTable(database: Database, name: string): Table | undefined {
  const exact = database.table(name);
  if (exact !== undefined) return exact;
  const known = database.names().find((other) => sameName(other, name));
  return known === undefined ? systemTable(database, name) : database.table(known);
}

/** The table of all tables and indexes, by its name in SQLite's messages. */
export const catalogueName = "sqlite_master";
const catalogueNames: ReadonlySet<string> = new Set([catalogueName, "sqlite_schema"]);
const sequenceName = "sqlite_sequence";

/** One of SQLite's own tables, with its current rows. Writes to it have no effect. */
function systemTable(database: Database, name: string): Table | undefined {
  const lowerCase = name.toLowerCase();
  const tables = database.names().flatMap((known) => database.table(known) ?? []);
  if (catalogueNames.has(lowerCase)) {
    return makeTable(catalogueSchema, catalogueRows(tables.map(({ schema }) => schema)));
  }
  const counted = tables.filter(({ schema }) => schema.autoIncrement === true);
  if (lowerCase !== sequenceName || counted.length === 0) return undefined;
  return makeTable(sequenceSchema, counted.flatMap(sequenceRows));
}

const catalogueSchema = schemaOf(catalogueName, {
  type: "TEXT",
  name: "TEXT",
  tbl_name: "TEXT",
  rootpage: "INT",
  sql: "TEXT",
});
const sequenceSchema = schemaOf(sequenceName, { name: "", seq: "" });

function schemaOf(name: string, types: Readonly<Record<string, string>>): TableSchema {
  const columns = Object.entries(types).map(([column, type]) => plainColumn(column, type));
  return { name, columns, primaryKey: [] };
}

function makeTable(schema: TableSchema, rows: readonly Row[]): Table | undefined {
  const contents = [{ schema, rows, asStored: true }];
  return Database.load(contents, { storage: sqliteStorage }).table(schema.name);
}

/** The entries of `sqlite_sequence`. A table has one as soon as it has had a row. */
function sequenceRows(table: Table): readonly Row[] {
  const { schema, sequence } = table;
  if (sequence === undefined) return [];
  return [{ name: schema.name, seq: integerValue(BigInt(sequence)) }];
}

/**
 * The rows of `sqlite_master`: each table, followed by the indexes of its constraints, and the indexes from CREATE INDEX,
 * all in the order of creation. Pages are counted as in a database made by these statements alone.
 */
function catalogueRows(schemas: readonly TableSchema[]): readonly Row[] {
  const counted = schemas.find(({ autoIncrement }) => autoIncrement === true);
  // SQLite creates `sqlite_sequence` with the first table that needs it.
  const groups = schemas.map((schema) =>
    schema === counted ? [...tableEntries(schema), sequenceEntry] : tableEntries(schema),
  );
  // The positions of these statements count within their dump, whose tables come after all others.
  const first = schemas.findIndex(({ sql }) => sql !== undefined);
  const made = schemas.flatMap(({ name: table, indexes = [] }) =>
    indexes.flatMap((index) => (index.made === undefined ? [] : [{ ...index.made, table }])),
  );
  for (const one of made.toSorted((left, right) => left.position - right.position)) {
    groups.splice(first + one.position, 0, [{ ...one, type: "index" }]);
  }
  return groups.flat().map((entry, index) => ({
    type: entry.type,
    name: entry.name,
    tbl_name: entry.table,
    rootpage: index + 2,
    sql: entry.sql,
  }));
}

interface Entry {
  readonly type: "table" | "index";
  readonly name: string;
  readonly table: string;
  readonly sql: string | null;
}

const sequenceEntry: Entry = {
  type: "table",
  name: "sqlite_sequence",
  table: "sqlite_sequence",
  sql: "CREATE TABLE sqlite_sequence(name,seq)",
};

function tableEntries(schema: TableSchema): readonly Entry[] {
  const { name } = schema;
  const table: Entry = { type: "table", name, table: name, sql: createStatement(schema) };
  const indexes = autoIndexNumbers(schema).map((number): Entry => {
    return { type: "index", name: `sqlite_autoindex_${name}_${number}`, table: name, sql: null };
  });
  return [table, ...indexes];
}

/** The statement that created a table, or the plainest one that would. */
export function createStatement(schema: TableSchema): string {
  if (schema.sql !== undefined) return schema.sql;
  const { name, primaryKey, foreignKeys = [], checks = [], withoutRowId = false } = schema;
  const columns = schema.columns.map((column) => columnDefinition(column, schema));
  const key = primaryKey.length > 1 ? [`PRIMARY KEY (${primaryKey.map(quoted).join(", ")})`] : [];
  const references = foreignKeys.map(
    ({ columns: from, to, ...actions }) =>
      `FOREIGN KEY (${from.map(quoted).join(", ")}) ${referenceClause(to, actions)}`,
  );
  const conditions = checks.map(checkClause);
  const parts = [...columns, ...key, ...references, ...conditions].join(", ");
  return `CREATE TABLE ${quoted(name)} (${parts})${withoutRowId ? " WITHOUT ROWID" : ""}`;
}

function columnDefinition(column: Column, { primaryKey, autoIncrement }: TableSchema): string {
  const { name, type, references } = column;
  const isKey = primaryKey.length === 1 && primaryKey[0] === name;
  const parts = [
    quoted(name),
    typeName(type),
    isKey ? "PRIMARY KEY" : "",
    isKey && autoIncrement === true ? "AUTOINCREMENT" : "",
    column.notNull ? "NOT NULL" : "",
    column.unique ? "UNIQUE" : "",
    defaultClause(column),
    column.collate === "BINARY" ? "" : `COLLATE ${column.collate}`,
    references === undefined ? "" : columnReferenceClause(references),
  ];
  return parts.filter((part) => part !== "").join(" ");
}

function checkClause({ name, isNamed, sql }: CheckConstraint): string {
  const constraint = isNamed ? `CONSTRAINT ${quoted(name)} ` : "";
  return `${constraint}CHECK (${sql})`;
}

function columnReferenceClause({ table, column, ...actions }: ColumnReference): string {
  return referenceClause({ table, columns: [column] }, actions);
}

function referenceClause(
  { table, columns }: ForeignKey["to"],
  { onDelete, onUpdate }: ReferenceActions,
): string {
  const parts = [
    `REFERENCES ${quoted(table)}(${columns.map(quoted).join(", ")})`,
    onUpdate === undefined ? "" : `ON UPDATE ${onUpdate.toUpperCase()}`,
    onDelete === undefined ? "" : `ON DELETE ${onDelete.toUpperCase()}`,
  ];
  return parts.filter((part) => part !== "").join(" ");
}

const plainType = /^[A-Za-z_]\w*(?: [A-Za-z_]\w*)*(?: ?\(\s*[+-]?\d+(?:\s*,\s*[+-]?\d+)?\s*\))?$/;

/** Keywords that end a column's type, besides the reserved words. */
const typeEnds: ReadonlySet<string> = new Set(["AS", "GENERATED"]);

function typeName(type: string): string {
  const words = type.toUpperCase().match(/[A-Z_]\w*/g) ?? [];
  const isPlain = words.every((word) => !reservedWords.has(word) && !typeEnds.has(word));
  if (type === "" || (plainType.test(type) && isPlain)) return type;
  return `"${type.replaceAll('"', '""')}"`;
}

function defaultClause({ default: value }: Column): string {
  if (value === undefined || value === null) return "";
  if (value instanceof CurrentTime) return `DEFAULT ${timeExpression(value)}`;
  if (value instanceof ExactInteger) return `DEFAULT ${value.value}`;
  if (value instanceof WholeReal) return `DEFAULT ${value.value}.0`;
  if (value instanceof BlobValue) return `DEFAULT x'${hexadecimal(value.bytes)}'`;
  if (typeof value === "number") return `DEFAULT ${value}`;
  if (typeof value === "boolean") return `DEFAULT ${value ? "TRUE" : "FALSE"}`;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return `DEFAULT '${text.replaceAll("'", "''")}'`;
}

function timeExpression({ format }: CurrentTime): string {
  if (format === "seconds") return "(unixepoch())";
  if (format === "milliseconds") return "(unixepoch() * 1000)";
  if (format.includes("%")) return `(strftime('${format.replaceAll("'", "''")}', 'now'))`;
  return `CURRENT_${format.toUpperCase()}`;
}

/** A name in SQL: quoted if it would mean something else without quotes. */
function quoted(name: string): string {
  const isPlain = /^[A-Za-z_]\w*$/.test(name) && !reservedWords.has(name.toUpperCase());
  return isPlain ? name : `"${name.replaceAll('"', '""')}"`;
}
