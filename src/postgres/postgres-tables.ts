import { setTimeout as delay } from "node:timers/promises";
import { EmulatorError } from "../errors/emulator-error.ts";
import { isPromise, type MaybePromise } from "../http/maybe-promise.ts";
import type { Database, DatabaseSnapshot } from "../store/database.ts";
import type { TableState } from "../store/table-state.ts";
import type { TablesAddress } from "./address.ts";
import { alterationOf } from "./altered-tables.ts";
import { connect, type Connection, type Session } from "./connection.ts";
import { createSchema, createTriggers } from "./create-schema.ts";
import { checkDeclared, declarationOf, storedTables } from "./declared-tables.ts";
import { refuseForeignTables } from "./foreign-tables.ts";
import type { Head } from "./own-tables.ts";
import { isLong, prune, pruneBeside } from "./prune-changes.ts";
import { hasState, lockSchema, profileOf, readHead, takeTurn } from "./read-head.ts";
import { readTables } from "./read-rows.ts";
import { SharedQuestion } from "./shared-question.ts";
import type { StoredTable } from "./stored-table.ts";
import { codeOf, DatabaseFailure, isBug } from "./unreachable.ts";
import { alteredTable, UnreadableValue } from "./unreadable-value.ts";
import { Deadline, within } from "./deadline.ts";
import {
  changeOf,
  insertRows,
  rowsOf,
  setLargestId,
  type TableChange,
  writeChanges,
} from "./write-rows.ts";

/** Told of what happens to the connection. */
export interface TablesEvents {
  /** The rows cannot be had, and not because of one request alone. Once, until they can. */
  readonly lost?: (message: string) => void;
  readonly found?: () => void;
}

/** What a beginning found. */
export interface TablesBeginning {
  /** Whether the schema was made now, out of the fixtures. Else its rows are those that were there. */
  readonly isNew: boolean;
  readonly schema: string;
  readonly shown: string;
}

/** What a write would do. */
interface Judged<Result> {
  /** Gives the answer, or throws what it threw. */
  readonly give: () => Result;
  readonly after: DatabaseSnapshot;
  readonly changes: readonly TableChange[];
}

/** Ends a transaction that changed nothing. */
const nothingToKeep = new Error("Nothing changed.");

const patienceMs = 1_000;

/** Who waits longer for the newest version, or for a turn, is told that PostgreSQL does not answer. */
const answerMs = 5_000;
const turnMs = 8_000;

/**
 * Tables whose rows are in PostgreSQL, where several processes share them. Each has a copy in memory, which answers;
 * before it does, it is brought up to date. A write is judged on the copy while no other process can write, and holds
 * once PostgreSQL has it.
 */
export class PostgresTables {
  readonly #address: TablesAddress;
  readonly #events: TablesEvents;
  readonly #connection: Connection;
  readonly #newest: SharedQuestion<{ readonly head: Head; readonly asked: Head | undefined }>;
  #database: Database | undefined;
  #tables: readonly StoredTable[] = [];
  /** The version of the copy. */
  #seen: Head | undefined;
  /** What is done with the copy goes one after the other. */
  #last: Promise<unknown> = Promise.resolve();
  /** While a write is judged, the copy has what nobody has agreed to yet. */
  #judging: Promise<unknown> | undefined;
  #isLost = false;

