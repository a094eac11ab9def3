import { bulkLoad } from "./bulk-load.ts";
import { schemaFromRow } from "./infer-columns.ts";
import { rowByKey } from "./key-lookup.ts";
import { nextRowId } from "./next-row-id.ts";
import type { QueryPlan } from "./query-plan.ts";
import type { Query } from "./query.ts";
import {
  danglingReferences,
  missingReferences,
  type References,
  type StateOf,
} from "./references.ts";
import {
  defaultValue,
  type DraftOptions,
  draftRow,
  givenRowId,
  type GivenRow,
  missingDeclaredValues,
} from "./row-draft.ts";
import type { RowId } from "./row-id.ts";
import type { Row } from "./row.ts";
import type { TableSchema } from "./schema.ts";
import { explainQuery, selectRows } from "./select.ts";
import { makeRow, rowIdName, rowIdOf } from "./table-layout.ts";
import { emptyState, type RowChange, type StoredRow, type TableState } from "./table-state.ts";
import type { Table, WriteResult } from "./table.ts";
import { integerValue, type Value } from "./value.ts";
import { notUnique, rowMissing, type Violation } from "./violation.ts";

export interface MemoryTableOptions {
  readonly references: References;
  /** The other tables, to judge references by. */
  readonly stateOf: StateOf;
  /** Unix time in milliseconds, for defaults that are the time of the insert. */
  readonly now: () => number;
}

/** The table of this store: rows in memory, found by indexes, and kept in versions that cost nothing. */
export class MemoryTable implements Table {
  readonly #options: MemoryTableOptions;
  #state: TableState;
  /** Whether a snapshot holds the state too; then the next write works on a fork. */
  #shared = false;

  constructor(state: TableState, options: MemoryTableOptions) {
    this.#options = options;
    this.#state = state;
  }

  get schema(): TableSchema {
    return this.#state.layout.schema;
  }

  get size(): number {
    return this.#state.rows.size;
  }

  get sequence(): RowId | undefined {
    const { largestId } = this.#state;
    if (this.schema.autoIncrement !== true || largestId === undefined) return undefined;
    return largestId < 0 ? 0 : largestId;
  }

  /** The rows as they are now, to look at and not to change. */
  get state(): TableState {
    return this.#state;
  }

  rows(): readonly Row[] {
    return this.select({ where: [] });
  }

  get(key: readonly Value[]): Row | undefined {
    return this.#locate(key)?.row;
  }

