import { MemoryTable } from "./memory-table.ts";
import { declaredReferences, type References } from "./references.ts";
import type { Row, RowId } from "./value.ts";
import { ruledReferences } from "./ruled-references.ts";
import { schemaViolations } from "./schema-check.ts";
import type { TableSchema } from "./schema.ts";
import { sqliteStorage, type StorageRules, strictStorage } from "./storage-rules.ts";
import { emptyState } from "./table-state.ts";
import type { Violation } from "./violation.ts";

/** A table to make: its schema and the rows it starts with. */
export interface TableContents {
  readonly schema: TableSchema;
  readonly rows: readonly Row[];
  /**
   * Whether the rows come out of a database, with their values in stored form and every column there. Then
   * types and foreign keys are not judged, as that database may not have done either. Default false.
   */
  readonly asStored?: boolean;
  /** Generated keys are larger than this one, as after rows were deleted. */
  readonly lastGeneratedKey?: RowId | undefined;
}

export interface LoadOptions {
  /** What the tables take. Default: values of the columns' own types only. */
  readonly storage?: StorageRules;
  /** Unix time in milliseconds, for defaults that are the time of the insert. Default: always 0. */
  readonly now?: () => number;
}

/** A rule that the contents of a table break. */
export interface LoadViolation extends Violation {
  readonly table: string;
  /** Counts from 0 in the table's rows; undefined when it is the schema that is wrong. */
  readonly row: number | undefined;
}

export interface LoadedTables {
  readonly tables: ReadonlyMap<string, MemoryTable>;
  /** Rows that break a rule are left out of the tables. */
  readonly violations: readonly LoadViolation[];
}

/** Makes tables and fills them. Rows may refer to each other in any order. */
export function loadTables(
  contents: readonly TableContents[],
  { storage = strictStorage, now = () => 0 }: LoadOptions = {},
): LoadedTables {
  const schemas = contents.map(({ schema }) => schema);
  const contradictions = contents.flatMap(({ schema, asStored = false }) =>
    // The defaults of another database are in its own terms.
    schemaViolations(schema, schemas, asStored ? sqliteStorage : storage).map((found) =>
      at(schema, undefined, found),
    ),
  );
  if (contradictions.length > 0) return { tables: new Map(), violations: contradictions };
  const tables = makeTables(schemas, { storage, now });
  const loads = contents.flatMap((one): readonly Load[] => {
    const table = tables.get(one.schema.name);
    return table === undefined ? [] : [{ ...one, table }];
  });
  const violations: LoadViolation[] = [];
  const stored = loads.map((load) => ({ load, rows: fill(load, violations) }));
  const incomplete = new Set(violations.map(({ table }) => table));
  for (const { load, rows } of stored) {
    for (const { index, row } of rows) {
      for (const violation of load.table.missingReferences(row)) {
        // A row that was left out is no news to those that refer to it.
        if (refersToOneOf(incomplete, load.schema, violation)) continue;
        violations.push(at(load.schema, index, violation));
      }
    }
  }
  return { tables, violations };
}

interface Load extends TableContents {
  readonly table: MemoryTable;
}

/** Fills a table. Gives the rows whose references are to be judged when all tables are full. */
function fill(
  { table, schema, rows, asStored = false, lastGeneratedKey }: Load,
  violations: LoadViolation[],
): readonly { readonly index: number; readonly row: Row }[] {
  const refers = !asStored && declaredReferences(schema).length > 0;
  const all = asStored ? undefined : table.loadAll(rows);
  if (lastGeneratedKey !== undefined) table.reserveId(lastGeneratedKey);
  if (all !== undefined) return refers ? all.map((row, index) => ({ index, row })) : [];
  const stored: { readonly index: number; readonly row: Row }[] = [];
  for (const [index, given] of rows.entries()) {
    const result = asStored ? table.loadStored(given) : table.load(given);
    if (!result.ok) violations.push(...result.violations.map((found) => at(schema, index, found)));
    else if (refers) stored.push({ index, row: result.row });
  }
  return stored;
}

function refersToOneOf(
  tables: ReadonlySet<string>,
  schema: TableSchema,
  violation: Violation,
): boolean {
  return declaredReferences(schema).some(
    ({ columns, to }) =>
      tables.has(to.table) && columns.every((name) => violation.columns.includes(name)),
  );
}

function at(schema: TableSchema, row: number | undefined, violation: Violation): LoadViolation {
  return { ...violation, table: schema.name, row };
}

function makeTables(
  schemas: readonly TableSchema[],
  { storage, now }: Required<LoadOptions>,
): ReadonlyMap<string, MemoryTable> {
  const all = ruledReferences(schemas, storage);
  const tables = new Map<string, MemoryTable>();
  for (const schema of schemas) {
    const references: References = {
      outgoing: all.filter(({ table }) => table === schema.name),
      incoming: all.filter(({ to }) => to.table === schema.name),
    };
    // Looked up when a row is judged: a table may refer to one that is made later.
    const stateOf = (name: string) => tables.get(name)?.state;
    const state = emptyState(schema, storage);
    tables.set(schema.name, new MemoryTable(state, { references, stateOf, now }));
  }
  return tables;
}
