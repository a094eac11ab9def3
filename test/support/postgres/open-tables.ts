import { onTestFinished } from "vitest";
import { postgresTables } from "../../../src/extras/postgres/index.ts";
import type { TablesEvents } from "../../../src/extras/postgres/failures.ts";
import type { PostgresTables } from "../../../src/extras/postgres/postgres-tables.ts";
import {
  Database,
  type DatabaseOptions,
  type TableContents,
} from "../../../src/core/store/database.ts";
import type { Table, WriteResult, Written } from "../../../src/core/store/table.ts";

/** One process's tables in PostgreSQL, and its copy of them. */
export interface OpenTables {
  readonly tables: PostgresTables;
  readonly database: Database;
}

/** Begins with tables in a schema, until the test is over. */
export async function openTables(
  url: string,
  contents: readonly TableContents[],
  { events = {}, ...options }: DatabaseOptions & { readonly events?: TablesEvents } = {},
): Promise<OpenTables> {
  const database = Database.load(contents, options);
  const tables = await postgresTables(url, events);
  onTestFinished(() => tables.close());
  await tables.begin(database, "document");
  return { tables, database };
}

/** A table in a database that has it. */
export function tableOf({ database }: Pick<OpenTables, "database">, name: string): Table {
  const table = database.table(name);
  if (table === undefined) throw new Error(`There is no table ${name}.`);
  return table;
}

/** Writes to a table as requests do. */
export function writeTo(
  { tables, database }: OpenTables,
  name: string,
  write: (table: Table) => Written,
): Promise<WriteResult> {
  return tables.write(async () => write(tableOf({ database }, name)));
}

/** A table that one process writes and another one reads. */
export function relayedTable(writer: OpenTables, reader: OpenTables, name: string): Table {
  const read = tableOf(reader, name);
  const relayed = async (write: (table: Table) => Written): Promise<WriteResult> => {
    const result = await writeTo(writer, name, write);
    await reader.tables.read(async () => ({}));
    return result;
  };
  return {
    get schema() {
      return read.schema;
    },
    get size() {
      return read.size;
    },
    get sequence() {
      return read.sequence;
    },
    rows: () => read.rows(),
    get: (key) => read.get(key),
    select: (query) => read.select(query),
    explain: (query) => read.explain(query),
    insert: (given) => relayed((table) => table.insert(given)),
    replace: (key, given) => relayed((table) => table.replace(key, given)),
    update: (key, changes) => relayed((table) => table.update(key, changes)),
    delete: (key) => relayed((table) => table.delete(key)),
  };
}
