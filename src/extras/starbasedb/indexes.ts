import type { DeclaredIndex, TableSchema } from "../../core/store/schema.ts";
import { integerKey } from "./columns.ts";

/** An index of a table, or the key that orders the table itself. */
export interface TableIndex extends DeclaredIndex {
  /** Whether the index is the key of a table WITHOUT ROWID, which is the table itself. */
  readonly isTable: boolean;
  readonly isPrimaryKey: boolean;
}

/** All indexes in the order of creation: those of constraints, then those from CREATE INDEX. */
export function tableIndexes(schema: TableSchema): readonly TableIndex[] {
  const { primaryKey, indexes = [], constraintOrder } = schema;
  const constraint = (names: readonly string[], isPrimaryKey: boolean): TableIndex => {
    const isTable = isPrimaryKey && schema.withoutRowId === true;
    return { columns: collatedColumns(schema, names), unique: true, isTable, isPrimaryKey };
  };
  const sole = integerKey(schema) === undefined && primaryKey.length === 1 ? primaryKey[0] : "";
  const single = schema.columns.flatMap(({ name, unique }) =>
    unique || (sole !== "" && name === sole) ? [constraint([name], name === sole)] : [],
  );
  const key = primaryKey.length > 1 ? [constraint(primaryKey, true)] : [];
  const declared = indexes.map((index) => ({ ...index, isTable: false, isPrimaryKey: false }));
  const made = [...single, ...key, ...declared.filter((index) => index.made === undefined)];
  if (constraintOrder !== undefined) {
    const placeOf = ({ columns }: TableIndex): number =>
      constraintOrder.findIndex((names) => areSame(names, columns));
    made.sort((left, right) => placeOf(left) - placeOf(right));
  }
  return [...made, ...declared.filter((index) => index.made !== undefined)];
}

/** The columns of a key, each with its own collation. */
export function collatedColumns(
  schema: TableSchema,
  names: readonly string[],
): DeclaredIndex["columns"] {
  return names.map((name) => {
    const collate = schema.columns.find((column) => column.name === name)?.collate ?? "BINARY";
    return { name, collate, descending: false };
  });
}

function areSame(names: readonly string[], columns: DeclaredIndex["columns"]): boolean {
  return names.length === columns.length && names.every((name, at) => name === columns[at]?.name);
}

/**
 * The numbers in the names of the indexes of constraints. The row id has none. The key of a table WITHOUT ROWID has a
 * number but no index, since it is the table.
 */
export function autoIndexNumbers(schema: TableSchema): readonly number[] {
  return tableIndexes(schema)
    .filter(({ made }) => made === undefined)
    .flatMap(({ isTable }, at) => (isTable ? [] : [at + 1]));
}

/** The columns of each key in which SQLite looks up a new row, except the row id, oldest first. */
export function uniqueConstraints(schema: TableSchema): readonly (readonly string[])[] {
  return tableIndexes(schema)
    .filter(({ unique }) => unique)
    .map(({ columns }) => columns.map(({ name }) => name));
}
