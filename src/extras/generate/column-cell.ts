import type { JsonValue } from "../../core/schema/json.ts";
import type { Cell } from "../../core/fixture-set/tables/row-maker.ts";
import { type ColumnSetup, columnValue, lengthOf, sequenceAfter } from "./column-value.ts";

/** From this try on, values of unique columns get a number: faker's names and words run out. */
const triesBeforeNumber = 3;

/** The cell of a column that has no template. */
export function columnCell(setup: ColumnSetup): Cell {
  const { column, kind, isUnique, existing } = setup;
  const { name } = column;
  if (isUnique && kind === "INTEGER") {
    const next = sequenceAfter(existing, name);
    return { column: name, make: ({ index }) => next(index) };
  }
  const value = columnValue(setup);
  if (!isUnique) return { column: name, make: (_, { given }) => value(given) };
  const longest = lengthOf(column.type);
  return {
    column: name,
    make: ({ number }, { tries, given }) =>
      tries < triesBeforeNumber
        ? value(given)
        : numbered(value(given), existing.length + number, longest),
  };
}

/** A value that a number sets apart: `ada.17@example.com`, `Ada Nwosu 17`, `lorem-ipsum-17`. */
function numbered(value: JsonValue, number: number, longest: number): JsonValue {
  if (typeof value === "number") return value + number;
  if (typeof value !== "string") return value;
  const at = value.lastIndexOf("@");
  const [head, tail] = at === -1 ? [value, ""] : [value.slice(0, at), value.slice(at)];
  const separator = at !== -1 ? "." : value.includes(" ") ? " " : "-";
  const end = `${separator}${number}${tail}`;
  return `${head.slice(0, Math.max(0, longest - end.length))}${end}`.slice(-longest);
}
