import type { Database, DatabaseSnapshot } from "../../core/store/database.ts";
import type { TableState } from "../../core/store/table-state.ts";
import type { TablesAddress } from "./address.ts";
import type { PgSession } from "./connection.ts";
import { type Alteration, alterationsOf, checkDeclared } from "./declared-tables.ts";
import { UnreadableValue, alteredTable } from "./failures.ts";
import { type Head, profileOf } from "./head.ts";
import { type ChangedTables, readTableAgain, readTables } from "./read-rows.ts";
import type { StoredTable } from "./stored-table.ts";
import type { LastRead, Look, UnreadableTables } from "./unreadable-tables.ts";
import { type TableChange, changeOf, replacementOf } from "./write-rows.ts";

/** What a copy is of. */
interface CopyOrigin {
  readonly address: TablesAddress;
  readonly tables: readonly StoredTable[];
  readonly unreadable: UnreadableTables;
}

/** The rows of all tables in memory, and the version that they are of. */
export class TablesCopy {
  readonly database: Database;
  readonly #origin: CopyOrigin;
  #seen: Head | undefined;

  constructor(database: Database, origin: CopyOrigin) {
    this.database = database;
    this.#origin = origin;
  }

  /** The version of the copy. Undefined: nothing was read yet. */
  get seen(): Head | undefined {
    return this.#seen;
  }

  /** Whether it has all that was there when somebody asked. It may be newer, but not where the schema went back. */
  isCurrent(newest: Head, asked: Head | undefined): boolean {
    const seen = this.#seen;
    if (seen === undefined || seen.id !== newest.id || seen.version < newest.version) return false;
    return asked === undefined || newest.version >= asked.version;
  }

  /**
   * Takes over what others wrote, and gives how many rows that were. Tables that could not be read are tried again
   * where they changed, and all of them where that is wanted.
   */
  async pull(session: PgSession, head: Head, triesAll = false): Promise<number> {
    const { address, tables, unreadable } = this.#origin;
    const since = this.#seen;
    if (since !== undefined && since.id !== head.id) {
      // The schema was dropped and made anew.
      await checkDeclared(session, { address, profile: await profileOf(session), tables });
    }
    const before = unreadable.entries();
    let changes = 0;
    let tried = triesAll ? before : [];
    if (since?.id !== head.id || since.version !== head.version) {
      const { states, unreadable: failed, changed, ...read } = await this.#readNew(session, head);
      await this.#putFailed(session, failed);
      this.adopt(states, head);
      changes = read.changes;
      if (!triesAll) tried = before.filter(([{ name }]) => changed?.has(name) !== false);
    }
    if (tried.length > 0) this.adopt(await this.#readAgain(session, head, tried), head);
    return changes;
  }

  /** Has these states for the tables that they are of, and is of this version from now on. */
  adopt(states: ReadonlyMap<string, TableState>, head: Head): void {
    const { tables, unreadable } = this.#origin;
    const before = this.database.snapshot().tables;
    this.database.restore({ tables: new Map([...before, ...states]) });
    this.#seen = head;
    for (const table of tables) {
      const state = states.get(table.name);
      if (state !== undefined && !unreadable.isWatched(state)) unreadable.remove(table);
    }
  }

  /** What was written between two moments. */
  changes(before: DatabaseSnapshot, after: DatabaseSnapshot): readonly TableChange[] {
    const { tables, unreadable } = this.#origin;
    return tables.flatMap((table) => {
      const old = before.tables.get(table.name);
      const now = after.tables.get(table.name);
      if (old === undefined || now === undefined || old === now) return [];
      if (unreadable.has(table)) return [replacementOf(table, now)];
      return changeOf(table, old, now) ?? [];
    });
  }

  /** The tables that somebody altered. */
  altered(session: PgSession): Promise<ReadonlyMap<string, Alteration>> {
    const { address, tables } = this.#origin;
    return alterationsOf(session, address.schema, tables);
  }

  /** Puts altered tables aside, and gives those that were not. */
  putAltered(altered: ReadonlyMap<string, Alteration>): readonly StoredTable[] {
    const { tables, unreadable } = this.#origin;
    return tables.filter((table) => {
      const alteration = altered.get(table.name);
      if (alteration === undefined || unreadable.has(table)) return false;
      const reason = alteredTable(alteration.difference);
      this.#put(table, { since: undefined, reason });
      return true;
    });
  }

  /** Reads all tables but those that could not be read before. */
  #readNew(session: PgSession, head: Head): Promise<ChangedTables> {
    const { tables, unreadable } = this.#origin;
    const now = this.database.snapshot().tables;
    const known = new Map(
      tables.flatMap((table) => {
        const state = now.get(table.name);
        return state === undefined || unreadable.has(table) ? [] : [[table, state] as const];
      }),
    );
    const names = new Set(tables.map(({ name }) => name));
    return readTables(session, known, { since: this.#seen, head, names });
  }

  /** Puts aside what could not be read. */
  async #putFailed(session: PgSession, failed: ChangedTables["unreadable"]): Promise<void> {
    if (failed.size === 0) return;
    const { schema } = this.#origin.address;
    const altered = await alterationsOf(session, schema, [...failed.keys()]);
    for (const [table, error] of failed) {
      this.#put(table, { since: this.#seen, reason: reasonOf(error, altered.get(table.name)) });
    }
  }

  /** Reads tables that could not be read before, as far as they can be by now. */
  async #readAgain(
    session: PgSession,
    head: Head,
    tried: readonly (readonly [StoredTable, LastRead])[],
  ): Promise<ReadonlyMap<string, TableState>> {
    const states = new Map<string, TableState>();
    const { schema } = this.#origin.address;
    const tables = tried.map(([table]) => table);
    const altered = await alterationsOf(session, schema, tables);
    for (const [table, { state, since }] of tried) {
      const alteration = altered.get(table.name);
      if (alteration?.isGone === true) {
        // Rows come back without a change that anybody noted.
        this.#put(table, { since: undefined, reason: alteredTable(alteration.difference) });
        continue;
      }
      const read = await readTableAgain(session, table, { before: state, since, head });
      if (!(read instanceof UnreadableValue)) states.set(table.name, read);
      else this.#put(table, { since, reason: reasonOf(read, alteration) });
    }
    return states;
  }

