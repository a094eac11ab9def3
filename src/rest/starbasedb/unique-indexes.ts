import type { TableSchema } from "../../store/schema.ts";
import { integerKey } from "./columns.ts";

/**
 * The columns of each index that a table's constraints bring, oldest first: column by column, then those that are
 * declared for several. The row id has none, nor has the key of a table WITHOUT ROWID, which is the table.
 */
export function uniqueIndexes(schema: TableSchema): readonly (readonly string[])[] {
  return constraints(schema)
    .filter(({ isTable }) => !isTable)
    .map(({ columns }) => columns);
}

/** As {@link uniqueIndexes}, with all that SQLite looks a new row up in, but for the row id. */
export function uniqueConstraints(schema: TableSchema): readonly (readonly string[])[] {
  return constraints(schema).map(({ columns }) => columns);
}

interface Constraint {
  readonly columns: readonly string[];
  /** Whether it is the key by which the table itself is kept. */
  readonly isTable: boolean;
}

function constraints(schema: TableSchema): readonly Constraint[] {
  const { primaryKey, indexes = [] } = schema;
  const isTable = schema.withoutRowId === true;
  const rowId = integerKey(schema);
  const sole = primaryKey.length === 1 ? primaryKey[0] : undefined;
  const single = schema.columns.flatMap(({ name, unique }): readonly Constraint[] => {
    if (name === sole && name !== rowId) return [{ columns: [name], isTable }];
    return unique ? [{ columns: [name], isTable: false }] : [];
  });
  const key = primaryKey.length > 1 ? [{ columns: primaryKey, isTable }] : [];
  const declared = indexes
    .filter(({ unique }) => unique)
    .map(({ columns }) => ({ columns: columns.map(({ name }) => name), isTable: false }));
  return [...single, ...key, ...declared];
}