  constructor(address: TablesAddress, events: TablesEvents) {
    this.#address = address;
    this.#events = events;
    this.#connection = connect(address);
    this.#newest = new SharedQuestion(async () => {
      const asked = this.#seen;
      return { head: await within(answerMs, readHead(this.#connection)), asked };
    });
  }

  /**
   * Makes the schema out of a database's rows, or takes the rows that are there. From then on the database is the copy.
   * Rejects with an EmulatorError, and changes nothing then.
   */
  async begin(database: Database, profile: string): Promise<TablesBeginning> {
    const { schema, shown } = this.#address;
    const tables = storedTables(database);
    try {
      // Two that begin at once would both make it.
      const lock = (session: Session): Promise<unknown> => lockSchema(session, schema);
      const isNew = await this.#transactSoon(lock, async (session) => {
        const isThere = await hasState(session, schema);
        if (isThere) await checkDeclared(session, { address: this.#address, profile, tables });
        else await this.#create(session, database, { tables, profile });
        return !isThere;
      });
      this.#database = database;
      this.#tables = tables;
      if (!isNew) await this.#inTurn(() => this.#catchUp());
      return { isNew, schema, shown };
    } catch (error) {
      if (error instanceof EmulatorError || isBug(error)) throw error;
      const { message } = error instanceof DatabaseFailure ? error : this.#failure(error);
      throw new EmulatorError("ERR_OPTION_INVALID", `Cannot start. ${message}`, { cause: error });
    }
  }

  async #create(
    session: Session,
    database: Database,
    { tables, profile }: { readonly tables: readonly StoredTable[]; readonly profile: string },
  ): Promise<void> {
    const { schema } = this.#address;
    await refuseForeignTables(session, this.#address, tables);
    const plan = { schema, profile, tables, declared: declarationOf };
    this.#seen = await createSchema(session, plan);
    const states = database.snapshot().tables;
    for (const table of tables) {
      const state = states.get(table.name);
      if (state === undefined) continue;
      await insertRows(session, table, rowsOf(state));
      if (table.keepsLargestId) await setLargestId(session, table, state.largestId);
    }
    await createTriggers(session, plan);
  }

  /** Answers out of a copy that has whatever was written before. Rejects where PostgreSQL does not answer. */
  async read<Result extends object>(answer: () => MaybePromise<Result>): Promise<Result> {
    const { head, asked } = await this.#reaching(() => this.#newest.ask());
    if (!isCurrent(this.#seen, head, asked)) await this.#inTurn(() => this.#catchUp(head, asked));
    this.#reached();
    while (this.#judging !== undefined) await this.#judging;
    return answer();
  }

  /**
   * Answers while nobody else writes. What the answer did to the rows holds when this resolves; where it rejects,
   * nothing does.
   */
  write<Result extends object>(answer: () => MaybePromise<Result>): Promise<Result> {
    return this.#inTurn(async () => {
      const write: { head?: Head; judged?: Judged<Result> } = {};
      await this.#transact(async (session, turn) => {
        write.head = turn;
        const isMuch = await this.#pull(session, { ...turn, version: turn.version - 1 });
        write.judged = await this.#judge(answer);
        const { changes } = write.judged;
        if (changes.length === 0) throw nothingToKeep;
        await writeChanges(session, changes);
        if (isMuch || isLong(turn) || rowsIn(changes) > manyRows) {
          await prune(session, turn.version);
        }
      });
      const { head, judged } = write;
      if (head === undefined || judged === undefined) throw new Error("Nothing was judged.");
      this.#reached();
      if (judged.changes.length > 0) this.#adopt(judged.after.tables, head);
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
    await Promise.race([closed.catch(ignore), delay(patienceMs, undefined, { ref: false })]);
  }

  /** Acts once nobody else writes. */
  async #transact(act: (session: Session, turn: Head) => Promise<void>): Promise<void> {
    await this.#reaching(() =>
      this.#transactSoon(takeTurn, act).catch((error: unknown) => {
        if (error !== nothingToKeep) throw error;
      }),
    );
  }

  /** Acts once something is taken. Who waits too long for that does not act at all. */
  #transactSoon<Taken, Result>(
    take: (session: Session) => Promise<Taken>,
    act: (session: Session, taken: Taken) => Promise<Result>,
  ): Promise<Result> {
    const turn = new Deadline(turnMs);
    const acted = this.#connection.transaction().execute(async (session) => {
      const taken = await take(session);
      turn.meet();
      return act(session, taken);
    });
    return turn.race(acted);
  }

  /** Has an answer write to the copy, and takes back what it wrote. It does not reject. */
  async #judge<Result extends object>(answer: () => MaybePromise<Result>): Promise<Judged<Result>> {
    const database = this.#copy();
    const before = database.snapshot();
    try {
      const answered = answer();
      // No other answer comes between, unless this one takes its time.
      if (isPromise(answered)) this.#judging = answered.then(ignore, ignore);
      const result = isPromise(answered) ? await answered : answered;
      const after = database.snapshot();
      return { give: () => result, after, changes: this.#changes(before, after) };
    } catch (error) {
      const give = (): never => {
        throw error;
      };
      return { give, after: before, changes: [] };
    } finally {
      database.restore(before);
      this.#judging = undefined;
    }
  }

  #changes(before: DatabaseSnapshot, after: DatabaseSnapshot): readonly TableChange[] {
    return this.#tables.flatMap((table) => {
      const old = before.tables.get(table.name);
      const now = after.tables.get(table.name);
      if (old === undefined || now === undefined || old === now) return [];
      return changeOf(table, old, now) ?? [];
    });
  }

  /** Brings the copy up to date, unless it is so by now. */
  async #catchUp(newest?: Head, asked?: Head): Promise<void> {
    if (newest !== undefined && isCurrent(this.#seen, newest, asked)) return;
    const isMuch = await this.#reaching(() =>
      this.#connection
        .transaction()
        .setIsolationLevel("repeatable read")
        .setAccessMode("read only")
        .execute(async (session) => {
          const head = await readHead(session);
          return (await this.#pull(session, head)) || isLong(head);
        }),
    );
    // Other programs may be all that write. Nobody waits for it.
    if (isMuch) void pruneBeside(this.#connection).catch(ignore);
  }

  /** Takes over what others wrote, and gives whether that was much. */
  async #pull(session: Session, head: Head): Promise<boolean> {
    const since = this.#seen;
    if (since?.id === head.id && since.version === head.version) return false;
    const { address, tables } = { address: this.#address, tables: this.#tables };
    if (since !== undefined && since.id !== head.id) {
      // The schema was dropped and made anew.
      await checkDeclared(session, { address, profile: await profileOf(session), tables });
    }
    const states = this.#copy().snapshot().tables;
    const known = new Map(
      tables.flatMap((table) => {
        const state = states.get(table.name);
        return state === undefined ? [] : [[table, state] as const];
      }),
    );
    const { states: read, isMuch } = await readTables(session, known, { since, head });
    this.#adopt(read, head);
    return isMuch;
  }

  #adopt(states: ReadonlyMap<string, TableState>, head: Head): void {
    const database = this.#copy();
    const { tables } = database.snapshot();
    database.restore({ tables: new Map([...tables, ...states]) });
    this.#seen = head;
  }

  #copy(): Database {
    if (this.#database === undefined) throw new Error("The tables have not begun.");
    return this.#database;
  }

  #inTurn<Result>(act: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(act);
    this.#last = result.catch(ignore);
    return result;
  }

  /** Asks PostgreSQL, and tells when it is lost. */
  async #reaching<Result>(ask: () => Promise<Result>): Promise<Result> {
    try {
      return await ask();
    } catch (error) {
      if (isBug(error)) throw error;
      throw this.#failure(await this.#explained(error));
    }
  }

  /** The copy is up to date. */
  #reached(): void {
    if (!this.#isLost) return;
    this.#isLost = false;
    this.#events.found?.();
  }

  /** Finds out whether a failure comes of a table that somebody altered. */
  async #explained(error: unknown): Promise<unknown> {
    if (!(error instanceof UnreadableValue) && !ofAltering.has(codeOf(error) ?? "")) return error;
    const { schema } = this.#address;
    try {
      const found = alterationOf(this.#connection, schema, this.#tables);
      const difference = await within(answerMs, found);
      return difference === undefined ? error : alteredTable(difference);
    } catch {
      // The first failure says more.
      return error;
    }
  }

  #failure(error: unknown): DatabaseFailure {
    const failure = new DatabaseFailure(error, this.#address);
    if (failure.isLasting && !this.#isLost && this.#database !== undefined) {
      this.#isLost = true;
      this.#events.lost?.(failure.message);
    }
    return failure;
  }
}

/** The server's errors where a table or a column is gone, or of another type. */
const ofAltering: ReadonlySet<string> = new Set(["42P01", "42703", "42804", "42883", "22P02"]);

/** A write of so many rows leaves as many changes. */
const manyRows = 10_000;

function rowsIn(changes: readonly TableChange[]): number {
  return changes.reduce((sum, { rows }) => sum + rows.size, 0);
}

/** Whether a copy has all that was there when somebody asked. It may be newer, but not where the schema went back. */
function isCurrent(seen: Head | undefined, newest: Head, asked: Head | undefined): boolean {
  if (seen === undefined || seen.id !== newest.id || seen.version < newest.version) return false;
  return asked === undefined || newest.version >= asked.version;
}

function ignore(): void {}
