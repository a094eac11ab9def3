import { EmulatorError, invalidOption } from "../errors/emulator-error.ts";
import { showText } from "../errors/show.ts";
import { declaredReferences, referencesOf, ruledReferences } from "./constraints.ts";
import type { Links } from "./linked-write.ts";
import { MemoryTable } from "./memory-table.ts";
import { schemaViolations } from "./schema-check.ts";
import type { TableSchema } from "./schema.ts";
import type { RowBudget } from "./row-budget.ts";
import { type StorageRules, sqliteStorage, strictStorage } from "./storage-rules.ts";
import { type TableState, emptyState } from "./table-state.ts";
import type { Table } from "./table.ts";
import type { Row, RowId } from "./value.ts";
import type { Violation } from "./violation.ts";

/** The rows of all tables at one moment. */
export interface DatabaseSnapshot {
  readonly tables: ReadonlyMap<string, TableState>;
}

/** Tables by name. Names are exact and may be any text. */
export class Database {
  readonly #tables: ReadonlyMap<string, MemoryTable>;
  readonly #others: ReadonlyMap<string, Table>;

  /**
   * Takes tables that were loaded together, and tables that keep their own rows: the latter replace tables of the
   * same name and are not part of snapshots.
   */
  constructor(
    tables: ReadonlyMap<string, MemoryTable>,
    others: ReadonlyMap<string, Table> = new Map(),
  ) {
    this.#tables = tables;
    this.#others = others;
  }

  /** Throws an EmulatorError that lists every violation when the contents break a rule. */
  static load(contents: readonly TableContents[], options: DatabaseOptions = {}): Database {
    const { tables, violations } = loadTables(contents, options);
    if (violations.length > 0) throw contentsError(violations);
    return new Database(tables);
  }

  /** Every rule that the contents break, with table and row. */
  static check(
    contents: readonly TableContents[],
    options: DatabaseOptions = {},
  ): readonly LoadViolation[] {
    return loadTables(contents, options).violations;
  }

