import { namedKinds } from "../../store/column-kinds.ts";
import type { JsonRow } from "../../store/value.ts";
import { isObject, type JsonValue } from "../../schema/json.ts";
import {
  arrayOf,
  byKind,
  flag,
  jsonValue,
  nonEmptyArray,
  nonEmptyText,
  number,
  oneOf,
  textLike,
} from "../../schema/values.ts";
import { closedObject, namedValues, optional, required } from "../../schema/objects.ts";
import type { Schema } from "../../schema/schema.ts";

/** A column as it is written in full. */
interface ColumnInput {
  readonly type?: string;
  readonly notNull?: boolean;
  readonly unique?: boolean;
  readonly default?: JsonValue;
  readonly references?: string;
  readonly collate?: "BINARY" | "NOCASE";
}

/** Rows made from templates. */
export interface GenerateInput {
  readonly count: number;
  readonly row: JsonRow;
}

/** A table as it is written in full. */
export interface TableInput {
  readonly primaryKey?: string | readonly string[];
  readonly columns?: Readonly<Record<string, string | ColumnInput>>;
  readonly rows?: readonly JsonRow[];
  readonly generate?: GenerateInput;
}

/** Rows are made anew at each start, a million in half a minute. More are better kept in a file. */
const mostGenerated = 1_000_000;

/** What a column's type may look like. */
export const columnTypePattern: RegExp = /^[A-Za-z_][\w ]*(?:\([\w ,.+-]*\)[\w ]*)?$/;

const columnType = textLike(
  columnTypePattern,
  `Expected a column type such as ${namedKinds.map((kind) => `"${kind}"`).join(", ")} or "VARCHAR(20)"`,
);

const columnObject: Schema<ColumnInput> = closedObject({
  type: optional(
    columnType,
    `${namedKinds.map((kind) => `\`${kind}\``).join(", ")} or any SQL type name. Default: \`ANY\`.`,
  ),
  notNull: optional(flag, "Whether NULL is refused. Default: false."),
  unique: optional(flag, "Whether two rows may not have the same value. Default: false."),
  default: optional(jsonValue, "What a row gets that leaves the column out. Default: NULL."),
  references: optional(
    nonEmptyText,
    "The column whose values are the only ones allowed, as `table.column`.",
  ),
  collate: optional(
    oneOf(["BINARY", "NOCASE"]),
    "`NOCASE` compares and sorts ASCII letters without their case. Default: `BINARY`.",
  ),
});

const column: Schema<string | ColumnInput> = byKind("a type, or an object", {
  string: columnType,
  object: columnObject,
});

/** Its values may be anything, so only its names are looked at: there may be many rows. */
const row: Schema<JsonRow> = {
  check: (value, run) => {
    if (!isObject(value)) run.mustBe("an object", value);
    else if (Object.hasOwn(value, "")) run.refuse("A column's name must not be empty.", "");
  },
  json: namedValues(jsonValue).json,
};

/** The rows of a table. */
const rowsSchema: Schema<readonly JsonRow[]> = arrayOf(row);

const tableObject: Schema<TableInput> = closedObject({
  primaryKey: optional(
    byKind("a column name or an array of them", {
      string: nonEmptyText,
      array: nonEmptyArray(nonEmptyText),
    }),
    "The key's column, or columns. Default: `id` where there is such a column.",
  ),
  columns: optional(
    namedValues(column),
    "All columns, by name: a type or an object. Default: as the rows have them.",
  ),
  rows: optional(rowsSchema, "The rows. A column that a row leaves out gets its default."),
  generate: optional(
    closedObject({
      count: required(number({ whole: true, least: 0, most: mostGenerated }), "How many rows."),
      row: required(
        row,
        "Values, or Liquid templates of them: filter `faker`, `index` (from 0), `number` (from 1), `tables`.",
      ),
    }),
    "Rows made at the start, the same for the same seed. They come after `rows`.",
  ),
});

/** A table: an object, or just its rows. */
export const tableSchema: Schema<TableInput | readonly JsonRow[]> = byKind(
  "an object, or an array of rows",
  {
    object: tableObject,
    array: rowsSchema,
  },
);
