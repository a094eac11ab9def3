import type { Row } from "../../core/store/value.ts";
import type { TableSchema } from "../../core/store/schema.ts";
import { createStatement } from "./create-statement.ts";
import { isStated, type StatedIndex } from "./stated-index.ts";
import { autoIndexNumbers } from "./unique-indexes.ts";

/**
 * What `sqlite_master` has of the tables: an entry for each, followed by those of the indexes that its constraints
 * brought, and the indexes that have statements of their own, in the order of their making. Pages are counted as in a
 * database made of these statements alone.
 */
export function catalogueRows(schemas: readonly TableSchema[]): readonly Row[] {
  const counted = schemas.find(({ autoIncrement }) => autoIncrement === true);
  // Made with the first table that needs it.
  const groups = schemas.map((schema) =>
    schema === counted ? [...tableEntries(schema), sequenceEntry] : tableEntries(schema),
  );
  // Their positions are among what their dump made, and its tables come after all others.
  const first = schemas.findIndex(({ sql }) => sql !== undefined);
  for (const { position, entry } of statedIndexes(schemas)) {
    groups.splice(first + position, 0, [entry]);
  }
  return groups.flat().map((entry, index) => ({
    type: entry.type,
    name: entry.name,
    tbl_name: entry.table,
    rootpage: index + 2,
    sql: entry.sql,
  }));
}

interface Entry {
  readonly type: "table" | "index";
  readonly name: string;
  readonly table: string;
  readonly sql: string | null;
}

const sequenceEntry: Entry = {
  type: "table",
  name: "sqlite_sequence",
  table: "sqlite_sequence",
  sql: "CREATE TABLE sqlite_sequence(name,seq)",
};

function tableEntries(schema: TableSchema): readonly Entry[] {
  const { name } = schema;
  const table: Entry = { type: "table", name, table: name, sql: createStatement(schema) };
  const indexes = autoIndexNumbers(schema).map((number): Entry => {
    return { type: "index", name: `sqlite_autoindex_${name}_${number}`, table: name, sql: null };
  });
  return [table, ...indexes];
}

/** In the order of their making. */
function statedIndexes(
  schemas: readonly TableSchema[],
): readonly { readonly position: number; readonly entry: Entry }[] {
  return schemas
    .flatMap(({ name: table, indexes = [] }) =>
      indexes.filter(isStated).map(({ name, sql, position }: StatedIndex) => ({
        position,
        entry: { type: "index", name, table, sql } as const,
      })),
    )
    .toSorted((left, right) => left.position - right.position);
}
