import type { DeclaredIndex, TableSchema } from "../../core/store/schema.ts";
import { integerKey } from "./columns.ts";

/**
 * The numbers in the names of the indexes that a table's constraints bring: column by column, then those that are
 * declared for several. The row id has none. The key of a table WITHOUT ROWID has a number and, being the table, no
 * index.
 */
export function autoIndexNumbers(schema: TableSchema): readonly number[] {
  return constraints(schema)
    .filter(({ isStated: isOwn }) => !isOwn)
    .flatMap(({ isTable }, index) => (isTable ? [] : [index + 1]));
}

/** The columns of all that SQLite looks a new row up in, but for the row id, oldest first. */
export function uniqueConstraints(schema: TableSchema): readonly (readonly string[])[] {
  return constraints(schema).map(({ columns }) => columns);
}

interface Constraint {
  readonly columns: readonly string[];
  /** Whether it is the key by which the table itself is kept. */
  readonly isTable: boolean;
  /** Whether it is an index with a statement of its own. */
  readonly isStated: boolean;
}

function constraints(schema: TableSchema): readonly Constraint[] {
  const { primaryKey, indexes = [] } = schema;
  const isTable = schema.withoutRowId === true;
  const rowId = integerKey(schema);
  const sole = primaryKey.length === 1 ? primaryKey[0] : undefined;
  const single = schema.columns.flatMap(({ name, unique }): readonly Constraint[] => {
    if (name === sole && name !== rowId) return [{ columns: [name], isTable, isStated: false }];
    return unique ? [{ columns: [name], isTable: false, isStated: false }] : [];
  });
  const key = primaryKey.length > 1 ? [{ columns: primaryKey, isTable, isStated: false }] : [];
  const declared = indexes
    .filter(({ unique }) => unique)
    .map((index) => ({
      columns: index.columns.map(({ name }) => name),
      isTable: false,
      isStated: isStated(index),
    }));
  return [...single, ...key, ...declared];
}

/** An index that has a statement of its own. Dumps tell of it. */
export interface StatedIndex extends DeclaredIndex {
  readonly name: string;
  readonly sql: string;
  /** Its place among all tables and indexes that its dump has. */
  readonly position: number;
}

/** Whether an index was made by a statement of its own, rather than by a constraint. */
export function isStated(index: DeclaredIndex): index is StatedIndex {
  return "sql" in index && typeof index.sql === "string";
}
