import type { GuestTable } from "../../core/emulator/sockets/guest-tables.ts";
import type { Query, QueryPlan, WriteResult } from "../../core/store/table.ts";
import type { TableSchema } from "../../core/store/schema.ts";
import { explainQuery, selectRows } from "../../core/store/select.ts";
import type { StorageRules } from "../../core/store/storage-rules.ts";
import { type TableState, rowByKey } from "../../core/store/table-state.ts";
import type { GivenRow, Row, Value } from "../../core/store/value.ts";
import { type CollectionSource, describedColumns } from "./collection.ts";
import { CollectionSnapshot, restoreRecords, takeSnapshot } from "./records.ts";
import { type TableDeclaration, type TableShape, loadRecords, shapeOf } from "./table-shape.ts";
import {
  type WriteContext,
  changeRecord,
  deleteRecord,
  oneAtATime,
  insertRecord,
} from "./write-record.ts";

/**
 * A user's collection of `@msw/data` as a table. It keeps no rows: a read loads the current records into the store's
 * engine, and writes go through the collection's own methods, one after the other.
 */
export class CollectionTable implements GuestTable {
  /** Whether a bigint stays a bigint in the record, even if a number could hold it. */
  readonly takesBigints = true;
  readonly #source: CollectionSource;
  readonly #declaration: TableDeclaration;
  readonly #shape: () => TableShape;

  constructor(source: CollectionSource, declaration: TableDeclaration) {
    this.#source = source;
    this.#declaration = declaration;
    const described = describedColumns(source.schema);
    this.#shape = () => shapeOf(source, declaration, described);
  }

  /** A table of the same collection under other storage rules. */
  under(storage: StorageRules): CollectionTable {
    return new CollectionTable(this.#source, { ...this.#declaration, storage });
  }

  get schema(): TableSchema {
    return this.#shape().layout.schema;
  }

  get size(): number {
    return this.#source.collection.all().length;
  }

  /** The columns of the declaration, else those of the collection's schema and records. Empty: none are known yet. */
  knownColumns(): readonly string[] {
    return this.#shape().seen;
  }

  rows(): readonly Row[] {
    return this.select({ where: [] });
  }

  get(key: readonly Value[]): Row | undefined {
    return rowByKey(this.#load(), key)?.row;
  }

  select(query: Query): readonly Row[] {
    return selectRows(this.#load(), query);
  }

  explain(query: Query): QueryPlan {
    return explainQuery(this.#load(), query);
  }

  insert(given: GivenRow): Promise<WriteResult> {
    return this.#write((context) => insertRecord(context, given));
  }

  replace(key: readonly Value[], given: GivenRow): Promise<WriteResult> {
    return this.#write((context) => changeRecord(context, key, { given, kind: "replace" }));
  }

  update(key: readonly Value[], changes: GivenRow): Promise<WriteResult> {
    return this.#write((context) => changeRecord(context, key, { given: changes, kind: "update" }));
  }

  delete(key: readonly Value[]): Promise<WriteResult> {
    return this.#write((context) => deleteRecord(context, key));
  }

  /** The records as they are now, for `restore`. */
  snapshot(): CollectionSnapshot {
    return takeSnapshot(this.#source.collection);
  }

  restore(snapshot: unknown): void {
    if (!(snapshot instanceof CollectionSnapshot)) throw new Error("It is no snapshot of records.");
    restoreRecords(this.#source.collection, snapshot);
  }

  #load(): TableState {
    return loadRecords(this.#shape().layout, this.#source.collection.all()).state;
  }

  #write(
    write: (context: WriteContext) => Promise<WriteResult> | WriteResult,
  ): Promise<WriteResult> {
    const context = { source: this.#source, shape: this.#shape };
    return oneAtATime(this.#source.collection, () => write(context));
  }
}
