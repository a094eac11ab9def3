import { EmulatorError } from "../errors/emulator-error.ts";
import { type FitPolicy, strictFit } from "./fit.ts";
import { type LoadViolation, loadTables, type TableContents } from "./load-tables.ts";
import type { TableState } from "./table-state.ts";
import type { Table } from "./table.ts";

/** The rows of all tables at one moment. */
export interface DatabaseSnapshot {
  readonly tables: ReadonlyMap<string, TableState>;
}

/** Tables by name. Their names are exact, and any text may be one. */
export class Database {
  readonly #tables: ReadonlyMap<string, Table>;
  readonly #fit: FitPolicy;

  /** Takes tables that were loaded together under this policy. */
  constructor(tables: ReadonlyMap<string, Table>, fit: FitPolicy = strictFit) {
    this.#tables = tables;
    this.#fit = fit;
  }

  /** Throws an EmulatorError that lists every violation when the contents break a rule. */
  static load(contents: readonly TableContents[], fit: FitPolicy = strictFit): Database {
    const { tables, violations } = loadTables(contents, fit);
    if (violations.length > 0) throw contentsError(violations);
    return new Database(tables, fit);
  }

  /** Every rule that the contents break, with table and row. */
  static check(
    contents: readonly TableContents[],
    fit: FitPolicy = strictFit,
  ): readonly LoadViolation[] {
    return loadTables(contents, fit).violations;
  }

  /** A database of its own with the same rows. Nothing is copied until one of the two is written to. */
  fork(): Database {
    const contents = [...this.#tables.values()].map(({ schema }) => ({ schema, rows: [] }));
    const fork = Database.load(contents, this.#fit);
    fork.restore(this.snapshot());
    return fork;
  }

  table(name: string): Table | undefined {
    return this.#tables.get(name);
  }

  /** Names of all tables, in the order in which they were given. */
  names(): readonly string[] {
    return [...this.#tables.keys()];
  }

  /** The rows as they are now. Later writes do not change it; taking it copies nothing. */
  snapshot(): DatabaseSnapshot {
    return { tables: new Map([...this.#tables].map(([name, table]) => [name, table.snapshot()])) };
  }

  /** Puts all rows back to a snapshot of this database, or of one with the same schemas. */
  restore(snapshot: DatabaseSnapshot): void {
    for (const [name, table] of this.#tables) {
      const state = snapshot.tables.get(name);
      if (state !== undefined) table.restore(state);
    }
  }
}

function contentsError(violations: readonly LoadViolation[]): EmulatorError {
  const problems = violations.map(({ table, row, message }) => ({
    message: `${row === undefined ? `Table "${table}"` : `Table "${table}", row ${row}`}: ${message}`,
  }));
  const [first] = problems;
  const others = problems.length > 1 ? ` There are ${problems.length - 1} more.` : "";
  return new EmulatorError(
    "ERR_FIXTURES_INVALID",
    `Cannot load the tables: ${first?.message ?? "they break a rule."}${others} Correct the rows or the schema.`,
    { problems },
  );
}
