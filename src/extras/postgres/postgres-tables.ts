import { EmulatorError } from "../../core/errors/emulator-error.ts";
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
import { type Alteration, checkDeclared, storedTables } from "./declared-tables.ts";
import { DatabaseFailure, Outage, type TablesEvents, isBug, isOfAltering } from "./failures.ts";
import { type Head, hasState, lockSchema, readHead, takeTurn } from "./head.ts";
import { type AnswerScope, CopyAnswers, type JudgedChange, TablesCopy } from "./tables-copy.ts";
import { UnreadableTables } from "./unreadable-tables.ts";
import {
  ChangeCount,
  type TableChange,
  prune,
  pruneBeside,
  countedRows,
  writeChanges,
} from "./write-rows.ts";
import { setTimeout as delay } from "node:timers/promises";

/** What a beginning found. */
export interface TablesBeginning {
  /** Whether the schema was made now, out of the fixtures. Else its rows are those that were there. */
  readonly isNew: boolean;
  readonly schema: string;
  readonly shown: string;
  /** What to tell of tables that cannot be read. */
  readonly lost: readonly string[];
}

/** Ends a transaction that changed nothing. */
const nothingToKeep = new Error("Nothing changed.");

const patienceMs = 1_000;

/**
 * Tables whose rows are in PostgreSQL, where several processes share them. Each has a copy in memory, which answers;
 * before it does, it is brought up to date. A write is judged on the copy while no other process can write, and holds
 * once PostgreSQL has it.
 */
export class PostgresTables {
  readonly #address: TablesAddress;
  readonly #connection: Connection;
  readonly #outage: Outage;
  readonly #unreadable: UnreadableTables;
  readonly #newest: SharedQuestion<{ readonly head: Head; readonly asked: Head | undefined }>;
  readonly #answers: CopyAnswers;
  readonly #noted = new ChangeCount();
  #copied: TablesCopy | undefined;
  /** Whether anybody may have asked for something that is under way. */
  #isServing = false;
  /** What is done with the copy goes one after the other. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(address: TablesAddress, events: TablesEvents) {
    this.#address = address;
    this.#connection = connectPool(address);
    this.#outage = new Outage(address, events);
    this.#unreadable = new UnreadableTables(address, events);
    this.#answers = new CopyAnswers(this.#unreadable);
    this.#newest = new SharedQuestion(async () => {
      const asked = this.#copied?.seen;
      return { head: await within(answerMs, readHead(this.#connection)), asked };
    });
  }

  /**
   * Makes the schema out of a database's rows, or takes the rows that are there. From then on the database is the copy.
   * Rejects with an EmulatorError, and changes nothing then.
   */
  async begin(database: Database, profile: string): Promise<TablesBeginning> {
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
      const copy = new TablesCopy(database, { address, tables, unreadable: this.#unreadable });
      this.#copied = copy;
      if (made === undefined) await this.#inTurn(() => this.#catchUp());
      else copy.adopt(new Map(), made);
      this.#outage.begin();
      this.#isServing = true;
      return { isNew: made !== undefined, schema, shown, lost: this.#unreadable.begin() };
    } catch (error) {
      if (error instanceof EmulatorError || isBug(error)) throw error;
      const failure =
        error instanceof DatabaseFailure ? error : new DatabaseFailure(error, address);
      const message = `Cannot start. ${failure.message}`;
      throw new EmulatorError("ERR_OPTION_INVALID", message, { cause: error });
    }
  }

  /** Answers out of a copy that has whatever was written before. Rejects where PostgreSQL does not answer. */
  async read<Result>(
    answer: () => Promise<Result>,
    scope: AnswerScope = "what is asked",
  ): Promise<Result> {
    const { head, asked } = await this.#outage.reaching(() => this.#newest.ask());
    if (!this.#copy().isCurrent(head, asked)) {
      await this.#inTurn(() => this.#catchUp(head, asked));
    }
    this.#outage.reached();
    const answered = await this.#answers.read(answer, scope);
    if (answered.unreadable === undefined) return answered.result;
    // It may have been mended by ALTER TABLE, which makes no version.
    await this.#inTurn(() => this.#catchUp());
    this.#unreadable.refuse(answered.unreadable);
    return this.read(answer, scope);
  }

  /**
   * Answers while nobody else writes. What the answer did to the rows holds when this resolves; where it rejects,
   * nothing does.
   */
  write<Result>(
    answer: () => Promise<Result>,
    scope: AnswerScope = "what is asked",
  ): Promise<Result> {
    return this.#inTurn(async () => {
      const copy = this.#copy();
      const write: { head?: Head; judged?: JudgedChange<Result> } = {};
      await this.#reaching(
        () =>
          transactSoon(this.#connection, takeTurn, async (session, turn) => {
            write.head = turn;
            this.#noted.add(await copy.pull(session, { ...turn, version: turn.version - 1 }));
            write.judged = await this.#answers.judge(copy, answer, scope);
            await this.#keep(session, write.judged.changes, turn);
          }).catch((error: unknown) => {
            if (error !== nothingToKeep) throw error;
          }),
        () => write.judged === undefined,
      );
      const { head, judged } = write;
      if (head === undefined || judged === undefined) throw new Error("Nothing was judged.");
      this.#outage.reached();
      if (judged.changes.length > 0) copy.adopt(judged.after.tables, head);
      // For the next one, as a read does.
      if (judged.unreadable !== undefined) await this.#catchUp();
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
    await Promise.race([closed.catch(ignore), delay(patienceMs, undefined, { ref: false })]);
  }

