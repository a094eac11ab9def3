import { EmulatorError, invalidOption } from "../../core/errors/emulator-error.ts";
import type { Database, DatabaseSnapshot } from "../../core/store/database.ts";
import type {
  SharedTables,
  SharedTablesAdvice,
} from "../../core/emulator/sockets/shared-tables.ts";
import type { StepAside } from "../../core/http/step-aside.ts";
import type { TablesAddress } from "./address.ts";
import {
  type Connection,
  type PgSession,
  answerMs,
  connectPool,
  transactSoon,
  within,
  type Head,
  hasState,
  lockSchema,
  readHead,
  lockHead,
} from "./connection.ts";
import { createTables, checkDeclared, type KeptTables, storedTables } from "./create-schema.ts";
import { DatabaseFailure, Outage, type TablesEvents, isBug } from "./failures.ts";
import {
  countedRows,
  deleteOldChanges,
  writeChanges,
  type TableChange,
  changesBetween,
} from "./write-rows.ts";
import { setTimeout as delay } from "node:timers/promises";
import type { TableState } from "../../core/store/table-state.ts";
import { readTables, withRepeatedKeys } from "./read-rows.ts";

/** The result of a start. */
export interface TablesStart {
  /** Whether the schema has just been created from the fixtures. An existing schema keeps its own rows. */
  readonly isNew: boolean;
  readonly schema: string;
  readonly shown: string;
}

/** Thrown to end a transaction that changed nothing. */
const nothingToKeep = new Error("Nothing changed.");

const graceMs = 1_000;

/** The number of changed rows after which old changes are deleted. */
const manyRows = 10_000;

/**
 * Tables whose rows several processes share in PostgreSQL. Each process answers from a copy in memory, after it has
 * brought the copy up to date. A write is checked on the copy while no other process can write, and takes effect once
 * PostgreSQL has committed it.
 */
export class PostgresTables implements SharedTables {
  readonly #address: TablesAddress;
  readonly #connection: Connection;
  readonly #outage: Outage;
  readonly #newest = sharedQuery(async () => {
    const asked = this.#copied?.seen;
    return { head: await within(answerMs, readHead(this.#connection)), asked };
  });
  /** How many rows have changed since old changes were deleted. At first this is unknown, so it is high. */
  #changedRows = manyRows;
  readonly advice: SharedTablesAdvice = {
    sessions: "Give each test a schema of its own: the address ends in ?schema=name.",
    imports: "Or keep the tables in memory.",
  };
  #copied: TablesCopy | undefined;
  /** Whether the start is over, so that requests may use the connections. */
  #isServing = false;
  /** The last use of the copy. Uses wait for each other. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(address: TablesAddress, events: TablesEvents) {
    this.#address = address;
    this.#connection = connectPool(address);
    this.#outage = new Outage(address, events);
  }

  /**
   * Creates the schema from a database's rows, or reads the rows of an existing one. From then on the database is the
   * copy. If it rejects with an EmulatorError, nothing has changed.
   */
  async begin(database: Database, profile: string): Promise<TablesStart> {
    const address = this.#address;
    const { schema, shown } = address;
    const kept: KeptTables = { address, profile, tables: storedTables(database) };
    try {
      // Without this lock, two processes that start at once would both create the schema.
      const lock = (session: PgSession): Promise<unknown> => lockSchema(session, schema);
      const made = await transactSoon(this.#connection, lock, async (session) => {
        if (!(await hasState(session, schema))) return createTables(session, database, kept);
        await checkDeclared(session, kept);
        return undefined;
      });
      const copy = new TablesCopy(database, kept);
      this.#copied = copy;
      if (made === undefined) await this.#inTurn(() => this.#catchUp());
      else copy.adopt(new Map(), made);
      this.#outage.begin();
      this.#isServing = true;
      return { isNew: made !== undefined, schema, shown };
    } catch (error) {
      if (error instanceof EmulatorError || isBug(error)) throw error;
      const failure =
        error instanceof DatabaseFailure ? error : new DatabaseFailure(error, address);
      const message = `Cannot start. ${failure.message}`;
      throw invalidOption(message, error);
    }
  }

