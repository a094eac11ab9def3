import type { FitPolicy } from "./fit.ts";
import { brokenReferences, missingReferences, type Relations } from "./foreign-keys.ts";
import { schemaFromRow } from "./infer-columns.ts";
import type { Query } from "./query.ts";
import type { JsonValue, Row } from "./row.ts";
import { defaultValue, type DraftOptions, draftRow, type GivenRow } from "./row-draft.ts";
import type { TableSchema } from "./schema.ts";
import { selectRows } from "./select.ts";
import { emptyState, type RowChange, type TalliedColumns, type TableState } from "./table-state.ts";
import { notUnique, rowMissing, type Violation } from "./violation.ts";

/** What became of a write: the row as stored (or as deleted), or everything that forbids it. */
export type WriteResult =
  | { readonly ok: true; readonly row: Row }
  | { readonly ok: false; readonly violations: readonly Violation[] };

export interface TableOptions {
  readonly fit: FitPolicy;
  readonly relations: Relations;
  readonly tallied: TalliedColumns;
}

type Located = NonNullable<RowChange["before"]>;

/**
 * A table's rows, read and written under its schema. A write that is refused changes nothing. Rows are
 * frozen, and a write never changes one that was handed out.
 */
export class Table {
  readonly #fit: FitPolicy;
  readonly #relations: Relations;
  #state: TableState;
  /** Whether a snapshot holds the state too; then the next write works on a copy. */
  #shared = false;

  constructor(schema: TableSchema, { fit, relations, tallied }: TableOptions) {
    this.#fit = fit;
    this.#relations = relations;
    this.#state = emptyState(schema, tallied);
  }

  get schema(): TableSchema {
    return this.#state.layout.schema;
  }

  get size(): number {
    return this.#state.rows.size;
  }

  /** All rows, in row id order. */
  rows(): readonly Row[] {
    return this.select({ where: [] });
  }

  /** The row with this primary key, given in key order, or undefined. */
  get(key: readonly JsonValue[]): Row | undefined {
    return this.#locate(key)?.row;
  }

  /** The rows that a query asks for. It may name existing columns only. */
  select(query: Query): readonly Row[] {
    return selectRows(this.#state, query);
  }

  /** Adds a row. Columns left out get their default, else NULL; an integer primary key is generated. */
  insert(given: GivenRow): WriteResult {
    return this.#insert(given, this.#relations);
  }

  /** Replaces a row: columns left out get their default, else NULL, those of the key stay. */
  replace(key: readonly JsonValue[], given: GivenRow): WriteResult {
    return this.#change(
      key,
      given,
      (before) => (column) =>
        this.#state.layout.isKeyColumn(column.name)
          ? (before[column.name] ?? null)
          : defaultValue(column),
    );
  }

  /** Changes some columns of a row. */
  update(key: readonly JsonValue[], changes: GivenRow): WriteResult {
    return this.#change(key, changes, (before) => (column) => before[column.name] ?? null);
  }

  /** Deletes a row that no other row refers to. */
  delete(key: readonly JsonValue[]): WriteResult {
    const before = this.#locate(key);
    if (before === undefined) return this.#missing(key);
    const violations = this.#write({ before, after: undefined }, []);
    return violations.length > 0 ? { ok: false, violations } : { ok: true, row: before.row };
  }

  /** The table as it is now, for `restore`. Later writes do not change it. */
  snapshot(): TableState {
    this.#shared = true;
    return this.#state;
  }

  restore(snapshot: TableState): void {
    this.#shared = true;
    this.#state = snapshot;
  }

  /** As `insert`, but may refer to rows that come later; `missingReferences` tells which never came. */
  load(given: GivenRow): WriteResult {
    return this.#insert(given, { outgoing: [], incoming: [] });
  }