  /** Has PostgreSQL keep what a write did. Throws where that is nothing. */
  async #keep(session: PgSession, changes: readonly TableChange[], turn: Head): Promise<void> {
    if (changes.length === 0) throw nothingToKeep;
    await writeChanges(session, changes);
    // A row that is deleted and added anew is noted twice.
    this.#noted.add(2 * countedRows(changes));
    if (!this.#noted.isDue(turn)) return;
    await prune(session, turn.version);
    this.#noted.reset();
  }

  /** Brings the copy up to date, unless it is so by now. */
  async #catchUp(newest?: Head, asked?: Head): Promise<void> {
    const copy = this.#copy();
    if (newest !== undefined && copy.isCurrent(newest, asked)) return;
    const head = await this.#reaching(() =>
      this.#connection
        .transaction()
        .setIsolationLevel("repeatable read")
        .setAccessMode("read only")
        .execute(async (session) => {
          const now = await readHead(session);
          this.#noted.add(await copy.pull(session, now, newest === undefined));
          return now;
        }),
    );
    if (!this.#noted.isDue(head)) return;
    this.#noted.reset();
    // Other programs may be all that write. Nobody waits for it.
    const count = (isDone: boolean): void => {
      if (!isDone) this.#noted.add(Infinity);
    };
    void pruneBeside(this.#connection).then(count, ignore);
  }

  /** Asks for rows; once more, without those that somebody altered, where it is they that cannot be asked for. */
  #reaching<Result>(
    ask: () => Promise<Result>,
    mayAskAgain: () => boolean = () => true,
  ): Promise<Result> {
    return this.#outage.reaching(async () => {
      try {
        return await ask();
      } catch (error) {
        if (!isOfAltering(error)) throw error;
        const copy = this.#copy();
        const altered = await within(answerMs, copy.altered(this.#connection)).catch(() => none);
        const [table] = copy.putAltered(altered);
        if (table !== undefined && mayAskAgain()) return ask();
        this.#unreadable.refuse(table);
        throw error;
      }
    });
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

const none: ReadonlyMap<string, Alteration> = new Map();

function ignore(): void {}

/**
 * Asks for all who want to know at the same time at once. Nobody gets an answer to a question that was asked before they
 * came: that could be out of date.
 */
export class SharedQuestion<Answer> {
  readonly #ask: () => Promise<Answer>;
  /** Settles when the question that is on its way is answered. */
  #running: Promise<void> | undefined;
  #next: Promise<Answer> | undefined;

  constructor(ask: () => Promise<Answer>) {
    this.#ask = ask;
  }

  ask(): Promise<Answer> {
    if (this.#running === undefined) return this.#start();
    this.#next ??= this.#running.then(() => {
      this.#next = undefined;
      return this.#start();
    });
    return this.#next;
  }

  #start(): Promise<Answer> {
    const answer = this.#ask();
    const over = (): void => {
      if (this.#running === running) this.#running = undefined;
    };
    const running = answer.then(over, over);
    this.#running = running;
    return answer;
  }
}
