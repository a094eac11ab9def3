import { AsyncLocalStorage } from "node:async_hooks";
import type { TableState } from "../../core/store/table-state.ts";
import type { TablesAddress } from "./address.ts";
import { DatabaseFailure, type TablesEvents } from "./failures.ts";
import type { Head } from "./head.ts";
import type { StoredTable } from "./stored-table.ts";

/** A table as it was when it could be read. */
export interface LastRead {
  readonly state: TableState;
  /** The version that it had then. Undefined: it is to be read as a whole. */
  readonly since: Head | undefined;
}

interface UnreadableTable extends LastRead {
  /** What stands in the copy. */
  readonly watched: TableState;
  readonly failure: DatabaseFailure;
}

/** What an answer looked at. */
export interface Look {
  /** A table that cannot be read. Undefined: the answer holds. */
  table: StoredTable | undefined;
}

/**
 * Tables that cannot be read as they are now. The copy has them as they were before, and an answer that looks at those
 * rows does not count. So only what needs such a table is refused.
 */
export class UnreadableTables {
  readonly #address: TablesAddress;
  readonly #events: TablesEvents;
  readonly #tables = new Map<StoredTable, UnreadableTable>();
  #isTold = false;
  readonly #looks = new AsyncLocalStorage<Look>();

  constructor(address: TablesAddress, events: TablesEvents) {
    this.#address = address;
    this.#events = events;
  }

  get size(): number {
    return this.#tables.size;
  }

  /** Those that cannot be read, as they were before. */
  entries(): readonly (readonly [StoredTable, LastRead])[] {
    return [...this.#tables];
  }

  has(table: StoredTable): boolean {
    return this.#tables.has(table);
  }

  /** The rows of one of them as they were before. */
  lastRead(table: StoredTable): TableState | undefined {
    return this.#tables.get(table)?.state;
  }

  /** Puts a table aside, or keeps it there, for a reason. Gives what the copy has in its place. */
  put(table: StoredTable, last: LastRead, reason: Error): TableState {
    const failure = new DatabaseFailure(reason, this.#address);
    const known = this.#tables.get(table);
    const watched = known?.watched ?? this.#watch(table, last.state);
    this.#tables.set(table, { ...last, watched, failure });
    if (known === undefined && this.#isTold) this.#events.lost?.(failure.message);
    return watched;
  }

  /** Tells from now on, and gives what there is to tell of until now. */
  begin(): readonly string[] {
    this.#isTold = true;
    return [...this.#tables.values()].map(({ failure }) => failure.message);
  }

  /** A table can be read again, or has other rows now. */
  remove(table: StoredTable): void {
    if (this.#tables.delete(table)) this.#events.found?.(table.name);
  }

  /** Whether this stands in the copy for a table that cannot be read. */
  isWatched(state: TableState): boolean {
    return [...this.#tables.values()].some(({ watched }) => watched === state);
  }

  /** One of them. */
  first(): StoredTable | undefined {
    const [first] = this.#tables.keys();
    return first;
  }

  /** Throws the `DatabaseFailure` that says why a table cannot be read, where that is so. */
  refuse(table: StoredTable | undefined): void {
    const failure = table === undefined ? undefined : this.#tables.get(table)?.failure;
    if (failure !== undefined) throw failure;
  }

  /** Answers, and notes where the answer looks at what cannot be read. */
  answer<Result>(look: Look, answer: () => Promise<Result>): Promise<Result> {
    return this.#tables.size === 0 ? answer() : this.#looks.run(look, answer);
  }

  #watch(table: StoredTable, state: TableState): TableState {
    return new Proxy(state, {
      get: (target, property) => {
        const value: unknown = Reflect.get(target, property, target);
        // What the table is declared as is known all the same.
        if (property === "layout") return value;
        const look = this.#looks.getStore();
        if (look !== undefined) look.table = table;
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  }
}
