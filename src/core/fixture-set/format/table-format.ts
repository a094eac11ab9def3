import { namedKinds } from "../../store/column-kinds.ts";
import {
  type Collation,
  namedTimeFormats,
  type ReferenceActions,
  referenceActions,
} from "../../store/schema.ts";
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

/** A foreign key as written in full. */
export interface ReferenceInput extends ReferenceActions {
  readonly column: string;
}

/** A foreign key of several columns. */
export interface ForeignKeyInput extends ReferenceActions {
  readonly columns: readonly string[];
  readonly table: string;
  readonly to: readonly string[];
}

/** The names of times, and formats that have a part which is known. */
export const timeFormatPattern: RegExp =
  /^(?:timestamp|date|time|seconds|milliseconds|(?:[^%]|%[YmdHMSfFTRs%])*%[YmdHMSfFTRs](?:[^%]|%[YmdHMSfFTRs%])*)$/;

/** A column as written in full. */
export interface ColumnInput {
  readonly type?: string;
  readonly notNull?: boolean;
  readonly unique?: boolean;
  readonly default?: JsonValue;
  readonly references?: string | ReferenceInput;
  readonly collate?: Collation;
  readonly defaultTime?: string;
  readonly check?: string;
}

/** Rows made from templates. */
export interface GenerateInput {
  readonly count: number;
  readonly row: JsonRow;
}

/** A table as written in full. */
export interface TableInput {
  readonly primaryKey?: string | readonly string[];
  readonly columns?: Readonly<Record<string, string | ColumnInput>>;
  readonly rows?: readonly JsonRow[];
  readonly generate?: GenerateInput;
  readonly unique?: readonly (readonly string[])[];
  readonly foreignKeys?: readonly ForeignKeyInput[];
  readonly autoIncrement?: boolean;
  readonly withoutRowId?: boolean;
  readonly check?: string | Readonly<Record<string, string>>;
}

/** Rows are generated again at each start, and a million take half a minute. Larger tables should be kept in a file. */
const mostGenerated = 1_000_000;

/** The pattern of a column type. */
export const columnTypePattern: RegExp = /^[A-Za-z_][\w ]*(?:\([\w ,.+-]*\)[\w ]*)?$/;

const columnType = textLike(
  columnTypePattern,
  `Expected a column type such as ${namedKinds.map((kind) => `"${kind}"`).join(", ")} or "VARCHAR(20)"`,
);

const timeFormat = textLike(
  timeFormatPattern,
  `Expected ${namedTimeFormats.map((name) => `"${name}"`).join(", ")} or a format such as "%Y-%m-%d"`,
);

const action = oneOf(referenceActions);

const referenceObject: Schema<ReferenceInput> = closedObject({
  column: required(nonEmptyText, "The column to refer to, as `table.column`."),
  onDelete: optional(action, "What happens to a row when the row that it refers to is deleted."),
  onUpdate: optional(
    action,
    "What happens to a row when the row that it refers to gets another value there.",
  ),
} satisfies Readonly<Record<keyof ReferenceInput, unknown>>);

const foreignKeyObject: Schema<ForeignKeyInput> = closedObject({
  columns: required(nonEmptyArray(nonEmptyText), "The columns of this table."),
  table: required(nonEmptyText, "The table to refer to."),
  to: required(nonEmptyArray(nonEmptyText), "The columns of that table, in the same order."),
  onDelete: optional(action, "What happens to a row when the row that it refers to is deleted."),
  onUpdate: optional(
    action,
    "What happens to a row when the row that it refers to gets other values there.",
  ),
} satisfies Readonly<Record<keyof ForeignKeyInput, unknown>>);

const columnObject: Schema<ColumnInput> = closedObject({
  type: optional(
    columnType,
    `${namedKinds.map((kind) => `\`${kind}\``).join(", ")} or any SQL type name. Default: \`ANY\`.`,
  ),
  notNull: optional(flag, "Whether NULL is refused. Default: false."),
  unique: optional(flag, "Whether all values must differ. Default: false."),
  default: optional(jsonValue, "The value for rows that leave the column out. Default: NULL."),
  references: optional(
    byKind("a column, or an object with one", { string: nonEmptyText, object: referenceObject }),
    "A foreign key, as `table.column`. Default of its actions: `no action`, which refuses what would leave rows without their target.",
  ),
  collate: optional(
    oneOf(["BINARY", "NOCASE", "RTRIM"]),
    "How texts compare and sort: `NOCASE` ignores the case of ASCII letters, `RTRIM` spaces at the end. Default: `BINARY`.",
  ),
  defaultTime: optional(
    timeFormat,
    "In place of `default`, the time of the insert in UTC: `timestamp` (`2024-01-02 03:04:05`), `date`, `time`, `seconds` or `milliseconds` since 1970, or a format of `strftime` such as `%Y-%m-%dT%H:%M:%fZ`.",
  ),
  check: optional(nonEmptyText, "An SQL condition of each row, such as `length(name) > 0`."),
} satisfies Readonly<Record<keyof ColumnInput, unknown>>);

const column: Schema<string | ColumnInput> = byKind("a type, or an object", {
  string: columnType,
  object: columnObject,
});

/** Only the names of columns are checked, since values may be anything and there may be many rows. */
const row: Schema<JsonRow> = {
  check: (value, run) => {
    if (!isObject(value)) run.mustBe("an object", value);
    else if (value[""] !== undefined) run.refuse("A column's name must not be empty.", "");
  },
  json: namedValues(jsonValue).json,
};

/** The rows of a table. */
const rowsSchema: Schema<readonly JsonRow[]> = arrayOf(row);

const tableObject: Schema<TableInput> = closedObject({
  primaryKey: optional(
    byKind("a column name or an array of them", {
      string: nonEmptyText,
      array: arrayOf(nonEmptyText),
    }),
    "The key's column or columns; none: `[]`. Default: `id`, if there is such a column.",
  ),
  columns: optional(
    namedValues(column),
    "All columns, by name: a type or an object. Default: inferred from the rows.",
  ),
  rows: optional(rowsSchema, "The rows. A column that a row leaves out gets its default."),
  generate: optional(
    closedObject({
      count: required(number({ whole: true, least: 0, most: mostGenerated }), "How many rows."),
      row: required(
        row,
        "Values or Liquid templates, which can use `index` (from 0), `number` (from 1), `tables` and the filter `faker`.",
      ),
    }),
    "Rows generated at the start, after `rows`. The same seed gives the same rows.",
  ),
  unique: optional(
    arrayOf(nonEmptyArray(nonEmptyText)),
    "Lists of columns whose values must differ together.",
  ),
  foreignKeys: optional(
    arrayOf(foreignKeyObject),
    "Foreign keys of several columns. A foreign key of one column is in `references` of that column.",
  ),
  autoIncrement: optional(
    flag,
    "Whether a generated key is never one of a deleted row. Default: false.",
  ),
  withoutRowId: optional(
    flag,
    "Whether rows come in the order of their primary key, and have no row id. Default: false.",
  ),
  check: optional(
    byKind("a condition, or an object of conditions by name", {
      string: nonEmptyText,
      object: namedValues(nonEmptyText),
    }),
    "SQL conditions of each row, by the names that errors show, or one without a name: `ends_at > starts_at`.",
  ),
} satisfies Readonly<Record<keyof TableInput, unknown>>);

/** A table: an object, or only its rows. */
export const tableSchema: Schema<TableInput | readonly JsonRow[]> = byKind(
  "an object, or an array of rows",
  {
    object: tableObject,
    array: rowsSchema,
  },
);
