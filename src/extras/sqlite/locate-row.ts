import type { JsonPath } from "../../core/schema/json.ts";
import type { DumpPlace } from "./dump-place.ts";
import type { DumpTable } from "./dump-table.ts";
import { TokenReader, tokenId } from "./token-reader.ts";

const close = tokenId("RP");
const comma = tokenId("COMMA");
const open = tokenId("LP");

/** The place of a part of a table: `["rows", 3, "email"]`, `["columns", "email"]`, or the table itself. */
export function placeInTable(table: DumpTable, [part, step, column]: JsonPath): DumpPlace {
  const { columns, place } = table.definition;
  if (part === "rows" && typeof step === "number") {
    return placeOfRow(table, step, String(column ?? "")) ?? place;
  }
  const name = part === "columns" ? step : undefined;
  return columns.find((one) => one.column.name === name)?.place ?? place;
}

function placeOfRow(table: DumpTable, row: number, column: string): DumpPlace | undefined {
  const written = table.writtenRow(row);
  if (written === undefined) return undefined;
  const { layout, offset } = written;
  const value = layout.columns.indexOf(table.columnNames.indexOf(column));
  return { file: layout.file, offset: offsetOfValue(layout.file.text, offset, value) };
}

/** Where a row's value is, given where its first one is. */
function offsetOfValue(text: string, first: number, value: number): number {
  const reader = new TokenReader(text, first);
  let depth = 0;
  let passed = 0;
  while (passed < value) {
    const type = reader.take()?.type;
    if (type === undefined || (type === close && depth === 0)) return first;
    if (type === open) depth++;
    if (type === close) depth--;
    if (type === comma && depth === 0) passed++;
  }
  return first + (reader.peek()?.span.offset ?? 0);
}
