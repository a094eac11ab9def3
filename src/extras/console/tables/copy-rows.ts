import { hexadecimal } from "../../../core/http/bytes.ts";
import { fromBase64 } from "../../../core/http/base64.ts";
import type { TableEntry } from "../api/client.ts";
import { isBlob } from "./cell.ts";
import { isBlobType, type TableRow, valueIn } from "./row.ts";

/** Functions that write rows as text, by the name of the format. */
export const copyFormats: Readonly<
  Record<"JSON" | "CSV" | "SQL", (table: TableEntry, rows: readonly TableRow[]) => string>
> = { JSON: (_, rows) => JSON.stringify(rows, undefined, 2), CSV: csvOf, SQL: sqlOf };

/** CSV as in RFC 4180. NULL is an empty field, an empty text is a field in quotes. */
function csvOf({ columns }: TableEntry, rows: readonly TableRow[]): string {
  const lines = [
    columns.map(({ name }) => csvText(name)),
    ...rows.map((row) => columns.map(({ name }) => csvField(valueIn(row, name)))),
  ];
  return lines.map((fields) => `${fields.join(",")}\r\n`).join("");
}

function csvField(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? csvText(value) : csvText(JSON.stringify(value));
}

function csvText(text: string): string {
  return text === "" || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** One INSERT for all rows, as SQLite and PostgreSQL read it. */
function sqlOf({ name, columns }: TableEntry, rows: readonly TableRow[]): string {
  if (rows.length === 0) return "";
  const names = columns.map((column) => sqlName(column.name)).join(", ");
  const lines = rows.map((row) => {
    const values = columns.map((column) => sqlValue(valueIn(row, column.name), column));
    return `  (${values.join(", ")})`;
  });
  return `INSERT INTO ${sqlName(name)} (${names}) VALUES\n${lines.join(",\n")};\n`;
}

/** A statement that creates the table if it does not exist. */
export function createTable({ name, columns, primaryKey }: TableEntry): string {
  const lines = columns.map((column) =>
    [sqlName(column.name), column.type, column.notNull ? "NOT NULL" : ""].filter(Boolean).join(" "),
  );
  const key =
    primaryKey.length === 0 ? [] : [`PRIMARY KEY (${primaryKey.map(sqlName).join(", ")})`];
  const body = [...lines, ...key].map((line) => `  ${line}`).join(",\n");
  return `CREATE TABLE IF NOT EXISTS ${sqlName(name)} (\n${body}\n);\n`;
}

function sqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function sqlValue(value: unknown, column: TableEntry["columns"][number]): string {
  if (value === null || value === undefined) return "NULL";
  if (isBlob(value, column)) return "NULL /* bytes that this profile does not show */";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const bytes = isBlobType(column) && isBase64(text) ? fromBase64(text) : undefined;
  return bytes === undefined ? `'${text.replaceAll("'", "''")}'` : `X'${hexadecimal(bytes)}'`;
}

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z\d+/]*={0,2}$/.test(text);
}
