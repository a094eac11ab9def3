import { type Column, CurrentTime, type TableSchema } from "../../core/store/schema.ts";
import { BlobValue, ExactInteger, WholeReal } from "../../core/store/value.ts";
import { reservedWords } from "./keywords.ts";

/** The statement that made a table or, where none did, one in the plainest spelling that would. */
export function createStatement(schema: TableSchema): string {
  if (schema.sql !== undefined) return schema.sql;
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
    typeName(type),
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

const plainType = /^[A-Za-z_]\w*(?: [A-Za-z_]\w*)*(?: ?\(\s*[+-]?\d+(?:\s*,\s*[+-]?\d+)?\s*\))?$/;

/** Words that end a type, besides those that are no names at all. */
const typeEnds: ReadonlySet<string> = new Set(["AS", "GENERATED"]);

function typeName(type: string): string {
  const words = type.toUpperCase().match(/[A-Z_]\w*/g) ?? [];
  const isPlain = words.every((word) => !reservedWords.has(word) && !typeEnds.has(word));
  if (type === "" || (plainType.test(type) && isPlain)) return type;
  return `"${type.replaceAll('"', '""')}"`;
}

function defaultClause({ default: value }: Column): string {
  if (value === undefined || value === null) return "";
  if (value instanceof CurrentTime) return `DEFAULT CURRENT_${value.format.toUpperCase()}`;
  if (value instanceof ExactInteger) return `DEFAULT ${value.value}`;
  if (value instanceof WholeReal) return `DEFAULT ${value.value}.0`;
  if (value instanceof BlobValue) return `DEFAULT x'${hexOf(value.bytes)}'`;
  if (typeof value === "number") return `DEFAULT ${value}`;
  if (typeof value === "boolean") return `DEFAULT ${value ? "TRUE" : "FALSE"}`;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return `DEFAULT '${text.replaceAll("'", "''")}'`;
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A name as it stands in SQL: in quotes where it would be something else without. */
function quoted(name: string): string {
  const isPlain = /^[A-Za-z_]\w*$/.test(name) && !reservedWords.has(name.toUpperCase());
  return isPlain ? name : `"${name.replaceAll('"', '""')}"`;
}