  /** Answers from a copy that has all earlier writes. Rejects if PostgreSQL does not answer. */
  async read<Result>(answer: (aside: StepAside) => Promise<Result>): Promise<Result> {
    await this.#bringUpToDate();
    return this.#copy().answer((leave) => {
      const aside: StepAside = (wait) =>
        leave(async () => {
          const value = await wait();
          await this.#bringUpToDate();
          return value;
        });
      return answer(aside);
    });
  }

  /** Reads what other processes have written since. Rejects if PostgreSQL does not answer. */
  async #bringUpToDate(): Promise<void> {
    const { head, asked } = await this.#outage.reaching(this.#newest);
    if (!this.#copy().isCurrent(head, asked)) {
      await this.#inTurn(() => this.#catchUp(head, asked));
    }
    this.#outage.reached();
  }

  /**
   * Answers while no one else writes. When this resolves, the answer's changes are committed; if it rejects, none of
   * them is.
   */
  write<Result>(answer: () => Promise<Result>): Promise<Result> {
    return this.#inTurn(async () => {
      const copy = this.#copy();
      const write: { head?: Head; judged?: JudgedChange<Result> } = {};
      await this.#outage.reaching(() =>
        transactSoon(this.#connection, lockHead, async (session, turn) => {
          write.head = turn;
          this.#changedRows += await copy.pull(session, { ...turn, version: turn.version - 1 });
          write.judged = await copy.judge(answer);
          const { changes } = write.judged;
          if (changes.length === 0) throw nothingToKeep;
          await writeChanges(session, changes);
          // A row that is deleted and added again is recorded twice.
          this.#changedRows += 2 * countedRows(changes);
        }).catch((error: unknown) => {
          if (error !== nothingToKeep) throw error;
        }),
      );
      const { head, judged } = write;
      if (head === undefined || judged === undefined) throw new Error("Nothing was judged.");
      this.#outage.reached();
      if (judged.changes.length > 0) copy.adopt(judged.after.tables, head);
      this.#deleteOld();
      return judged.give();
    });
  }

  /** The message for a client if an error is a failure of PostgreSQL, else undefined. */
  unreachable(error: unknown): string | undefined {
    return error instanceof DatabaseFailure ? error.reply : undefined;
  }

  /** Closes all connections, after a short wait for requests that are under way. */
  async close(): Promise<void> {
    const closed = this.#last.catch(ignore).then(() => this.#connection.destroy());
    // A failed start has no results to wait for.
    if (!this.#isServing) return void closed.catch(ignore);
    await Promise.race([closed.catch(ignore), delay(graceMs, undefined, { ref: false })]);
  }

  /** Brings the copy up to date, unless it already is. */
  async #catchUp(newest?: Head, asked?: Head): Promise<void> {
    const copy = this.#copy();
    if (newest !== undefined && copy.isCurrent(newest, asked)) return;
    await this.#outage.reaching(() =>
      this.#connection
        .transaction()
        .setIsolationLevel("repeatable read")
        .setAccessMode("read only")
        .execute(async (session) => {
          this.#changedRows += await copy.pull(session, await readHead(session));
        }),
    );
    this.#deleteOld();
  }

  /** Deletes old changes in the background when there may be many. */
  #deleteOld(): void {
    if (this.#changedRows < manyRows) return;
    this.#changedRows = 0;
    void deleteOldChanges(this.#connection).catch(ignore);
  }

  #copy(): TablesCopy {
    if (this.#copied === undefined) throw new Error("The tables have not begun.");
    return this.#copied;
  }

  #inTurn<Result>(act: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(act);
    this.#last = result.catch(ignore);
    return result;
  }
}

function ignore(): void {}

/**
 * Makes a query that is sent once for all callers that wait at the same time. No caller gets the result of a query that
 * was sent before it called, which could be out of date.
 */
export function sharedQuery<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  /** Settles when the current query settles. */
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<Answer> | undefined;
  return () =>
    (next ??= running.then(() => {
      next = undefined;
      const answer = ask();
      running = answer.catch(ignore);
      return answer;
    }));
}

/** The result of a write that was tried on the copy and undone, before PostgreSQL commits it. */
interface JudgedChange<Result> {
  /** Returns the answer, or throws its error. */
  readonly give: () => Result;
  readonly after: DatabaseSnapshot;
  readonly changes: readonly TableChange[];
}

/** The rows of all tables in memory, and their version. */
class TablesCopy {
  readonly #database: Database;
  readonly #kept: KeptTables;
  #seen: Head | undefined;
  /** Settles when the last answer settles. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(database: Database, kept: KeptTables) {
    this.#database = database;
    this.#kept = kept;
  }

  /** The version of the copy. Undefined: nothing has been read yet. */
  get seen(): Head | undefined {
    return this.#seen;
  }

  /**
   * Whether the copy has this version or a newer one. False if the schema is now older than `asked`, which means that
   * it was created again.
   */
  isCurrent(newest: Head, asked: Head | undefined): boolean {
    const seen = this.#seen;
    if (seen === undefined || seen.id !== newest.id || seen.version < newest.version) return false;
    return asked === undefined || newest.version >= asked.version;
  }

  /** Reads what other processes have written. Resolves to the number of changed rows. */
  async pull(session: PgSession, head: Head): Promise<number> {
    const since = this.#seen;
    if (since?.id === head.id && since.version === head.version) return 0;
    if (since !== undefined && since.id !== head.id) {
      // The schema may have been dropped and created again.
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

  /**
   * Answers from the copy as it is. Answers wait for each other, so that none sees the uncommitted writes of another. An
   * answer that waits for something else leaves the copy to the others meanwhile.
   */
  async answer<Result>(answer: (leave: StepAside) => Promise<Result>): Promise<Result> {
    let release = await this.#enter();
    try {
      return await answer(async (wait) => {
        release();
        try {
          return await wait();
        } finally {
          release = await this.#enter();
        }
      });
    } finally {
      release();
    }
  }

  /** Resolves when it is the caller's turn, to a function that ends the turn. */
  async #enter(): Promise<() => void> {
    const before = this.#last;
    let release = ignore;
    this.#last = new Promise<void>((resolve) => {
      release = resolve;
    });
    await before;
    return release;
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
