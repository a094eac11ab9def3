import type { GivenRow, Row, Value } from "../../core/store/value.ts";
import type { CollectionSnapshot, ForeignTable } from "../../core/emulator/foreign-tables.ts";
import type { Query, QueryPlan } from "../../core/store/query.ts";
import type { TableSchema } from "../../core/store/schema.ts";
import type { StorageRules } from "../../core/store/storage-rules.ts";
import type { WriteResult } from "../../core/store/table.ts";
import { putBack, recordRow, takeSnapshot } from "./records.ts";
import type { CollectionSource, LiveCollection } from "./collection.ts";
import { recordByKey, scan } from "./scan.ts";
import { type ServedCollection, serveCollection } from "./relations.ts";
import { shapeReader, type TableDeclaration, type TableShape } from "./table-shape.ts";
import {
  type WriteContext,
  changeRecord,
  deleteRecord,
  inTurn,
  insertRecord,
} from "./write-record.ts";

/**
 * A user's collection of `@msw/data` as a table. Nothing is kept here: reads look at the records that there
 * are, writes go through the collection's own methods, one after the other.
 */
export class CollectionTable implements ForeignTable {
  /** A bigint that is given arrives in the record as one, also where a number would hold it. */
  readonly takesBigints = true;
  readonly #source: CollectionSource;
  readonly #declaration: TableDeclaration;
  readonly #shape: () => TableShape;

  constructor(source: CollectionSource, declaration: TableDeclaration) {
    this.#source = source;
    this.#declaration = declaration;
    this.#shape = shapeReader(source, declaration);
    serveCollection(source.collection, () => this.#served());
  }

  /** The same collection, served by other rules. */
  under(storage: StorageRules): CollectionTable {
    return new CollectionTable(this.#source, { ...this.#declaration, storage });
  }

  get schema(): TableSchema {
    return this.#shape().layout.schema;
  }

  get size(): number {
    return this.#collection.all().length;
  }

  /** The columns that the declaration, the collection's schema or its records tell. Empty: none yet. */
  knownColumns(): readonly string[] {
    return this.#shape().seen;
  }

  rows(): readonly Row[] {
    return this.select({ where: [] });
  }

  get(key: readonly Value[]): Row | undefined {
    const { layout } = this.#shape();
    const record = recordByKey(this.#source, layout, key);
    return record === undefined ? undefined : recordRow(layout, record);
  }

  select(query: Query): readonly Row[] {
    const { layout } = this.#shape();
    return scan(layout, this.#collection.all(), query).map((record) => recordRow(layout, record));
  }

  explain({ where, sort }: Query): QueryPlan {
    const isSorted = sort !== undefined && sort.by.length > 0;
    return {
      access: { by: "scan" },
      candidates: this.size,
      tests: where,
      order: isSorted ? "sorted" : "as found",
    };
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
    return takeSnapshot(this.#collection);
  }

  restore(snapshot: CollectionSnapshot): void {
    putBack(this.#collection, snapshot);
  }

  #served(): ServedCollection {
    const { layout } = this.#shape();
    const { name, primaryKey } = layout.schema;
    return {
      name,
      primaryKey,
      recordByKey: (key) => recordByKey(this.#source, layout, key),
    };
  }

  get #collection(): LiveCollection {
    return this.#source.collection;
  }

  #write(
    write: (context: WriteContext) => Promise<WriteResult> | WriteResult,
  ): Promise<WriteResult> {
    const context = { source: this.#source, shape: this.#shape };
    return inTurn(this.#collection, () => write(context));
  }
}
