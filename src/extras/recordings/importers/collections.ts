import { type CollectionSource, collectionSource } from "../../collections/collection.ts";
import { CollectionTable } from "../../collections/collection-table.ts";
import { hasExactNumbers } from "../scripts/exact-numbers.ts";
import { type JsonRow, copyJson } from "../../../core/store/value.ts";
import { createRemarks, type Imported, type Tell } from "./imported.ts";
import { type ImportedTable, tableFiles } from "./table-files.ts";

/** Collections that a module exports, by name: alone, or in an object or a Map that it exports. */
function collectionsIn(
  exported: Readonly<Record<string, unknown>>,
  tell: Tell,
): ReadonlyMap<string, CollectionSource> {
  const found = new Map<string, CollectionSource>();
  const seen = new Set<unknown>();
  const add = (name: string, value: unknown): boolean => {
    const source = collectionSource(value);
    if (source === undefined) return false;
    if (!seen.has(value)) found.set(name, source);
    seen.add(value);
    return true;
  };
  for (const [name, value] of Object.entries(exported)) {
    if (add(name, value)) continue;
    if (typeof value !== "object" || value === null) {
      tell([name], "left out: it is no Collection of @msw/data");
      continue;
    }
    const inner = Object.entries(value).filter(([key, item]) => add(key, item));
    if (inner.length === 0)
      tell([name], "left out: it is no Collection of @msw/data, and has none");
  }
  return found;
}

/** The tables of the collections that a module exports, with the records that they have. */
export function importCollections(exported: Readonly<Record<string, unknown>>): Imported {
  const { list, tell } = createRemarks();
  const tables = [...collectionsIn(exported, tell)].map(([name, source]) =>
    tableOf(name, source, tell),
  );
  return { files: tableFiles(tables, new Map(), tell), remarks: list };
}

function tableOf(name: string, source: CollectionSource, tell: Tell): ImportedTable {
  const table = new CollectionTable(source, { name, primaryKey: undefined, columns: undefined });
  const { columns, primaryKey } = table.schema;
  const rows = table
    .rows()
    .map((row, index) => plainRow(row, (column, message) => tell([name, index, column], message)));
  tellRelations(name, source, { columns: columns.map((column) => column.name), tell });
  return {
    name,
    path: [name],
    rows,
    columns: new Map(columns.map((column) => [column.name, { type: column.type }])),
    ...(primaryKey.length === 0 ? {} : { primaryKey }),
  };
}

/** A row as JSON has it. */
function plainRow(row: object, tell: (column: string, message: string) => void): JsonRow {
  return Object.fromEntries(
    Object.entries(row).flatMap(([column, value]) => {
      const copy = copyJson(value);
      if (copy !== undefined && hasExactNumbers(copy)) return [[column, copy]];
      tell(column, "left out: JSON has no such value, or not all its digits");
      return [];
    }),
  );
}

/** Properties of records that are no columns: relations to other records. */
function tellRelations(
  name: string,
  { collection }: CollectionSource,
  { columns, tell }: { readonly columns: readonly string[]; readonly tell: Tell },
): void {
  const keys = new Set(collection.all().flatMap((record) => Object.keys(record)));
  for (const key of keys) {
    if (!columns.includes(key)) {
      tell([name, key], "left out: the property is a relation, or nothing that a column can hold");
    }
  }
}