  select(query: Query): readonly Row[] {
    return selectRows(this.#state, query);
  }

  explain(query: Query): QueryPlan {
    return explainQuery(this.#state, query);
  }

  insert(given: GivenRow): WriteResult {
    return this.#insert(given, this.#options.references);
  }

  replace(key: readonly Value[], given: GivenRow): WriteResult {
    return this.#change(key, given, (before) => (column) => {
      const { layout } = this.#state;
      if (layout.isKeyColumn(column.name)) return before[column.name] ?? null;
      return defaultValue(column, { storage: layout.storage, now: this.#options.now });
    });
  }

  update(key: readonly Value[], changes: GivenRow): WriteResult {
    return this.#change(key, changes, (before) => (column) => before[column.name] ?? null);
  }

  delete(key: readonly Value[]): WriteResult {
    const before = this.#locate(key);
    if (before === undefined) return this.#missing(key);
    return this.#write({ before, after: undefined }, { known: [], row: before.row });
  }

  /** The table as it is now, for `restore`. Later writes do not change it. */
  snapshot(): TableState {
    this.#shared = true;
    return this.#state;
  }

  /** A table of its own with the same rows, among other tables, made without looking at them. */
  fork(options: { readonly stateOf: StateOf; readonly now?: () => number }): MemoryTable {
    const fork = new MemoryTable(this.#state, { ...this.#options, ...options });
    fork.restore(this.snapshot());
    return fork;
  }

  restore(snapshot: TableState): void {
    this.#shared = true;
    this.#state = snapshot;
  }

  /**
   * Fills an empty table at once, when no row breaks a rule of its own. Gives the rows in the order in which
   * they were given; undefined, and nothing is changed, when they must be loaded one by one.
   */
  loadAll(given: readonly GivenRow[]): readonly Row[] | undefined {
    const { layout } = this.#state;
    if (this.size > 0 || layout.columnNames.length === 0) return undefined;
    const bulk = bulkLoad(layout, given, this.#options.now);
    if (bulk === undefined) return undefined;
    this.#state = bulk.state;
    this.#shared = false;
    return bulk.rows;
  }

  /** As `insert`, but may refer to rows that come later; `missingReferences` tells which never came. */
  load(given: GivenRow): WriteResult {
    return this.#insert(given, noReferences);
  }

  /** Adds a row whose values are in stored form already. Only uniqueness and NOT NULL are judged. */
  loadStored(given: Row): WriteResult {
    const { layout } = this.#state;
    const values = layout.columnNames.map((name) =>
      Object.hasOwn(given, name) ? (given[name] ?? null) : null,
    );
    return this.#insert(given, noReferences, makeRow(layout, values));
  }

  /** Keeps generated keys above this one. */
  reserveId(id: RowId): void {
    this.#ownState().reserveId(id);
  }

  /** What a row refers to in vain. */
  missingReferences(row: Row): readonly Violation[] {
    const { references, stateOf } = this.#options;
    return missingReferences(row, references.outgoing, { stateOf, replaced: undefined });
  }

  #locate(key: readonly Value[]): StoredRow | undefined {
    return rowByKey(this.#state, key);
  }

  #missing(key: readonly Value[]): WriteResult {
    return { ok: false, violations: [rowMissing(this.schema.primaryKey, key)] };
  }

  /** `stored` is the complete row where it needs no checks of its values. */
  #insert(given: GivenRow, references: References, stored?: Row): WriteResult {
    const previous = { state: this.#state, shared: this.#shared };
    this.#adoptColumns(given);
    const { layout } = this.#state;
    const context = { storage: layout.storage, now: this.#options.now };
    const newId = once(() => nextRowId(this.#state));
    const draft =
      stored === undefined
        ? draftRow(layout, given, {
            fallback: (column) =>
              column.name === layout.rowIdColumn
                ? rowIdValue(newId())
                : defaultValue(column, context),
            generatesRowId: true,
            previous: undefined,
          })
        : { row: stored, violations: missingDeclaredValues(layout, stored) };
    const id = this.#rowId(draft.row, given) ?? newId();
    const change = { before: undefined, after: { id, row: draft.row } };
    const result = this.#write(change, { known: draft.violations, row: draft.row, references });
    if (!result.ok) {
      this.#state = previous.state;
      this.#shared = previous.shared;
    }
    return result;
  }

  /** An empty table that was declared without columns takes those of its first row. */
  #adoptColumns(given: GivenRow): void {
    const { schema, storage } = this.#state.layout;
    if (schema.columns.length > 0 || this.size > 0) return;
    this.#state = emptyState(schemaFromRow(schema.name, given), storage);
    this.#shared = false;
  }

  #change(
    key: readonly Value[],
    given: GivenRow,
    fallbackFor: (before: Row) => DraftOptions["fallback"],
  ): WriteResult {
    const before = this.#locate(key);
    if (before === undefined) return this.#missing(key);
    const draft = draftRow(this.#state.layout, given, {
      fallback: fallbackFor(before.row),
      generatesRowId: false,
      previous: before.row,
    });
    const after = { id: this.#rowId(draft.row, given) ?? before.id, row: draft.row };
    return this.#write({ before, after }, { known: draft.violations, row: draft.row });
  }

  /** The row id that a row has by its integer primary key, or by what was given as its `rowid`. */
  #rowId(row: Row, given: GivenRow): RowId | undefined {
    const { layout } = this.#state;
    if (layout.rowIdColumn === undefined) return givenRowId(layout, given);
    return rowIdOf(row[layout.rowIdColumn] ?? null);
  }

  /** Makes a change unless something forbids it, and says what does. */
  #write(
    change: RowChange,
    options: {
      /** What was found wrong before. */
      readonly known: readonly Violation[];
      /** What is given back when nothing is wrong. */
      readonly row: Row;
      readonly references?: References;
    },
  ): WriteResult {
    const { known, row, references = this.#options.references } = options;
    const violations = [
      ...known,
      ...this.#takenValues(change),
      ...this.#broken(change, references),
    ];
    if (violations.length > 0) return { ok: false, violations };
    this.#ownState().commit(change);
    return { ok: true, row };
  }

  #broken(change: RowChange, { outgoing, incoming }: References): readonly Violation[] {
    const { stateOf } = this.#options;
    const { before, after } = change;
    const dangling = incoming.length === 0 ? [] : danglingReferences(change, incoming, stateOf);
    if (after === undefined || outgoing.length === 0) return dangling;
    const context = { stateOf, replaced: before?.id };
    return [...missingReferences(after.row, outgoing, context), ...dangling];
  }

  #takenValues({ before, after }: RowChange): readonly Violation[] {
    if (after === undefined) return [];
    const taken: Violation[] = [];
    const { layout, uniques } = this.#state;
    if (after.id !== before?.id && this.#state.row(after.id) !== undefined) {
      const name = layout.rowIdColumn ?? rowIdName;
      taken.push(notUnique([name], [rowIdValue(after.id)], name === layout.rowIdColumn));
    }
    for (const [at, index] of uniques.entries()) {
      const key = index.keyOf(after.row);
      if (key === null || index.otherThan(key, before?.id) === undefined) continue;
      const { columns } = index.definition;
      const values = columns.map((column) => after.row[column] ?? null);
      taken.push(notUnique(columns, values, layout.uniqueKeys[at]?.isKey === true));
    }
    return taken;
  }

  #ownState(): TableState {
    if (this.#shared) {
      this.#state = this.#state.fork();
      this.#shared = false;
    }
    return this.#state;
  }
}

const noReferences: References = { outgoing: [], incoming: [] };

/** The value of a row id in the column that shows it. */
function rowIdValue(id: RowId): Value {
  return typeof id === "bigint" ? integerValue(id) : id;
}

function once<T extends RowId>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
