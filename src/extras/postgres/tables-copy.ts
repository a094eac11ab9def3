import type { Database, DatabaseSnapshot } from "../../core/store/database.ts";
import type { TableState } from "../../core/store/table-state.ts";
import type { PgSession } from "./connection.ts";
import { checkDeclared, type KeptTables } from "./declared-tables.ts";
import type { Head } from "./head.ts";
import { readTables, withRepeatedKeys } from "./read-rows.ts";
import { type TableChange, changesBetween } from "./write-rows.ts";

/** What a write would do. */
export interface JudgedChange<Result> {
  /** Returns the answer, or throws what it threw. */
  readonly give: () => Result;
  readonly after: DatabaseSnapshot;
  readonly changes: readonly TableChange[];
}

/** The rows of all tables in memory, and their version. */
export class TablesCopy {
  readonly #database: Database;
  readonly #kept: KeptTables;
  #seen: Head | undefined;
  /** Settles with the last answer. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(database: Database, kept: KeptTables) {
    this.#database = database;
    this.#kept = kept;
  }

  /** The version of the copy. Undefined: nothing has been read yet. */
  get seen(): Head | undefined {
    return this.#seen;
  }

  /** Whether the copy has this version or a newer one. False if the schema itself is older than the `asked` version. */
  isCurrent(newest: Head, asked: Head | undefined): boolean {
    const seen = this.#seen;
    if (seen === undefined || seen.id !== newest.id || seen.version < newest.version) return false;
    return asked === undefined || newest.version >= asked.version;
  }

  /** Reads what others wrote. Resolves to the number of those rows. */
  async pull(session: PgSession, head: Head): Promise<number> {
    const since = this.#seen;
    if (since?.id === head.id && since.version === head.version) return 0;
    if (since !== undefined && since.id !== head.id) {
      // The schema was dropped and created again.
      await checkDeclared(session, this.#kept);
    }
    const now = this.#database.snapshot().tables;
    const known = new Map(
      this.#kept.tables.flatMap((table) => {
        const state = now.get(table.name);
        return state === undefined ? [] : [[table, state] as const];
      }),
    );
    const { states, changes } = await readTables(session, known, { since, head });
    this.adopt(states, head);
    return changes;
  }

  /** Replaces the states of some tables, and sets the version. */
  adopt(states: ReadonlyMap<string, TableState>, head: Head): void {
    const all = new Map([...this.#database.snapshot().tables, ...states]);
    for (const [name, table] of all) all.set(name, withRepeatedKeys(table));
    this.#database.restore({ tables: all });
    this.#seen = head;
  }

  /** Answers from the copy as it is, one after the other, so that none sees uncommitted writes of another. */
  answer<Result>(answer: () => Promise<Result>): Promise<Result> {
    const answered = this.#last.then(answer);
    this.#last = answered.catch(() => undefined);
    return answered;
  }

  /** Lets an answer write to the copy, then undoes what it wrote. Does not reject. */
  judge<Result>(answer: () => Promise<Result>): Promise<JudgedChange<Result>> {
    return this.answer(async () => {
      const before = this.#database.snapshot();
      try {
        const result = await answer();
        const after = this.#database.snapshot();
        return {
          give: () => result,
          after,
          changes: changesBetween(this.#kept.tables, before, after),
        };
      } catch (error) {
        const give = (): never => {
          throw error;
        };
        return { give, after: before, changes: [] };
      } finally {
        this.#database.restore(before);
      }
    });
  }
}
