import { EmulatorError } from "../errors/emulator-error.ts";
import {
  type LoadOptions,
  type LoadViolation,
  loadTables,
  type TableContents,
} from "./load-tables.ts";
import { showText } from "../errors/show.ts";
import { MemoryTable } from "./memory-table.ts";
import type { TableState } from "./table-state.ts";
import type { Table } from "./table.ts";

/** The rows of all tables at one moment. */
export interface DatabaseSnapshot {
  readonly tables: ReadonlyMap<string, TableState>;
}

/** Tables by name. Their names are exact, and any text may be one. */
export class Database {
  readonly #tables: ReadonlyMap<string, MemoryTable>;
  readonly #others: ReadonlyMap<string, Table>;

  /**
   * Takes tables that were loaded together, and others that keep their rows themselves: those come instead of
   * a table of the same name, and have no part in snapshots.
   */
  constructor(
    tables: ReadonlyMap<string, MemoryTable>,
    others: ReadonlyMap<string, Table> = new Map(),
  ) {
    this.#tables = tables;
    this.#others = others;
  }

  /** Throws an EmulatorError that lists every violation when the contents break a rule. */
  static load(contents: readonly TableContents[], options: LoadOptions = {}): Database {
    const { tables, violations } = loadTables(contents, options);
    if (violations.length > 0) throw contentsError(violations);
    return new Database(tables);
  }

  /** Every rule that the contents break, with table and row. */
  static check(
    contents: readonly TableContents[],
    options: LoadOptions = {},
  ): readonly LoadViolation[] {
    return loadTables(contents, options).violations;
  }

  /**
   * A database of its own with the same rows, made without looking at them, and with the same other tables.
   * `now` is the clock of the fork; default: the one that the tables have.
   */
  fork(options: Pick<LoadOptions, "now"> = {}): Database {
    const tables = new Map<string, MemoryTable>();
    const stateOf = (name: string): TableState | undefined => tables.get(name)?.state;
    for (const [name, table] of this.#tables) tables.set(name, table.fork({ ...options, stateOf }));
    return new Database(tables, this.#others);
  }

  /** A database with the same tables and further ones, which keep their rows themselves. */
  withTables(others: ReadonlyMap<string, Table>): Database {
    return new Database(this.#tables, new Map([...this.#others, ...others]));
  }

  table(name: string): Table | undefined {
    return this.#others.get(name) ?? this.#tables.get(name);
  }

  /** Names of all tables, in the order in which they were given. */
  names(): readonly string[] {
    return [...new Set([...this.#tables.keys(), ...this.#others.keys()])];
  }

  /** The rows as they are now. Later writes do not change it; taking it copies nothing. */
  snapshot(): DatabaseSnapshot {
    return { tables: new Map([...this.#tables].map(([name, table]) => [name, table.snapshot()])) };
  }

  /**
   * Puts all rows back to a snapshot of this database, or of one with the same schemas. Throws an EmulatorError,
   * and changes nothing, for one of other tables.
   */
  restore(snapshot: DatabaseSnapshot): void {
    const difference = this.#differenceFrom(snapshot);
    if (difference !== undefined) {
      throw new EmulatorError(
        "ERR_OPTION_INVALID",
        `Cannot restore the tables: the snapshot ${difference}. Restore only what a snapshot of this emulator gave.`,
      );
    }
    for (const [name, table] of this.#tables) {
      const state = snapshot.tables.get(name);
      if (state !== undefined) table.restore(state);
    }
  }

  /** What makes a snapshot one of other tables than these. */
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
