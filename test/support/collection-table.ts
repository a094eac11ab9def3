import { collectionSource } from "../../src/extras/collections/collection.ts";
import { CollectionTable } from "../../src/extras/collections/collection-table.ts";
import type { TableDeclaration } from "../../src/extras/collections/table-shape.ts";

/** A collection as the table `records`. */
export function collectionTable(
  collection: unknown,
  declaration: Partial<TableDeclaration> = {},
): CollectionTable {
  const source = collectionSource(collection);
  if (source === undefined) throw new Error("This is no collection.");
  const plain = { name: "records", primaryKey: undefined, columns: undefined };
  return new CollectionTable(source, { ...plain, ...declaration });
}

/** A column as `name TYPE`. */
export function shownColumns({ schema }: CollectionTable): readonly string[] {
  return schema.columns.map(({ name, type }) => `${name} ${type}`);
}
