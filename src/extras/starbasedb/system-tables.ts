import { Database } from "../../core/store/database.ts";
import { MemoryTable } from "../../core/store/memory-table.ts";
import { type TableSchema, plainColumn } from "../../core/store/schema.ts";
import { sqliteStorage } from "../../core/store/storage-rules.ts";
import { rowIdOf } from "../../core/store/table-layout.ts";
import type { Table, Written } from "../../core/store/table.ts";
import {
  type GivenRow,
  type Row,
  type RowId,
  type Value,
  WholeReal,
  integerValue,
} from "../../core/store/value.ts";
import { catalogueRows } from "./catalogue.ts";
import { sameName } from "./columns.ts";

/** The table of a name in any case, SQLite's own tables included. */
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

/** One of SQLite's own tables, with its current rows. */
function systemTable(database: Database, name: string): Table | undefined {
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

/** A table has an entry since its first row. */
function sequenceRows(table: Table): readonly Row[] {
  const { schema, sequence } = table;
  return sequence === undefined ? [] : [{ name: schema.name, seq: idValue(sequence) }];
}

function idValue(id: RowId): Value {
  return typeof id === "bigint" ? integerValue(id) : id;
}

/**
 * `sqlite_sequence` for clients that write to it. The first entry of a table is its last key; further ones, which SQLite
 * never reads, are accepted and dropped.
 */
function writableSequence(entries: Table, counted: readonly Table[]): Table {
  const insert = (given: GivenRow): Written => {
    const result = entries.insert(given);
    const table = counted.find(({ schema }) => schema.name === given["name"]);
    const isFirst = table !== undefined && table.sequence === undefined;
    if (isFirst && table instanceof MemoryTable) table.reserveId(keyOf(given["seq"]));
    return result;
  };
  return {
    schema: entries.schema,
    size: entries.size,
    rows: () => entries.rows(),
    get: (key) => entries.get(key),
    select: (query) => entries.select(query),
    explain: (query) => entries.explain(query),
    insert,
    replace: (key, given) => entries.replace(key, given),
    update: (key, changes) => entries.update(key, changes),
    delete: (key) => entries.delete(key),
  };
}

const mostKeys = 2n ** 63n;

/** SQLite's key for a client's value: the whole number at the start of a text, without a fraction. */
function keyOf(value: unknown): RowId {
  const number = value instanceof WholeReal ? value.value : value;
  if (typeof number === "number") return idOf(wholePart(number));
  const [digits] = typeof number === "string" ? (/^\s*[+-]?\d+/.exec(number) ?? []) : [];
  return idOf(BigInt(digits?.replace("+", "") ?? 0));
}

function wholePart(number: number): bigint {
  if (Number.isFinite(number)) return BigInt(Math.trunc(number));
  return number > 0 ? mostKeys : -mostKeys;
}

function idOf(number: bigint): RowId {
  const most = number >= mostKeys ? mostKeys - 1n : number;
  return rowIdOf(integerValue(most < -mostKeys ? -mostKeys : most)) ?? 0;
}
