import {
  schemaDocument,
  cellsOf,
  survivesJson,
  writtenRow,
} from "../../../core/emulator/state/export-table.ts";
import { columnTypePattern } from "../../../core/fixture-set/format/table-format.ts";
import type { FixtureSet } from "../../../core/fixture-set/fixture-set.ts";
import { affinity } from "../../../core/store/column-kinds.ts";
import { type Column, CurrentTime, type TableSchema } from "../../../core/store/schema.ts";
import type { StorageRules } from "../../../core/store/storage-rules.ts";
import { createRemarks, type Imported, jsonFile, type Tell } from "./imported.ts";
import { canBeFileName } from "./table-files.ts";

/** A SQLite database or dump, read as if it were to be served. */
export type ReadDatabase = () => Promise<Pick<FixtureSet, "database" | "storage">>;

/** The tables of a database, written as an export writes them. What only SQL can say is told. */
export async function importSqlite(readDatabase: ReadDatabase): Promise<Imported> {
  const { database, storage } = await readDatabase();
  const { list, tell } = createRemarks();
  const files = database.names().flatMap((name) => {
    const table = database.table(name);
    if (table === undefined) return [];
    const problem = problemOf(table.schema);
    if (problem !== undefined) {
      tell([name], `the table was left out: ${problem}`);
      return [];
    }
    const schema = sayableSchema(table.schema, storage, tell);
    const rows = table.rows();
    for (const { column, blob } of cellsOf(rows, schema, storage)) {
      const becomes =
        blob === undefined
          ? "numbers become the nearest that JSON can express"
          : "blobs become base64";
      tell([name, column], becomes);
    }
    const written = rows.map(writtenRow);
    return [jsonFile(`tables/${name}.json`, { ...schemaDocument(schema, storage), rows: written })];
  });
  return { files, remarks: list };
}

/** Why a table cannot be one of fixtures. */
function problemOf({ name, columns, primaryKey }: TableSchema): string | undefined {
  if (!canBeFileName(name)) return `${JSON.stringify(name)} cannot be the name of a file`;
  if (columns.some((column) => column.name === "")) return "a column needs a name";
  const hasOtherId = primaryKey.length === 0 && columns.some((column) => column.name === "id");
  return hasOtherId ? 'its column "id" is no key, and in fixtures it would be' : undefined;
}

/** The schema without what a fixture document cannot say. */
function sayableSchema(schema: TableSchema, storage: StorageRules, tell: Tell): TableSchema {
  const { name, columns, primaryKey, indexes = [], foreignKeys = [] } = schema;
  const leftOut = (what: string): void => tell([name], `left out: ${what}`);
  if (schema.autoIncrement === true) {
    leftOut("AUTOINCREMENT, so the largest id can be used again once its row is deleted");
  }
  if (schema.withoutRowId === true) leftOut("WITHOUT ROWID, so new rows come last");
  for (const key of foreignKeys) leftOut(`the foreign key of ${key.columns.join(", ")}`);
  for (const index of indexes) {
    if (index.unique) leftOut(`UNIQUE (${index.columns.map((part) => part.name).join(", ")})`);
  }
  return {
    name,
    primaryKey,
    columns: columns.map((column) =>
      sayableColumn(column, storage, (message) => tell([name, column.name], message)),
    ),
  };
}

function sayableColumn(
  column: Column,
  storage: StorageRules,
  tell: (message: string) => void,
): Column {
  const { type, collate, default: value } = column;
  const kind = affinity(type);
  const sayableType = kind === "NONE" ? "BLOB" : kind;
  const isTypeSaid = type === "" || columnTypePattern.test(type);
  if (!isTypeSaid) tell(`its type ${JSON.stringify(type)} becomes ${sayableType}`);
  if (collate === "RTRIM") tell("left out: the collation RTRIM");
  const isDefaultSaid =
    value === undefined ||
    (!(value instanceof CurrentTime) && survivesJson(value, storage.kindOf(type), storage));
  if (!isDefaultSaid) {
    tell(
      `left out: its default, which is ${value instanceof CurrentTime ? "the current time" : "not JSON"}`,
    );
  }
  return {
    ...column,
    type: isTypeSaid ? type : sayableType,
    collate: collate === "RTRIM" ? "BINARY" : collate,
    default: isDefaultSaid ? value : undefined,
  };
}
