import { Collection } from "@msw/data";
import { z } from "zod";
import { collectionSource } from "../../src/extras/collections/collection.ts";
import { CollectionTable } from "../../src/extras/collections/collection-table.ts";
import { type ColumnKind, columnKind } from "../../src/core/store/column-kinds.ts";
import { Database, type TableContents } from "../../src/core/store/database.ts";
import type { Column, TableSchema } from "../../src/core/store/schema.ts";
import type { Table } from "../../src/core/store/table.ts";
import { openTables, relayedTable } from "./postgres/open-tables.ts";
import { isLong } from "./tries.ts";
import { missingServer, ownSchema } from "./postgres/server.ts";

/** A table to try, and how to bring it back to where it is. */
export interface OpenTable {
  readonly table: Table;
  /** Takes a snapshot; what it gives restores it. */
  readonly snapshot: () => () => void | Promise<void>;
}

export type TableKindName = "memory" | "collection with columns" | "collection" | "postgres";

/** A way to have a table with these contents. */
export interface TableKind {
  readonly name: TableKindName;
  readonly open: (contents: TableContents) => Promise<OpenTable>;
}

const memory: TableKind = {
  name: "memory",
  open: (contents) => {
    const database = Database.load([contents]);
    const table = database.table(contents.schema.name);
    if (table === undefined) throw new Error("The table was not loaded.");
    const snapshot = (): (() => void) => {
      const taken = database.snapshot();
      return () => database.restore(taken);
    };
    return Promise.resolve({ table, snapshot });
  },
};

/** A collection whose columns are declared beside it; its own schema takes everything that fits them. */
const withColumns: TableKind = {
  name: "collection with columns",
  open: ({ schema, rows }) => {
    const collection = new Collection({ schema: z.looseObject({}) });
    return fill(collection, schema, { rows, columns: schema.columns });
  },
};

/** A collection of which nothing but the key is told beside its own schema. */
const plain: TableKind = {
  name: "collection",
  open: ({ schema, rows }) => {
    const collection = new Collection({ schema: zodSchema(schema) });
    return fill(collection, schema, { rows, columns: undefined });
  },
};

/** Written by one process, and read by another one. */
const postgres: TableKind = {
  name: "postgres",
  open: async (contents) => {
    const url = await ownSchema();
    const writer = await openTables(url, [contents]);
    const reader = await openTables(url, [contents]);
    return {
      table: relayedTable(writer, reader, contents.schema.name),
      snapshot: () => {
        const taken = writer.database.snapshot();
        return async () => {
          await writer.tables.write(async () => {
            writer.database.restore(taken);
            return {};
          });
          await reader.tables.read(async () => ({}));
        };
      },
    };
  },
};

async function fill(
  collection: unknown,
  { name, primaryKey }: TableSchema,
  contents: {
    readonly rows: TableContents["rows"];
    readonly columns: readonly Column[] | undefined;
  },
): Promise<OpenTable> {
  const source = collectionSource(collection);
  if (source === undefined) throw new Error("This is no collection.");
  const table = new CollectionTable(source, { name, primaryKey, columns: contents.columns });
  for (const row of contents.rows) {
    const result = await table.insert(row);
    if (!result.ok) throw new Error(JSON.stringify(result.violations));
  }
  const snapshot = (): (() => void) => {
    const taken = table.snapshot();
    return () => table.restore(taken);
  };
  return { table, snapshot };
}

/** The schema that a user would write for such rows. */
function zodSchema({ columns, primaryKey }: TableSchema): z.ZodObject {
  return z.object(
    Object.fromEntries(
      columns.map((column) => {
        const type = zodTypes[columnKind(column.type)];
        const given = typeof column.default === "object" ? undefined : column.default;
        if (column.notNull || primaryKey.includes(column.name)) return [column.name, type];
        const nullable = type.nullable().optional();
        return [column.name, given === undefined ? nullable : nullable.default(given)];
      }),
    ),
  );
}

const zodTypes: Readonly<Record<ColumnKind, z.ZodType>> = {
  INTEGER: z.number(),
  REAL: z.number(),
  NUMERIC: z.union([z.number(), z.string()]),
  TEXT: z.string(),
  BOOLEAN: z.union([z.boolean(), z.literal(0), z.literal(1)]),
  JSON: z.json(),
  ANY: z.json(),
  NONE: z.json(),
};

/** All kinds that the table interface is checked for; those of a database server in `npm run check`. */
export const tableKinds: readonly TableKind[] = [
  memory,
  withColumns,
  plain,
  ...(isLong && missingServer() === undefined ? [postgres] : []),
];