  /** What a row refers to in vain. */
  missingReferences(row: Row): readonly Violation[] {
    return missingReferences(row, this.#relations);
  }

  /** Whether a row has this value in a column that others refer to. */
  offers(column: string, value: JsonValue): boolean {
    return this.#state.referredTo(column)?.has(value) ?? false;
  }

  /** Whether a row has this value in a column that refers to another. */
  refersTo(column: string, value: JsonValue): boolean {
    return this.#state.referring(column)?.has(value) ?? false;
  }

  #locate(key: readonly JsonValue[]): Located | undefined {
    const { uniques, rows } = this.#state;
    const id = uniques.find(({ isKey }) => isKey && key.length > 0)?.find(key);
    const row = id === undefined ? undefined : rows.get(id);
    return id === undefined || row === undefined ? undefined : { id, row };
  }

  #missing(key: readonly JsonValue[]): WriteResult {
    return { ok: false, violations: [rowMissing(this.schema.primaryKey, key)] };
  }

  #insert(given: GivenRow, relations: Relations): WriteResult {
    const previous = this.#state;
    this.#adoptColumns(given);
    const { rows, layout } = this.#state;
    const id = rows.nextId();
    const draft = draftRow(layout, given, {
      fit: this.#fit,
      fallback: (column) => (column.name === layout.rowIdColumn ? id : defaultValue(column)),
      generated: layout.rowIdColumn,
      previous: undefined,
    });
    const after = { id: this.#rowId(draft.row, id), row: draft.row };
    const violations = this.#write({ before: undefined, after }, draft.violations, relations);
    if (violations.length === 0) return { ok: true, row: draft.row };
    if (previous.layout !== layout) this.#state = previous;
    return { ok: false, violations };
  }

  /** An empty table that was declared without columns takes those of its first row. */
  #adoptColumns(given: GivenRow): void {
    const { schema } = this.#state.layout;
    if (schema.columns.length > 0 || this.size > 0) return;
    this.#state = emptyState(schemaFromRow(schema.name, given), { referring: [], referredTo: [] });
  }

  #change(
    key: readonly JsonValue[],
    given: GivenRow,
    fallbackFor: (before: Row) => DraftOptions["fallback"],
  ): WriteResult {
    const before = this.#locate(key);
    if (before === undefined) return this.#missing(key);
    const draft = draftRow(this.#state.layout, given, {
      fit: this.#fit,
      fallback: fallbackFor(before.row),
      previous: before.row,
    });
    const after = { id: this.#rowId(draft.row, before.id), row: draft.row };
    const violations = this.#write({ before, after }, draft.violations);
    return violations.length > 0 ? { ok: false, violations } : { ok: true, row: draft.row };
  }

  /** The row id that a row has by its integer primary key; without one it keeps the id it has. */
  #rowId(row: Row, id: number): number {
    const { rowIdColumn } = this.#state.layout;
    const key = rowIdColumn === undefined ? undefined : row[rowIdColumn];
    return typeof key === "number" ? key : id;
  }

  /** Makes a change unless something forbids it, and says what does. `known` is what was found before. */
  #write(
    change: RowChange,
    known: readonly Violation[],
    relations: Relations = this.#relations,
  ): readonly Violation[] {
    const state = this.#ownState();
    const taken = this.#takenValues(change);
    state.tally(change);
    const broken = brokenReferences(change, relations, (column, value) =>
      this.offers(column, value),
    );
    const violations = [...known, ...taken, ...broken];
    if (violations.length === 0) state.commit(change);
    else state.tally({ before: change.after, after: change.before });
    return violations;
  }

  #takenValues({ before, after }: RowChange): readonly Violation[] {
    if (after === undefined) return [];
    const taken: Violation[] = [];
    for (const index of this.#state.uniques) {
      const holder = index.holderOf(after.row);
      if (holder === undefined || holder === before?.id) continue;
      taken.push(notUnique(index.columns, index.valuesOf(after.row), index.isKey));
    }
    return taken;
  }

  #ownState(): TableState {
    if (this.#shared) {
      this.#state = this.#state.copy();
      this.#shared = false;
    }
    return this.#state;
  }
}
