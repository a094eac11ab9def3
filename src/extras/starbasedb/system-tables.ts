import { Database } from "../../core/store/database.ts";
import { type TableSchema, plainColumn } from "../../core/store/schema.ts";
import { sqliteStorage } from "../../core/store/storage-rules.ts";
import type { Table } from "../../core/store/table.ts";
import { type Row, type RowId, type Value, integerValue } from "../../core/store/value.ts";
import { catalogueRows } from "./catalogue.ts";
import { writableSequence } from "./sequence-table.ts";

/** The table of all tables and indexes, under the name that SQLite's messages have for it. */
export const catalogueName = "sqlite_master";
const catalogueNames: ReadonlySet<string> = new Set([catalogueName, "sqlite_schema"]);
const sequenceName = "sqlite_sequence";

/** A table that SQLite keeps for itself, as it is at this moment. */
export function systemTable(database: Database, name: string): Table | undefined {
  const lowerCase = name.toLowerCase();
  const tables = database.names().flatMap((known) => database.table(known) ?? []);
  if (catalogueNames.has(lowerCase)) {
    return makeTable(catalogueSchema, catalogueRows(tables.map(({ schema }) => schema)));
  }
  const counted = tables.filter(({ schema }) => schema.autoIncrement === true);
  if (lowerCase !== sequenceName || counted.length === 0) return undefined;
  const entries = makeTable(sequenceSchema, counted.flatMap(sequenceRows));
  return entries && writableSequence(entries, counted);
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

/** A table has an entry from its first row on. */
function sequenceRows(table: Table): readonly Row[] {
  const { schema, sequence } = table;
  return sequence === undefined ? [] : [{ name: schema.name, seq: idValue(sequence) }];
}

function idValue(id: RowId): Value {
  return typeof id === "bigint" ? integerValue(id) : id;
}
