import {
  usesColumnCollations,
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

/** Reads a SQLite database or dump as if it were to be served. */
export type ReadDatabase = () => Promise<Pick<FixtureSet, "database" | "storage">>;

/** The tables of a database, written as an export writes them. Parts that only SQL can express get a remark. */
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

/** Why a table cannot be in fixtures; undefined if it can. */
function problemOf({ name, columns }: TableSchema): string | undefined {
  if (!canBeFileName(name)) return `${JSON.stringify(name)} cannot be the name of a file`;
  return columns.some((column) => column.name === "") ? "a column needs a name" : undefined;
}

/** The schema, without parts that a fixture document cannot express. */
function sayableSchema(schema: TableSchema, storage: StorageRules, tell: Tell): TableSchema {
  const { name, columns, indexes = [] } = schema;
  const sayable = indexes.filter((index) => {
    if (!index.unique || usesColumnCollations(index, columns)) return true;
    const names = index.columns.map((part) => part.name).join(", ");
    tell([name], `left out: UNIQUE (${names}) with another collation than its columns have`);
    return false;
  });
  return {
    ...schema,
    indexes: sayable,
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
  const { type, default: value } = column;
  const kind = affinity(type);
  const sayableType = kind === "NONE" ? "BLOB" : kind;
  const isTypeSaid = type === "" || columnTypePattern.test(type);
  if (!isTypeSaid) tell(`its type ${JSON.stringify(type)} becomes ${sayableType}`);
  const isDefaultSaid =
    value === undefined ||
    value instanceof CurrentTime ||
    survivesJson(value, storage.kindOf(type), storage);
  if (!isDefaultSaid) tell("left out: its default, which is not JSON");
  return {
    ...column,
    type: isTypeSaid ? type : sayableType,
    default: isDefaultSaid ? value : undefined,
  };
}
