import type { Row } from "../../store/row.ts";
import { type Column, CurrentTime, type TableSchema } from "../../store/schema.ts";
import { ExactInteger } from "../../store/value.ts";
import { uniqueIndexes } from "./unique-indexes.ts";

/**
 * What `sqlite_master` has of the tables: an entry for each, followed by those of the indexes that its
 * constraints brought. Pages are counted as in a database made of these statements alone.
 */
export function catalogueRows(schemas: readonly TableSchema[]): readonly Row[] {
  const entries = schemas.flatMap(tableEntries);
  const counted = schemas.findIndex(({ autoIncrement }) => autoIncrement === true);
  if (counted >= 0) {
    // Made with the first table that needs it.
    const before = schemas.slice(0, counted + 1).flatMap(tableEntries).length;
    entries.splice(before, 0, sequenceEntry);
  }
  return entries.map((entry, index) => ({
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
  const indexes = uniqueIndexes(schema).map((_, index): Entry => {
    return { type: "index", name: `sqlite_autoindex_${name}_${index + 1}`, table: name, sql: null };
  });
  return [table, ...indexes];
}

/** A statement that makes such a table, in the plainest spelling. */
function createStatement(schema: TableSchema): string {
  const { name, primaryKey, foreignKeys = [], withoutRowId = false } = schema;
  const columns = schema.columns.map((column) => columnDefinition(column, schema));
  const key = primaryKey.length > 1 ? [`PRIMARY KEY (${primaryKey.map(quoted).join(", ")})`] : [];
  const references = foreignKeys.map(({ columns: from, to }) => {
    const target = `${quoted(to.table)}(${to.columns.map(quoted).join(", ")})`;
    return `FOREIGN KEY (${from.map(quoted).join(", ")}) REFERENCES ${target}`;
  });
  const parts = [...columns, ...key, ...references].join(", ");
  return `CREATE TABLE ${quoted(name)} (${parts})${withoutRowId ? " WITHOUT ROWID" : ""}`;
}

function columnDefinition(column: Column, { primaryKey, autoIncrement }: TableSchema): string {
  const { name, type, references } = column;
  const isKey = primaryKey.length === 1 && primaryKey[0] === name;
  const parts = [
    quoted(name),
    type,
    isKey ? "PRIMARY KEY" : "",
    isKey && autoIncrement === true ? "AUTOINCREMENT" : "",
    column.notNull ? "NOT NULL" : "",
    column.unique ? "UNIQUE" : "",
    defaultClause(column),
    column.collate === "BINARY" ? "" : `COLLATE ${column.collate}`,
    references === undefined
      ? ""
      : `REFERENCES ${quoted(references.table)}(${quoted(references.column)})`,
  ];
  return parts.filter((part) => part !== "").join(" ");
}

function defaultClause({ default: value }: Column): string {
  if (value === undefined) return "";
  if (typeof value === "string") return `DEFAULT '${value.replaceAll("'", "''")}'`;
  if (value instanceof CurrentTime) {
    return `DEFAULT CURRENT_${value.format.toUpperCase()}`;
  }
  if (value instanceof ExactInteger) return `DEFAULT ${value.value}`;
  return `DEFAULT ${JSON.stringify(value)}`;
}

function quoted(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}
