import { isReadAsWritten } from "../../../core/fixture-set/json/json-copy.ts";
import { type JsonRow, copyJson } from "../../../core/store/value.ts";
import { createRemarks, type Imported, type Tell } from "./imported.ts";
import { type ImportedTable, tableFiles } from "./table-files.ts";

/** A collection of `@msw/data`, as far as it is imported. */
export interface ImportedCollection {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly primaryKey: readonly string[];
  readonly rows: readonly object[];
  /** Properties of its records, relations too. */
  readonly properties: ReadonlySet<string>;
}

/** Reads a collection under the name of its table. Undefined: it is none. */
export type ReadCollection = (name: string, value: unknown) => ImportedCollection | undefined;

/**
 * The tables of the collections that a module exports, alone or in an object that it exports, with the records that they
 * have.
 */
export function importCollections(
  exported: Readonly<Record<string, unknown>>,
  read: ReadCollection,
): Imported {
  const { list, tell } = createRemarks();
  const tables = new Map<string, ImportedTable>();
  const seen = new Set<unknown>();
  for (const [name, value] of Object.entries(exported)) {
    const inner = typeof value === "object" && value !== null ? Object.entries(value) : [];
    let hasAny = false;
    for (const [key, item] of [[name, value] as const, ...inner]) {
      const collection = read(key, item);
      if (collection === undefined) continue;
      hasAny = true;
      if (!seen.has(item)) tables.set(key, tableOf(key, collection, tell));
      seen.add(item);
    }
    if (!hasAny) tell([name], "left out: it is not a Collection of @msw/data, and has none");
  }
  return { files: tableFiles([...tables.values()], new Map(), tell), remarks: list };
}

function tableOf(name: string, collection: ImportedCollection, tell: Tell): ImportedTable {
  const { columns, primaryKey, properties } = collection;
  const rows = collection.rows.map((row, index) =>
    plainRow(row, (column, message) => tell([name, index, column], message)),
  );
  const names = new Set(columns.map((column) => column.name));
  for (const key of properties) {
    if (names.has(key)) continue;
    tell(
      [name, key],
      "left out: the property is a relation, or has a value that no column can hold",
    );
  }
  return {
    name,
    path: [name],
    rows,
    columns: new Map(columns.map((column) => [column.name, { type: column.type }])),
    primaryKey: primaryKey.length > 1 ? primaryKey : primaryKey[0],
  };
}

/** A row as JSON has it. */
function plainRow(row: object, tell: (column: string, message: string) => void): JsonRow {
  return Object.fromEntries(
    Object.entries(row).flatMap(([column, value]) => {
      const copy = copyJson(value);
      if (copy !== undefined && isReadAsWritten(copy)) return [[column, copy]];
      tell(column, "left out: JSON cannot express its value, or not all of its digits");
      return [];
    }),
  );
}
