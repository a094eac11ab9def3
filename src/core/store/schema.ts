import { type ColumnKind, inferenceOf, inferredKind } from "./column-kinds.ts";
import type { StorageRules } from "./storage-rules.ts";
import type { GivenRow, Row, Value } from "./value.ts";

/** How texts compare: by bytes, ignoring the case of ASCII letters, or ignoring trailing spaces. */
export type Collation = "BINARY" | "NOCASE" | "RTRIM";

/** A default that is the time of the insert, in UTC, such as SQLite's `CURRENT_TIMESTAMP`. */
export class CurrentTime {
  readonly format: TimeFormat;

  constructor(format: TimeFormat) {
    this.format = format;
  }
}

/** SQLite's three, a count since 1970, or the format of a `strftime`, such as `%Y-%m-%dT%H:%M:%fZ`. */
export type TimeFormat = NamedTimeFormat | `${string}%${string}`;

/** The formats that have a name. */
export const namedTimeFormats = ["timestamp", "date", "time", "seconds", "milliseconds"] as const;

export function isTimeFormat(text: string): text is TimeFormat {
  return text.includes("%") || namedTimeFormats.some((name) => name === text);
}

type NamedTimeFormat = (typeof namedTimeFormats)[number];

/** What happens to a row when the row that it refers to is deleted or gets another key, in the words of SQL. */
export const referenceActions = [
  "cascade",
  "set null",
  "set default",
  "restrict",
  "no action",
] as const;

export type ReferenceAction = (typeof referenceActions)[number];

/**
 * The actions of a foreign key. Undefined: `no action`, which refuses a change that would leave a reference dangling.
 */
export interface ReferenceActions {
  readonly onDelete?: ReferenceAction | undefined;
  readonly onUpdate?: ReferenceAction | undefined;
}

/** One column of a table. */
export interface Column {
  readonly name: string;
  /** As declared: `INTEGER`, `REAL`, `NUMERIC`, `TEXT`, `BOOLEAN`, `JSON`, `ANY` or any SQL type name. */
  readonly type: string;
  readonly notNull: boolean;
  readonly unique: boolean;
  /** The value for rows that leave the column out. Undefined: NULL. */
  readonly default: Value | CurrentTime | undefined;
  /** The column of another table, or of this one, that must contain each value except NULL. */
  readonly references: ColumnReference | undefined;
  readonly collate: Collation;
}

/** A foreign key of one column. */
export interface ColumnReference extends ReferenceActions {
  readonly table: string;
  readonly column: string;
}

/** An index of a SQL dump, or a constraint that several columns are unique together. */
export interface DeclaredIndex {
  readonly columns: readonly {
    readonly name: string;
    readonly collate: Collation;
    readonly descending: boolean;
  }[];
  readonly unique: boolean;
  /** The CREATE INDEX statement; undefined for a constraint. */
  readonly made?: IndexStatement | undefined;
}

/** A CREATE INDEX, which only SQL dumps and databases have. */
export interface IndexStatement {
  readonly name: string;
  readonly sql: string;
  /** The statement's position among all CREATE TABLE and CREATE INDEX statements of the dump. */
  readonly position: number;
}

/** Columns whose combined values must exist in a row of another table, or of this one. */
export interface ForeignKey extends ReferenceActions {
  readonly columns: readonly string[];
  readonly to: { readonly table: string; readonly columns: readonly string[] };
}

/** A condition that no row may fail. It counts as met where its value is NULL. */
export interface CheckConstraint {
  /** The constraint's name in messages: its own, else its expression. */
  readonly name: string;
  /** Whether the schema names the constraint. */
  readonly isNamed: boolean;
  readonly sql: string;
  /** The columns that the condition reads. */
  readonly columns: readonly string[];
  /** Makes the test of rows with these columns, stored by these rules. */
  readonly compile: (columns: readonly Column[], storage: StorageRules) => RowTest;
}

export type RowTest = (row: Row) => boolean;

/** The structure of a table's rows. */
export interface TableSchema {
  readonly name: string;
  readonly columns: readonly Column[];
  /** Names of the key's columns, in the order of the key. Empty when the table has no primary key. */
  readonly primaryKey: readonly string[];
  /** Indexes besides those of the primary key and unique columns, in order of creation. */
  readonly indexes?: readonly DeclaredIndex[];
  /** The columns of each constraint that a dump or a database keeps as an index, in order of creation. */
  readonly constraintOrder?: readonly (readonly string[])[];
  /** Foreign keys of several columns. A foreign key of one column is in `references` of that column. */
  readonly foreignKeys?: readonly ForeignKey[];
  /** The conditions of rows, in the order in which they are tested. */
  readonly checks?: readonly CheckConstraint[];
  /** Whether generated keys never reuse a deleted one. Default: false. */
  readonly autoIncrement?: boolean;
  /** Whether rows have no id besides their primary key, and are in its order. Default: false. */
  readonly withoutRowId?: boolean;
  /** The statement that creates the table, if it comes from a SQL dump. */
  readonly sql?: string;
}

/** A column with only a name and a type. */
export function plainColumn(name: string, type: string): Column {
  return {
    name,
    type,
    notNull: false,
    unique: false,
    default: undefined,
    references: undefined,
    collate: "BINARY",
  };
}

/** The columns of rows, in order of first appearance, with types that fit all rows. */
export function inferColumns(rows: readonly GivenRow[]): readonly Column[] {
  const columns = new Map<string, InferredColumn>();
  const inOrder: InferredColumn[] = [];
  for (const row of rows) {
    let at = 0;
    // Every cell of a large file passes here, and nearly all are of the same kind as the cell above. `Object.keys`
    // would make arrays.
    for (const name in row) {
      let column = inOrder[at++];
      if (column?.name !== name) column = columns.get(name);
      if (column === undefined) {
        column = { name, kind: undefined, isLike: inferenceOf(undefined) };
        columns.set(name, column);
        inOrder.push(column);
      }
      const value = row[name];
      if (column.isLike(value)) continue;
      column.kind = widen(column.kind, inferredKind(value));
      column.isLike = inferenceOf(column.kind);
    }
  }
  return inOrder.map(({ name, kind }) => plainColumn(name, kind ?? "ANY"));
}

interface InferredColumn {
  readonly name: string;
  /** Undefined while all values are NULL. */
  kind: ColumnKind | undefined;
  /** Whether a value leaves the kind as it is. False when in doubt. */
  isLike: (value: unknown) => boolean;
}

/**
 * The schema of a table without columns, from its first row. `id` is the primary key unless another one is declared,
 * and a row without an `id` gets one.
 */
export function schemaFromRow(
  { name, primaryKey: declared }: TableSchema,
  row: GivenRow,
): TableSchema {
  const primaryKey = declared.length > 0 ? declared : ["id"];
  const missing = primaryKey.filter((key) => !Object.hasOwn(row, key));
  const keys = missing.map((key) => plainColumn(key, key === "id" ? "INTEGER" : "ANY"));
  return { name, columns: [...keys, ...inferColumns([{ ...row }])], primaryKey };
}

/** The narrowest type for values of both. */
function widen(
  left: ColumnKind | undefined,
  right: ColumnKind | undefined,
): ColumnKind | undefined {
  if (left === undefined || left === right) return right;
  if (right === undefined) return left;
  const areNumbers = [left, right].every((type) => type === "INTEGER" || type === "REAL");
  return areNumbers ? "REAL" : "ANY";
}
