import { EmulatorError, invalidOption } from "../../core/errors/emulator-error.ts";
import type { Database } from "../../core/store/database.ts";
import type { TablesAddress } from "./address.ts";
import {
  type Connection,
  type PgSession,
  answerMs,
  connectPool,
  transactSoon,
  within,
} from "./connection.ts";
import { createTables } from "./create-schema.ts";
import { checkDeclared, storedTables } from "./declared-tables.ts";
import { DatabaseFailure, Outage, type TablesEvents, isBug } from "./failures.ts";
import { type Head, hasState, lockSchema, readHead, lockHead } from "./head.ts";
import { type JudgedChange, TablesCopy } from "./tables-copy.ts";
import { countedRows, forgetOldChanges, writeChanges } from "./write-rows.ts";
import { setTimeout as delay } from "node:timers/promises";

/** What a beginning found. */
export interface TablesStart {
  /** Whether the schema was made now, out of the fixtures. Else its rows are those that were there. */
  readonly isNew: boolean;
  readonly schema: string;
  readonly shown: string;
}

/** Ends a transaction that changed nothing. */
const nothingToKeep = new Error("Nothing changed.");

const graceMs = 1_000;

/** After so many changed rows there may be more of them than are kept. */
const manyRows = 10_000;

/**
 * Tables whose rows are in PostgreSQL, where several processes share them. Each has a copy in memory, which answers;
 * before it does, it is brought up to date. A write is judged on the copy while no other process can write, and holds
 * once PostgreSQL has it.
 */
export class PostgresTables {
  readonly #address: TablesAddress;
  readonly #connection: Connection;
  readonly #outage: Outage;
  readonly #newest: SharedQuery<{ readonly head: Head; readonly asked: Head | undefined }>;
  /** How many rows changed since old changes were forgotten. Nobody knows at first. */
  #changedRows = manyRows;
  #copied: TablesCopy | undefined;
  /** Whether anybody may have asked for something that is under way. */
  #isServing = false;
  /** What is done with the copy goes one after the other. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(address: TablesAddress, events: TablesEvents) {
    this.#address = address;
    this.#connection = connectPool(address);
    this.#outage = new Outage(address, events);
    this.#newest = new SharedQuery(async () => {
      const asked = this.#copied?.seen;
      return { head: await within(answerMs, readHead(this.#connection)), asked };
    });
  }

  /**
   * Makes the schema out of a database's rows, or takes the rows that are there. From then on the database is the copy.
   * Rejects with an EmulatorError, and changes nothing then.
   */
  async begin(database: Database, profile: string): Promise<TablesStart> {
    const address = this.#address;
    const { schema, shown } = address;
    const tables = storedTables(database);
    try {
      // Two that begin at once would both make it.
      const lock = (session: PgSession): Promise<unknown> => lockSchema(session, schema);
      const made = await transactSoon(this.#connection, lock, async (session) => {
        if (!(await hasState(session, schema))) {
          return createTables(session, database, { address, tables, profile });
        }
        await checkDeclared(session, { address, profile, tables });
        return undefined;
      });
      const copy = new TablesCopy(database, { address, tables });
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

  /** Answers out of a copy that has whatever was written before. Rejects where PostgreSQL does not answer. */
  async read<Result>(answer: () => Promise<Result>): Promise<Result> {
    const { head, asked } = await this.#outage.reaching(() => this.#newest.ask());
    if (!this.#copy().isCurrent(head, asked)) {
      await this.#inTurn(() => this.#catchUp(head, asked));
    }
    this.#outage.reached();
    return this.#copy().answer(answer);
  }

  /**
   * Answers while nobody else writes. What the answer did to the rows holds when this resolves; where it rejects,
   * nothing does.
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
          // A row that is deleted and added anew is noted twice.
          this.#changedRows += 2 * countedRows(changes);
        }).catch((error: unknown) => {
          if (error !== nothingToKeep) throw error;
        }),
      );
      const { head, judged } = write;
      if (head === undefined || judged === undefined) throw new Error("Nothing was judged.");
      this.#outage.reached();
      if (judged.changes.length > 0) copy.adopt(judged.after.tables, head);
      this.#forgetOld();
      return judged.give();
    });
  }

  /** What to tell a client where an error says that PostgreSQL failed. Undefined: it says something else. */
  unreachable(error: unknown): string | undefined {
    return error instanceof DatabaseFailure ? error.reply : undefined;
  }

  /** Ends all connections, once what is under way is over, for which it does not wait long. */
  async close(): Promise<void> {
    const closed = this.#last.catch(ignore).then(() => this.#connection.destroy());
    // Nobody misses what a start did until now.
    if (!this.#isServing) return void closed.catch(ignore);
    await Promise.race([closed.catch(ignore), delay(graceMs, undefined, { ref: false })]);
  }

  /** Brings the copy up to date, unless it is so by now. */
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
    this.#forgetOld();
  }

  /** Has PostgreSQL forget old changes where there may be many. Nobody waits for it. */
  #forgetOld(): void {
    if (this.#changedRows < manyRows) return;
    this.#changedRows = 0;
    void forgetOldChanges(this.#connection).catch(ignore);
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
 * Asks for all who want to know at the same time at once. Nobody gets an answer to a question that was asked before they
 * came: that could be out of date.
 */
export class SharedQuery<Answer> {
  readonly #ask: () => Promise<Answer>;
  /** Settles when the question that is on its way is answered. */
  #running: Promise<unknown> = Promise.resolve();
  #next: Promise<Answer> | undefined;

  constructor(ask: () => Promise<Answer>) {
    this.#ask = ask;
  }

  ask(): Promise<Answer> {
    this.#next ??= this.#running.then(() => {
      this.#next = undefined;
      const answer = this.#ask();
      this.#running = answer.catch(ignore);
      return answer;
    });
    return this.#next;
  }
}
