import { inferredKind } from "./column-kinds.ts";
import type { GivenRow, Value } from "./value.ts";

/** How texts compare: by their bytes, with ASCII letters in either case, or without trailing spaces. */
export type Collation = "BINARY" | "NOCASE" | "RTRIM";

/** A default that is the time of the insert, in UTC, as SQLite's `CURRENT_TIMESTAMP` and its kin. */
export class CurrentTime {
  readonly format: "timestamp" | "date" | "time";

  constructor(format: "timestamp" | "date" | "time") {
    this.format = format;
  }
}

/** One column of a table. */
export interface Column {
  readonly name: string;
  /** As declared: `INTEGER`, `REAL`, `NUMERIC`, `TEXT`, `BOOLEAN`, `JSON`, `ANY` or any SQL type name. */
  readonly type: string;
  readonly notNull: boolean;
  readonly unique: boolean;
  /** What a row gets that leaves the column out. Undefined: NULL. */
  readonly default: Value | CurrentTime | undefined;
  /** The column of another table (or this one) whose values are the only ones allowed here, besides NULL. */
  readonly references: { readonly table: string; readonly column: string } | undefined;
  readonly collate: Collation;
}

/** An index that a SQL dump declares, or a constraint that several columns are unique together. */
export interface DeclaredIndex {
  readonly columns: readonly {
    readonly name: string;
    readonly collate: Collation;
    readonly descending: boolean;
  }[];
  readonly unique: boolean;
}

/** Columns whose values together are those of a row of another table, or of this one. */
export interface ForeignKey {
  readonly columns: readonly string[];
  readonly to: { readonly table: string; readonly columns: readonly string[] };
}

/** What a table's rows look like. */
export interface TableSchema {
  readonly name: string;
  readonly columns: readonly Column[];
  /** Names of the key's columns, in the order of the key. Empty when the table has no primary key. */
  readonly primaryKey: readonly string[];
  /** Indexes besides those of the primary key and of unique columns, in the order of their making. */
  readonly indexes?: readonly DeclaredIndex[];
  /** The columns of the constraints that a dump or a database keeps by an index, in the order of their making. */
  readonly constraintOrder?: readonly (readonly string[])[];
  /** Foreign keys of several columns; those of one column stand with the column. */
  readonly foreignKeys?: readonly ForeignKey[];
  /** Generated keys never reuse one that was deleted. Default false. */
  readonly autoIncrement?: boolean;
  /** Rows have no row id besides their primary key, and come in its order. Default false. */
  readonly withoutRowId?: boolean;
  /** The statement that makes the table, where it comes out of a SQL dump. */
  readonly sql?: string;
}

/** A column of which nothing is known but its name and type. */
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

/** The columns that rows have, in the order in which they are first named, with types that fit all rows. */
export function inferColumns(rows: readonly GivenRow[]): readonly Column[] {
  const types = new Map<string, string | undefined>();
  for (const row of rows) {
    for (const [name, value] of Object.entries(row)) {
      types.set(name, widen(types.get(name), inferredKind(value)));
    }
  }
  return [...types].map(([name, type]) => plainColumn(name, type ?? "ANY"));
}

/** The schema of a table that had none, from its first row. `id` is the primary key where there is one. */
export function schemaFromRow(name: string, row: GivenRow): TableSchema {
  const primaryKey = Object.hasOwn(row, "id") ? ["id"] : [];
  return { name, columns: inferColumns([row]), primaryKey };
}

/** The narrowest type for values of both. */
function widen(left: string | undefined, right: string | undefined): string | undefined {
  if (left === undefined || left === right) return right;
  if (right === undefined) return left;
  const areNumbers = [left, right].every((type) => type === "INTEGER" || type === "REAL");
  return areNumbers ? "REAL" : "ANY";
}