  #put(
    table: StoredTable,
    { since, reason }: { readonly since: Head | undefined; readonly reason: Error },
  ): void {
    const { unreadable } = this.#origin;
    const now = this.database.snapshot().tables;
    const state = unreadable.lastRead(table) ?? now.get(table.name);
    if (state === undefined) return;
    const watched = unreadable.put(table, { state, since }, reason);
    this.database.restore({ tables: new Map([...now, [table.name, watched]]) });
  }
}

/** What of a failure to tell: the value, or what somebody did to the table. */
function reasonOf(error: UnreadableValue, alteration: Alteration | undefined): UnreadableValue {
  return alteration === undefined ? error : alteredTable(alteration.difference);
}

/** What an answer is made of: tables that it looks at, or all there are. */
export type AnswerScope = "what is asked" | "all tables";

/** An answer that holds, or the table that it would need and that cannot be read. */
type Answered<Result> =
  | { readonly result: Result; readonly unreadable: undefined }
  | { readonly unreadable: StoredTable };

/** What a write would do. */
export interface JudgedChange<Result> {
  /** Gives the answer, or throws what it threw. */
  readonly give: () => Result;
  readonly after: DatabaseSnapshot;
  readonly changes: readonly TableChange[];
  /** A table that it would have needed and that cannot be read. */
  readonly unreadable: StoredTable | undefined;
}

/** Has answers made of the copy, one after the other: none sees what another one has only tried to write. */
export class CopyAnswers {
  readonly #unreadable: UnreadableTables;
  /** Settles when the last answer is there. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(unreadable: UnreadableTables) {
    this.#unreadable = unreadable;
  }

  /** Answers out of the copy as it is. */
  read<Result>(answer: () => Promise<Result>, scope: AnswerScope): Promise<Answered<Result>> {
    return this.#inTurn(async () => {
      const look = this.#lookAt(scope);
      if (look.table !== undefined) return { unreadable: look.table };
      const result = await this.#unreadable.answer(look, answer);
      return look.table === undefined
        ? { result, unreadable: undefined }
        : { unreadable: look.table };
    });
  }

  /** Has an answer write to the copy, and takes back what it wrote. It does not reject. */
  judge<Result>(
    copy: TablesCopy,
    answer: () => Promise<Result>,
    scope: AnswerScope,
  ): Promise<JudgedChange<Result>> {
    return this.#inTurn(async () => {
      const { database } = copy;
      const before = database.snapshot();
      const look = this.#lookAt(scope);
      try {
        this.#unreadable.refuse(look.table);
        const result = await this.#unreadable.answer(look, answer);
        this.#unreadable.refuse(look.table);
        const after = database.snapshot();
        const changes = copy.changes(before, after);
        return { give: () => result, after, changes, unreadable: undefined };
      } catch (error) {
        const give = (): never => {
          throw error;
        };
        return { give, after: before, changes: [], unreadable: look.table };
      } finally {
        database.restore(before);
      }
    });
  }

  #inTurn<Result>(answer: () => Promise<Result>): Promise<Result> {
    const answered = this.#last.then(answer);
    this.#last = answered.catch(() => undefined);
    return answered;
  }

  #lookAt(scope: AnswerScope): Look {
    return { table: scope === "all tables" ? this.#unreadable.first() : undefined };
  }
}
