import { type Column, type TableSchema, schemaFromRow } from "./schema.ts";
import {
  type RowChange,
  type StoredRow,
  TableState,
  emptyState,
  nextRowIdOf,
  rowByKey,
} from "./table-state.ts";
import type { Query, QueryPlan, Table, WriteResult } from "./table.ts";
import { type RowBudget, rowSize } from "./row-budget.ts";
import {
  type References,
  brokenReferences,
  missingReferences,
  referencesSetBy,
  rowIdValue,
  takenValues,
} from "./constraints.ts";
import {
  type RowDraftOptions,
  type RowDraft,
  brokenChecks,
  defaultValue,
  draftRow,
  givenRowId,
  missingDeclaredValues,
} from "./row-draft.ts";
import { type LinkedTable, type Links, writeLinked } from "./linked-write.ts";
import { explainQuery, selectRows } from "./select.ts";
import { isSameTable, makeRow, rowIdName, rowIdOf } from "./table-layout.ts";
import type { GivenRow, Row, RowId, Value } from "./value.ts";
import { keysUsedUp, rowMissing, type Violation } from "./violation.ts";
import { bulkLoad } from "./bulk-load.ts";

export interface MemoryTableOptions {
  readonly references: References;
  /** All tables of the database, for checking references and running their actions. */
  readonly links: Links;
  /** Unix time in milliseconds, for defaults that are the time of the insert. */
  readonly now: () => number;
  /** Counts the memory of the rows. Default: it is not counted. */
  readonly budget?: RowBudget | undefined;
}

/** The store's table: rows in memory, found by indexes, with snapshots that copy nothing. */
export class MemoryTable implements Table {
  readonly #options: MemoryTableOptions;
  #state: TableState;
  /** Whether a snapshot shares the state; then the next write works on a fork. */
  #shared = false;
  #linked: LinkedTable | undefined;

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

  get version(): number {
    return this.#state.version;
  }

  get sequence(): RowId | undefined {
    const { largestId } = this.#state;
    if (this.schema.autoIncrement !== true || largestId === undefined) return undefined;
    return largestId < 0 ? 0 : largestId;
  }

  /** The current rows, read-only. */
  get state(): TableState {
    return this.#state;
  }

