import { parseJsonText } from "../../../core/schema/json.ts";
import { failed, ok, type Result } from "../../../core/errors/result.ts";
import type { ColumnEntry, TableEntry } from "../api/client.ts";
import { mistakeIn } from "./json-mistake.ts";
import { isBlobType, isRounded, type TableRow, valueIn } from "./row.ts";

/** A value as a cell shows it. */
export interface ShownCell {
  readonly kind: "null" | "missing" | "boolean" | "number" | "text" | "json" | "blob" | "rounded";
  readonly text: string;
}

/** The kind of input for a value. A date is a text that a calendar can show. */
export type CellMode = "text" | "number" | "boolean" | "date" | "json" | "null";

/** A value in the editor. */
export interface DraftCell {
  readonly mode: CellMode;
  readonly text: string;
}

type ColumnType = Pick<ColumnEntry, "type">;

/** Whether a value is bytes. Replies may show bytes as `{}`, so only the column's type tells. */
export function isBlob(value: unknown, column: ColumnType): boolean {
  return isBlobType(column) && typeof value === "object" && value !== null;
}

/** The part of a value that fits into its cell. */
export function showCell(value: unknown, column: ColumnType): ShownCell {
  if (value === null) return { kind: "null", text: "null" };
  if (value === undefined) return { kind: "missing", text: "" };
  if (isBlob(value, column)) return { kind: "blob", text: "bytes" };
  if (isRounded(value)) return { kind: "rounded", text: `≈ ${BigInt(value as number)}` };
  if (typeof value === "string")
    return { kind: "text", text: value.replaceAll(/\s*\n\s*/g, " ↵ ") };
  if (typeof value === "number") return { kind: "number", text: String(value) };
  if (typeof value === "boolean") return { kind: "boolean", text: String(value) };
  return { kind: "json", text: JSON.stringify(value) };
}

/** The draft with which editing a value begins. */
export function draftOf(value: unknown, column: ColumnType): DraftCell {
  if (value === null || value === undefined || isBlob(value, column)) {
    return { mode: value === null ? "null" : modeOf(column), text: "" };
  }
  if (typeof value === "number") return { mode: "number", text: String(value) };
  if (typeof value === "boolean") return { mode: "boolean", text: String(value) };
  if (typeof value !== "string") return { mode: "json", text: JSON.stringify(value, undefined, 2) };
  // The control API sends integers beyond doubles as texts of their digits.
  const isExact = /int/i.test(column.type) && /^-?\d+$/.test(value);
  if (isExact) return { mode: "number", text: value };
  return { mode: isDated(column) && dateInput(value) !== undefined ? "date" : "text", text: value };
}

/** The usual kind of input for a column. */
export function modeOf(column: ColumnType): CellMode {
  const { type } = column;
  if (/json/i.test(type)) return "json";
  if (/bool/i.test(type)) return "boolean";
  if (isDated(column)) return "date";
  return isNumeric(type) ? "number" : "text";
}

/** Whether a column is for dates or moments, by its type. */
function isDated({ type }: ColumnType): boolean {
  return /date|timestamp/i.test(type);
}

/** A field of a browser for a date: its kind, its value, and what follows the value in the text, such as `Z`. */
export interface DateInput {
  readonly kind: "date" | "datetime-local";
  readonly value: string;
  readonly between: string;
  readonly end: string;
}

/** The field for the date in a text; undefined if a field cannot keep the text's form. An empty text fits any date. */
export function dateInput(text: string): DateInput | undefined {
  if (text === "") return { kind: "date", value: "", between: "", end: "" };
  const [, day, between = "", clock = "", end = ""] =
    /^(\d{4}-\d\d-\d\d)(?:([T ])(\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(Z|[+-]\d\d:?\d\d)?)?$/.exec(
      text,
    ) ?? [];
  if (day === undefined) return undefined;
  if (clock === "") return { kind: "date", value: day, between, end };
  return { kind: "datetime-local", value: `${day}T${clock}`, between, end };
}

/** The text of a date with a new value from its field. The sign before the time and the zone stay as they are. */
export function dateText({ kind, between, end }: DateInput, value: string): string {
  if (kind === "date" || value === "") return value;
  const clock = value.slice(11);
  return `${value.slice(0, 10)}${between}${clock.length === 5 ? `${clock}:00` : clock}${end}`;
}

/** Whether a column type is for numbers. */
export function isNumeric(type: string): boolean {
  return /int|real|floa|doub|num|dec/i.test(type);
}

/** The classes of a column: the first key column stays visible, and numbers are aligned to the right. */
export function columnClass(
  { name, type }: ColumnEntry,
  { primaryKey }: Pick<TableEntry, "primaryKey">,
): string {
  return `${isNumeric(type) ? "right" : ""} ${name === primaryKey[0] ? "key" : ""}`;
}

/** The value of a draft, or why it is invalid. */
export function readDraft({ mode, text }: DraftCell): Result<unknown, string> {
  if (mode === "null") return ok(null);
  if (mode === "text" || mode === "date") return ok(text);
  const trimmed = text.trim();
  // The interface accepts integers beyond doubles as texts of their digits.
  if (/^-?\d+$/.test(trimmed) && !Number.isSafeInteger(Number(trimmed))) return ok(trimmed);
  if (mode === "number" && !/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(trimmed)) {
    return failed(`${JSON.stringify(text)} is not a number. For a text, choose the kind "text".`);
  }
  const read = parseJsonText(trimmed);
  if (read.ok) return read;
  const place = mistakeIn(trimmed);
  const where = place === undefined ? "" : `line ${place.line}, column ${place.column}: `;
  return failed(
    `This is not JSON: ${where}${read.error}. For a text without quotes, choose the kind "text".`,
  );
}

/**
 * Drafts for a copy of a row. A key that the table generates is left out, and so are bytes, which would become text.
 */
export function copyOf(
  { columns, primaryKey }: Pick<TableEntry, "columns" | "primaryKey">,
  row: TableRow = {},
): ReadonlyMap<string, DraftCell> {
  const isGenerated = ({ name, type }: ColumnEntry): boolean =>
    primaryKey.length === 1 && primaryKey[0] === name && isNumeric(type);
  const copied = columns.filter((column) => {
    return Object.hasOwn(row, column.name) && !isGenerated(column) && !isBlobType(column);
  });
  return new Map(
    copied.map((column) => {
      const value = valueIn(row, column.name);
      // An empty field is left out of the row, so an empty text is written as JSON.
      return [column.name, value === "" ? { mode: "json", text: '""' } : draftOf(value, column)];
    }),
  );
}

/** The row that drafts make, or the problem of each draft by column. Empty drafts are left out. */
export function readRow(
  drafts: ReadonlyMap<string, DraftCell>,
): Result<TableRow, ReadonlyMap<string, string>> {
  const values: [string, unknown][] = [];
  const problems = new Map<string, string>();
  for (const [name, draft] of drafts) {
    if (draft.mode !== "null" && draft.text === "") continue;
    const read = readDraft(draft);
    if (read.ok) values.push([name, read.value]);
    else problems.set(name, read.error);
  }
  return problems.size === 0 ? ok(Object.fromEntries(values)) : failed(problems);
}
