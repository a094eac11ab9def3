import { isPromise, type MaybePromise } from "../../core/http/maybe-promise.ts";
import type { DatabaseSnapshot } from "../../core/store/database.ts";
import type { StoredTable } from "./stored-table.ts";
import type { TablesCopy } from "./tables-copy.ts";
import type { Look, UnreadableTables } from "./unreadable-tables.ts";
import type { TableChange } from "./write-rows.ts";

/** What an answer is made of: tables that it looks at, or all there are. */
export type AnswerScope = "what is asked" | "all tables";

/** An answer that holds, or the table that it would need and that cannot be read. */
export type Answered<Result> =
  | { readonly result: Result; readonly unreadable: undefined }
  | { readonly unreadable: StoredTable };

/** What a write would do. */
export interface Judged<Result> {
  /** Gives the answer, or throws what it threw. */
  readonly give: () => Result;
  readonly after: DatabaseSnapshot;
  readonly changes: readonly TableChange[];
  /** A table that it would have needed and that cannot be read. */
  readonly unreadable: StoredTable | undefined;
}

/** Has answers made of the copy, of which none sees what another one has only tried to write. */
export class CopyAnswers {
  readonly #unreadable: UnreadableTables;
  /** While a write is judged, the copy has what nobody has agreed to yet. */
  #judging: Promise<unknown> | undefined;

  constructor(unreadable: UnreadableTables) {
    this.#unreadable = unreadable;
  }

  /** Answers out of the copy as it is. */
  async read<Result extends object>(
    answer: () => MaybePromise<Result>,
    scope: AnswerScope,
  ): Promise<Answered<Result>> {
    while (this.#judging !== undefined) await this.#judging;
    const look = this.#lookAt(scope);
    if (look.table !== undefined) return { unreadable: look.table };
    const result = await this.#unreadable.answer(look, answer);
    return look.table === undefined
      ? { result, unreadable: undefined }
      : { unreadable: look.table };
  }

  /** Has an answer write to the copy, and takes back what it wrote. It does not reject. */
  async judge<Result extends object>(
    copy: TablesCopy,
    answer: () => MaybePromise<Result>,
    scope: AnswerScope,
  ): Promise<Judged<Result>> {
    const { database } = copy;
    const before = database.snapshot();
    const look = this.#lookAt(scope);
    try {
      this.#unreadable.refuse(look.table);
      const answered = this.#unreadable.answer(look, answer);
      // No other answer comes between, unless this one takes its time.
      if (isPromise(answered)) this.#judging = answered.then(ignore, ignore);
      const result = isPromise(answered) ? await answered : answered;
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
      this.#judging = undefined;
    }
  }

  #lookAt(scope: AnswerScope): Look {
    return { table: scope === "all tables" ? this.#unreadable.first() : undefined };
  }
}

function ignore(): void {}