  /** The table for a write that may change its rows through foreign keys. */
  get linked(): LinkedTable {
    return (this.#linked ??= this.#link());
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
    const fallbackFor = (before: Row) => (column: Column) => {
      const { layout } = this.#state;
      if (layout.isKeyColumn(column.name)) return before[column.name] ?? null;
      return defaultValue(column, { storage: layout.storage, now: this.#options.now });
    };
    return this.#change(key, given, { fallbackFor, references: this.#options.references });
  }

  update(key: readonly Value[], changes: GivenRow): WriteResult {
    const references = referencesSetBy(changes, this.#options.references);
    return this.#change(key, changes, {
      fallbackFor: unchangedIn,
      references,
      sets: (column) => Object.hasOwn(changes, column),
    });
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

  /** An independent table with the same rows, among other tables, made without visiting them. */
  fork(options: Pick<MemoryTableOptions, "links"> & Partial<MemoryTableOptions>): MemoryTable {
    const fork = new MemoryTable(this.#state, { ...this.#options, ...options });
    fork.restore(this.snapshot());
    return fork;
  }

  /** Whether a snapshot is of this table, or of one with the same schema. */
  canRestore({ layout }: TableState): boolean {
    return isSameTable(layout, this.#state.layout);
  }

  restore(snapshot: TableState): void {
    this.#options.budget?.release();
    this.#shared = true;
    this.#state = snapshot;
  }

  /**
   * Fills an empty table at once if no row breaks a rule of its own. Returns the rows in the given order; undefined,
   * with nothing changed, if they must be loaded one by one.
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

  /** Like `insert`, but may refer to rows that come later; `missingReferences` finds those that never came. */
  load(given: GivenRow): WriteResult {
    return this.#insert(given, noReferences);
  }

  /** Adds a row whose values are already in stored form. Checks only uniqueness and NOT NULL. */
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

  /** The row's dangling references. */
  missingReferences(row: Row): readonly Violation[] {
    const { references, links } = this.#options;
    const { stateOf } = links;
    return missingReferences(row, references.outgoing, { stateOf, replaced: undefined });
  }

  #locate(key: readonly Value[]): StoredRow | undefined {
    return rowByKey(this.#state, key);
  }

  #missing(key: readonly Value[]): WriteResult {
    return { ok: false, violations: [rowMissing(this.schema.primaryKey, key)] };
  }

  /** `stored` is the complete row if its values need no checks. */
  #insert(given: GivenRow, references: References, stored?: Row): WriteResult {
    const previous = { state: this.#state, shared: this.#shared };
    let isWritten = false;
    try {
      this.#adoptColumns(given);
      const result = this.#insertRow(given, references, stored);
      isWritten = result.ok;
      return result;
    } finally {
      // Undo adopted columns even when a getter of the given row throws.
      if (!isWritten) {
        this.#state = previous.state;
        this.#shared = previous.shared;
      }
    }
  }

  #insertRow(given: GivenRow, references: References, stored?: Row): WriteResult {
    const { layout } = this.#state;
    const newId = nextRowIdOf(this.#state);
    const draft =
      stored === undefined
        ? this.#draftNew(given, newId)
        : { row: stored, violations: missingDeclaredValues(layout, stored) };
    const id = this.#rowId(draft.row, given) ?? newId();
    if (id === undefined) {
      const name = layout.rowIdColumn ?? layout.hiddenRowId ?? rowIdName;
      const others = draft.violations.filter(({ columns }) => !columns.includes(name));
      return { ok: false, violations: [keysUsedUp(name, layout.storage.largestRowId), ...others] };
    }
    const change = { before: undefined, after: { id, row: draft.row } };
    return this.#write(change, { known: draft.violations, row: draft.row, references });
  }

  #draftNew(given: GivenRow, newId: () => RowId | undefined): RowDraft {
    const { layout } = this.#state;
    const context = { storage: layout.storage, now: this.#options.now };
    const draft = draftRow(layout, given, {
      fallback: (column) => {
        if (column.name !== layout.rowIdColumn) return defaultValue(column, context);
        const id = newId();
        return id === undefined ? null : rowIdValue(id);
      },
      generatesRowId: true,
      previous: undefined,
    });
    return this.#checked(draft);
  }

  /**
   * A draft with the checks that its row breaks. A row with other violations is not checked: its values may be wrong.
   */
  #checked(draft: RowDraft, sets?: SetColumns): RowDraft {
    const { layout } = this.#state;
    if (layout.checks.length === 0 || draft.violations.length > 0) return draft;
    return { row: draft.row, violations: brokenChecks(layout, draft.row, sets) };
  }

  /** An empty table without declared columns takes those of its first row. */
  #adoptColumns(given: GivenRow): void {
    const { schema, storage, declared } = this.#state.layout;
    if (schema.columns.length > 0 || this.size > 0) return;
    this.#state = emptyState(schemaFromRow(schema, given), storage, { declared });
    this.#shared = false;
  }

  #change(
    key: readonly Value[],
    given: GivenRow,
    {
      fallbackFor,
      references,
      sets,
    }: {
      readonly fallbackFor: (before: Row) => RowDraftOptions["fallback"];
      readonly references: References;
      readonly sets?: SetColumns;
    },
  ): WriteResult {
    const before = this.#locate(key);
    if (before === undefined) return this.#missing(key);
    const { draft, change } = this.#plan(before, given, {
      fallback: fallbackFor(before.row),
      sets,
    });
    return this.#write(change, { known: draft.violations, row: draft.row, references, sets });
  }

  /** The row with new values, and the violations that these cause. */
  #plan(
    before: StoredRow,
    given: GivenRow,
    {
      fallback,
      sets,
    }: Pick<RowDraftOptions, "fallback"> & { readonly sets?: SetColumns | undefined },
  ): { readonly draft: RowDraft; readonly change: RowChange & { readonly after: StoredRow } } {
    const drafted = draftRow(this.#state.layout, given, {
      fallback,
      generatesRowId: false,
      previous: before.row,
    });
    const draft = this.#checked(drafted, sets);
    const after = { id: this.#rowId(draft.row, given) ?? before.id, row: draft.row };
    return { draft, change: { before, after } };
  }

  /** A row's id: its integer primary key, or the value given as `rowid`. */
  #rowId(row: Row, given: GivenRow): RowId | undefined {
    const { layout } = this.#state;
    if (layout.rowIdColumn === undefined) return givenRowId(layout, given);
    return rowIdOf(row[layout.rowIdColumn] ?? null);
  }

  /** Makes a change, or returns what forbids it. */
  #write(
    change: RowChange,
    options: {
      /** Violations found earlier. */
      readonly known: readonly Violation[];
      /** The result when nothing is wrong. */
      readonly row: Row;
      readonly references?: References;
      /** Whether the write sets a column. Default: it sets all. */
      readonly sets?: SetColumns | undefined;
    },
  ): WriteResult {
    const { known, row, references = this.#options.references } = options;
    const { links } = this.#options;
    const taken = takenValues(this.#state, change);
    const isRefused = known.length + taken.length > 0;
    const { before } = change;
    if (references.acts && before !== undefined && !isRefused) {
      const { sets = () => true } = options;
      const violations = writeLinked(this.linked, { ...change, before, sets }, links);
      return violations.length === 0 ? { ok: true, row } : { ok: false, violations };
    }
    const judged = references.acts ? { ...references, incoming: [] } : references;
    const broken = brokenReferences(change, judged, links.stateOf);
    if (isRefused || broken.length > 0) {
      return { ok: false, violations: [...known, ...taken, ...broken] };
    }
    this.#commit(change);
    return { ok: true, row };
  }

  #commit(change: RowChange): void {
    if (change.after !== undefined) this.#options.budget?.take(rowSize(change.after.row));
    if (change.before !== undefined) this.#options.budget?.release();
    this.#ownState().commit(change);
  }

  #link(): LinkedTable {
    const stateNow = (): TableState => this.#state;
    const { references, now } = this.#options;
    return {
      get state() {
        return stateNow();
      },
      references,
      plan: (before, changes) => {
        const fallback = unchangedIn(before.row);
        const sets: SetColumns = (column) => Object.hasOwn(changes, column);
        const { draft, change } = this.#plan(before, changes, { fallback, sets });
        return {
          after: change.after,
          violations: [...draft.violations, ...takenValues(this.#state, change)],
        };
      },
      defaultOf: (name) => {
        const { storage, cells } = this.#state.layout;
        const column = cells.find((cell) => cell.name === name)?.column;
        return column === undefined ? null : defaultValue(column, { storage, now });
      },
      commit: (change) => this.#commit(change),
      hold: () => {
        const held = this.snapshot();
        return () => this.restore(held);
      },
    };
  }

  #ownState(): TableState {
    if (this.#shared) {
      this.#state = this.#state.fork();
      this.#shared = false;
    }
    return this.#state;
  }
}

/** Whether a write sets a column. */
type SetColumns = (column: string) => boolean;

const noReferences: References = { outgoing: [], incoming: [], acts: false };

/** Makes a draft keep the values that a row has. */
function unchangedIn(before: Row): RowDraftOptions["fallback"] {
  return ({ name }) => before[name] ?? null;
}