  /**
   * An independent database with the same rows, made without visiting them, and the same other tables. `now` is the
   * fork's clock, and `budget` counts its rows; default: the tables' own.
   */
  fork(options: { readonly now?: () => number; readonly budget?: RowBudget } = {}): Database {
    const tables = new Map<string, MemoryTable>();
    const links = linksOf(tables);
    for (const [name, table] of this.#tables) tables.set(name, table.fork({ ...options, links }));
    return new Database(tables, this.#others);
  }

  /** A database with the same tables, and further ones that keep their own rows. */
  withTables(others: ReadonlyMap<string, Table>): Database {
    return new Database(this.#tables, new Map([...this.#others, ...others]));
  }

  table(name: string): Table | undefined {
    return this.#others.get(name) ?? this.#tables.get(name);
  }

  /** Names of all tables, in the given order. */
  names(): readonly string[] {
    return [...new Set([...this.#tables.keys(), ...this.#others.keys()])];
  }

  /** The rows as they are until the next write. */
  peek(): DatabaseSnapshot {
    return { tables: new Map([...this.#tables].map(([name, table]) => [name, table.state])) };
  }

  /** The current rows. Later writes do not change the snapshot, and taking it copies nothing. */
  snapshot(): DatabaseSnapshot {
    return { tables: new Map([...this.#tables].map(([name, table]) => [name, table.snapshot()])) };
  }

  /**
   * Restores all rows from a snapshot of this database, or of one with the same schemas. For other snapshots it
   * throws an EmulatorError and changes nothing.
   */
  restore(snapshot: DatabaseSnapshot): void {
    const difference = this.#differenceFrom(snapshot);
    if (difference !== undefined) {
      throw invalidOption(
        `Cannot restore the tables: the snapshot ${difference}. Restore only snapshots of this emulator.`,
      );
    }
    for (const [name, table] of this.#tables) {
      const state = snapshot.tables.get(name);
      if (state !== undefined) table.restore(state);
    }
  }

  /** How a snapshot's tables differ from these. */
  #differenceFrom({ tables }: DatabaseSnapshot): string | undefined {
    for (const name of tables.keys()) {
      if (!this.#tables.has(name)) return `has a table ${showText(name)}, which is not here`;
    }
    for (const [name, table] of this.#tables) {
      const state = tables.get(name);
      if (state === undefined) return `has no table ${showText(name)}`;
      if (!table.canRestore(state)) return `has other columns or constraints in ${showText(name)}`;
    }
    return undefined;
  }
}

function contentsError(violations: readonly LoadViolation[]): EmulatorError {
  const problems = violations.map(({ table, row, message }) => ({
    message: `${row === undefined ? `Table "${table}"` : `Table "${table}", row ${row}`}: ${message}`,
  }));
  const [first] = problems;
  const more = problems.length - 1;
  const others = more > 0 ? ` There ${more === 1 ? "is" : "are"} ${more} more.` : "";
  return new EmulatorError(
    "ERR_FIXTURES_INVALID",
    `Cannot load the tables: ${first?.message ?? "they break a rule."}${others} Correct the rows or the schema.`,
    { problems },
  );
}

/** A table to make: its schema and its initial rows. */
export interface TableContents {
  readonly schema: TableSchema;
  readonly rows: readonly Row[];
  /**
   * Whether the rows come from a database: complete, and with values in stored form. Then types and foreign keys are
   * not checked, since the database may not have checked them either. Default: false.
   */
  readonly asStored?: boolean;
  /** The largest key of the past: generated keys are larger, even after deletes. */
  readonly lastGeneratedKey?: RowId | undefined;
}

export interface DatabaseOptions {
  /** The storage rules. Default: columns accept only values of their own type. */
  readonly storage?: StorageRules;
  /** Unix time in milliseconds, for defaults that are the time of the insert. Default: always 0. */
  readonly now?: () => number;
}

/** A rule that the contents of a table break. */
export interface LoadViolation extends Violation {
  readonly table: string;
  /** The row's index in the table, from 0; undefined when the schema is wrong. */
  readonly row: number | undefined;
}

export interface LoadedTables {
  readonly tables: ReadonlyMap<string, MemoryTable>;
  /** Why rows were left out: every rule that one of them breaks. */
  readonly violations: readonly LoadViolation[];
}

/** Makes tables and fills them. Rows may refer to each other in any order. */
export function loadTables(
  contents: readonly TableContents[],
  { storage = strictStorage, now = () => 0 }: DatabaseOptions = {},
): LoadedTables {
  const schemas = contents.map(({ schema }) => schema);
  const contradictions = contents.flatMap(({ schema, asStored = false }) =>
    // The defaults of a database follow SQLite's rules.
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
  const stored: { readonly load: Load; readonly rows: readonly IndexedRow[] }[] = [];
  for (const load of loads) stored.push({ load, rows: fill(load, violations) });
  const incomplete = new Set(violations.map(({ table }) => table));
  for (const { load, rows } of stored) {
    for (const { index, row } of rows) {
      for (const violation of load.table.missingReferences(row)) {
        // A row that was left out is reported already, so references to it are not.
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

/** Loading stops after this many violations. */
const mostViolations = 1_000;

interface IndexedRow {
  readonly index: number;
  readonly row: Row;
}

/** Fills a table. Returns the rows whose references must be checked when all tables are full. */
function fill(
  { table, schema, rows, asStored = false, lastGeneratedKey }: Load,
  violations: LoadViolation[],
): readonly IndexedRow[] {
  const refers = !asStored && declaredReferences(schema).length > 0;
  const all = asStored ? undefined : table.loadAll(rows);
  if (lastGeneratedKey !== undefined) table.reserveId(lastGeneratedKey);
  if (all !== undefined) return refers ? all.map((row, index) => ({ index, row })) : [];
  const stored: IndexedRow[] = [];
  for (const [index, given] of rows.entries()) {
    const result = asStored ? table.loadStored(given) : table.load(given);
    if (!result.ok) violations.push(...result.violations.map((found) => at(schema, index, found)));
    else if (refers) stored.push({ index, row: result.row });
    // Nobody reads more violations than these, and finding all could take seconds.
    if (violations.length >= mostViolations) break;
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
  { storage, now }: Required<DatabaseOptions>,
): ReadonlyMap<string, MemoryTable> {
  const all = ruledReferences(schemas, storage);
  const tables = new Map<string, MemoryTable>();
  const links = linksOf(tables);
  for (const schema of schemas) {
    const references = referencesOf(schema.name, all);
    const state = emptyState(schema, storage);
    tables.set(schema.name, new MemoryTable(state, { references, links, now }));
  }
  return tables;
}

/** Tables by name, looked up on each use, since some are created later. */
function linksOf(tables: ReadonlyMap<string, MemoryTable>): Links {
  return {
    tableOf: (name) => tables.get(name)?.linked,
    stateOf: (name) => tables.get(name)?.state,
  };
}
