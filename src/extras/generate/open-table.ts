import { EmulatorError } from "../../core/errors/emulator-error.ts";
import { didYouMean } from "../../core/errors/nearest-name.ts";
import { showText } from "../../core/errors/show.ts";
import { loadTables } from "../../core/store/database.ts";
import type { Row, RowId } from "../../core/store/value.ts";
import type { TableSchema } from "../../core/store/schema.ts";
import type { StorageRules } from "../../core/store/storage-rules.ts";
import type { Assembled } from "../../core/fixture-set/assemble.ts";
import type { FixtureSet } from "../../core/fixture-set/fixture-set.ts";
import { isObject } from "../../core/schema/json.ts";
import { Findings } from "../../core/schema/findings.ts";
import { fixturesOf } from "../../core/fixture-set/read-document.ts";
import { planTables, type TablePlan } from "../../core/fixture-set/tables/plan-tables.ts";

/** A table of fixtures that rows are to be made for. */
export interface OpenTable {
  readonly schema: TableSchema;
  /** Of all tables. */
  readonly schemas: readonly TableSchema[];
  readonly storage: StorageRules;
  /** The table as it is written; undefined when it comes from a SQL dump. */
  readonly plan: TablePlan | undefined;
  /** Whether it is written as nothing but rows, or a row, in a document of tables. */
  readonly isInTablesDocument: boolean;
  /** The last key that was ever given, where keys are never used again. */
  readonly lastKey: RowId | undefined;
  /** The rows that are written, complete. Those that are made at each start come after whatever is written. */
  readonly written: readonly Row[];
  /** All rows of a table, those included that are made at each start. */
  readonly rowsOf: (table: string) => readonly Row[];
}

const example = `{ "columns": { "id": "INTEGER", "name": "TEXT", "email": "TEXT" }, "rows": [] }`;

/** Finds a table by its name. Throws `ERR_TABLE_UNKNOWN` when there is none, or none whose columns are known. */
export async function openTable(
  name: string,
  assembled: Assembled,
  { database, storage }: FixtureSet,
): Promise<OpenTable> {
  const table = database.table(name);
  const schema = table?.schema;
  if (schema === undefined) throw unknownTable(name, database.names());
  if (schema.columns.length === 0) {
    const problem = "it has no columns yet. List them where the table is, such as";
    throw new EmulatorError(
      "ERR_TABLE_UNKNOWN",
      `Cannot generate rows of ${showText(name)}: ${problem} ${example}.`,
    );
  }
  const document = await fixturesOf(assembled, new Findings());
  const plan = planOf(name, document);
  // A table makes a list of its rows for each that asks.
  const lists = new Map<string, readonly Row[]>();
  const rowsOf = (other: string): readonly Row[] => {
    const rows = lists.get(other) ?? database.table(other)?.rows() ?? [];
    lists.set(other, rows);
    return rows;
  };
  return {
    schema,
    schemas: database.names().flatMap((other) => database.table(other)?.schema ?? []),
    storage,
    plan,
    lastKey: table?.sequence,
    isInTablesDocument: document !== assembled.document,
    written: plan?.generate === undefined ? rowsOf(name) : writtenRows(schema, plan.rows, storage),
    rowsOf,
  };
}

function unknownTable(name: string, names: readonly string[]): EmulatorError {
  const nearest = didYouMean(name, names);
  const advice =
    nearest === ""
      ? ` Write its columns into the file tables/${name}.json first, such as ${example}.`
      : nearest;
  return new EmulatorError(
    "ERR_TABLE_UNKNOWN",
    `Cannot generate rows of ${showText(name)}: the fixtures have no such table.${advice}`,
  );
}

function planOf(
  name: string,
  document: Readonly<Record<string, unknown>> | undefined,
): TablePlan | undefined {
  const tables = document?.["tables"];
  if (!isObject(tables) || !Object.hasOwn(tables, name)) return undefined;
  // It was read before, so there is nothing to find.
  return planTables(Object.fromEntries([[name, tables[name]]]), new Findings())[0];
}

/** Rows with the keys and defaults that they leave out. */
function writtenRows(
  schema: TableSchema,
  rows: readonly Row[],
  storage: StorageRules,
): readonly Row[] {
  const columns = schema.columns.map((column) => ({ ...column, references: undefined }));
  const alone = { ...schema, columns, foreignKeys: [] };
  const { tables } = loadTables([{ schema: alone, rows }], { storage });
  return tables.get(schema.name)?.rows() ?? [];
}
