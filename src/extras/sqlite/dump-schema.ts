import type { DeclaredIndex, ForeignKey, TableSchema } from "../../core/store/schema.ts";
import type { DumpTable, Made } from "./dump-table.ts";

/** The schemas of all tables, before their foreign keys are known. */
export function schemasOf(tables: readonly DumpTable[]): readonly TableSchema[] {
  const indexes = tables.flatMap((table) => table.indexes.flatMap(({ made }) => made ?? []));
  const made: readonly Made[] = [...tables.map(({ definition }) => definition), ...indexes];
  const serials = made.map(({ serial }) => serial).toSorted((left, right) => left - right);
  const positions = new Map(serials.map((serial, position) => [serial, position]));
  return tables.map((table) => schemaOf(table, positions));
}

function schemaOf(
  { definition, indexes }: DumpTable,
  positions: ReadonlyMap<number, number>,
): TableSchema {
  const { name, sql, columns, primaryKey, autoIncrement, withoutRowId } = definition;
  const declared = indexes.map(({ columns: own, unique, made }): DeclaredIndex => {
    const index = { columns: own, unique };
    if (made === undefined) return index;
    // What SQLite's catalogue has of an index: its place is among all tables and indexes.
    return { ...index, ...catalogued(made, positions) };
  });
  return {
    name,
    columns: columns.map(({ column }) => column),
    primaryKey,
    ...(declared.length === 0 ? {} : { indexes: declared }),
    ...(autoIncrement ? { autoIncrement } : {}),
    ...(withoutRowId ? { withoutRowId } : {}),
    sql,
  };
}

function catalogued(
  { name, sql, serial }: Made,
  positions: ReadonlyMap<number, number>,
): { readonly name: string; readonly sql: string; readonly position: number } {
  return { name, sql, position: positions.get(serial) ?? 0 };
}

/** A schema with these foreign keys. The first of each single column stands with the column. */
export function withForeignKeys(
  schema: TableSchema,
  foreignKeys: readonly ForeignKey[],
): TableSchema {
  const ofColumns = new Map<string, ForeignKey>();
  for (const key of foreignKeys) {
    const [name, ...others] = key.columns;
    if (name === undefined || others.length > 0 || ofColumns.has(name)) continue;
    ofColumns.set(name, key);
  }
  const rest = foreignKeys.filter((key) => key !== ofColumns.get(key.columns[0] ?? ""));
  const columns = schema.columns.map((column) => {
    const to = ofColumns.get(column.name)?.to;
    const [target] = to?.columns ?? [];
    if (to === undefined || target === undefined) return column;
    return { ...column, references: { table: to.table, column: target } };
  });
  return { ...schema, columns, ...(rest.length === 0 ? {} : { foreignKeys: rest }) };
}
