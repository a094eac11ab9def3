import type { ComparisonRules } from "./order-value.ts";
import type { TableSchema } from "./schema.ts";
import { type IndexDefinition, SortedIndex, indexOf } from "./sorted-index.ts";
import type { StorageRules } from "./storage-rules.ts";
import {
  type LayoutOptions,
  type TableLayout,
  leastGenerated,
  rowIdOf,
  tableLayout,
} from "./table-layout.ts";
import { type EntryOrder, SortedTree, type TreeNode, elementAt } from "./sorted-tree.ts";
import { type Row, type RowId, type Value, compareRowIds } from "./value.ts";

/** A row and its id. */
export interface StoredRow {
  readonly id: RowId;
  readonly row: Row;
}

/** A row before and after a write; undefined where there is none. */
export interface RowChange {
  readonly before: StoredRow | undefined;
  readonly after: StoredRow | undefined;
}

interface StateParts extends Pick<TableState, "layout" | "rows" | "uniques" | "largestId"> {
  readonly others: readonly SortedIndex[];
}

/** How many writes and loads there were in all tables. */
let writes = 0;

/** Everything of a table that a write changes: rows and indexes. */
export class TableState {
  /** Changes with each write. Tables with the same version have the same rows. */
  version: number = ++writes;
  readonly layout: TableLayout;
  readonly rows: SortedTree<RowId, Row>;
  /** One index per unique key, in the order of the layout's unique keys. */
  readonly uniques: readonly SortedIndex[];
  /** Indexes that queries and references have asked for. */
  readonly #others: SortedIndex[];
  /** The largest row id ever. */
  #largestId: RowId | undefined;

  constructor(parts: StateParts) {
    this.layout = parts.layout;
    this.rows = parts.rows;
    this.uniques = parts.uniques;
    this.#others = [...parts.others];
    this.#largestId = parts.largestId;
  }

  get largestId(): RowId | undefined {
    return this.#largestId;
  }

  /** The row with this id. */
  row(id: RowId): Row | undefined {
    return rowWithId(this.rows, id);
  }

  /**
   * An independent state with the same rows, at the same cost for any number of them. It also gets the indexes that
   * other states of the table have made since, and so do its forks.
   */
  fork(): TableState {
    for (const definition of this.layout.wantedIndexes) this.index(definition);
    return new TableState({
      layout: this.layout,
      rows: this.rows.fork(),
      uniques: this.uniques.map((index) => index.fork()),
      others: this.#others.map((index) => index.fork()),
      largestId: this.#largestId,
    });
  }

  /** Keeps generated keys above this one, as if a row with it was deleted. */
  reserveId(id: RowId): void {
    if (this.#largestId === undefined || id > this.#largestId) this.#largestId = id;
  }

  /** The index over these columns with the same comparison, if there is one. */
  existingIndex(wanted: IndexDefinition): SortedIndex | undefined {
    const isIt = ({ definition }: SortedIndex): boolean => isSameDefinition(definition, wanted);
    return this.uniques.find(isIt) ?? this.#others.find(isIt);
  }

  /** The index over these columns, created if needed and kept up to date from then on. */
  index(definition: IndexDefinition): SortedIndex {
    const existing = this.existingIndex(definition);
    if (existing !== undefined) return existing;
    const made = indexOf(definition, this.rows);
    if (!this.layout.wantedIndexes.some((one) => isSameDefinition(one, definition))) {
      this.layout.wantedIndexes.push(definition);
    }
    // Snapshots that share this state profit too: an index adds nothing to the rows.
    this.#others.push(made);
    return made;
  }

  /** Replaces a row in the rows and the indexes. Must not fail: it would leave them different from each other. */
  commit(change: RowChange): void {
    this.version = ++writes;
    for (const index of this.uniques) moveEntry(index, change);
    for (const index of this.#others) moveEntry(index, change);
    const { before, after } = change;
    if (before !== undefined && before.id !== after?.id) this.rows.delete(before.id, before.row);
    if (after === undefined) return;
    this.rows.set(after.id, after.row);
    // As in SQLite, a key that an update gave to a row is free again after the row is deleted.
    if (before === undefined) this.reserveId(after.id);
  }
}

function isSameDefinition(one: IndexDefinition, other: IndexDefinition): boolean {
  return (
    one.columns.length === other.columns.length &&
    one.columns.every((name, at) => name === other.columns[at]) &&
    one.rules.every((own, at) => haveSameOrder(own, other.rules[at])) &&
    one.stored === other.stored
  );
}

function haveSameOrder(left: ComparisonRules, right: ComparisonRules | undefined): boolean {
  return left.kind === right?.kind && left.collation === right.collation;
}

/** Whether two rows have identical values in an index's columns. */
function areSame({ definition }: SortedIndex, one: Row, other: Row): boolean {
  for (const name of definition.columns) if (one[name] !== other[name]) return false;
  return true;
}

function moveEntry(index: SortedIndex, { before, after }: RowChange): void {
  if (before !== undefined && before.id === after?.id && areSame(index, before.row, after.row)) {
    return;
  }
  const oldKey = before === undefined ? undefined : index.keyOf(before.row);
  const newKey = after === undefined ? undefined : index.keyOf(after.row);
  if (before !== undefined && before.id === after?.id && Object.is(oldKey, newKey)) return;
  if (before !== undefined && oldKey !== undefined) index.remove(oldKey, before.id);
  if (after !== undefined && newKey !== undefined) index.add(newKey, after.id);
}

/** A placeholder for searches by row id, which compare no rows. */
const noRow: Row = {};

/**
 * The last position with an id that is not larger; -1 if all are larger. Ids mostly have no gaps, so the first two
 * ids give a good guess: with it, reading all rows in index order takes half of the time.
 */
function placeOfId({ keys }: TreeNode<RowId, Row>, id: RowId): number {
  const [first, second] = keys;
  if (typeof id === "number" && typeof first === "number" && typeof second === "number") {
    const guess = Math.floor((id - first) / (second - first));
    const own = keys[guess];
    if (own !== undefined && own <= id && (keys[guess + 1] ?? Infinity) > id) return guess;
  }
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (elementAt(keys, middle) > id) high = middle;
    else low = middle + 1;
  }
  return low - 1;
}

/**
 * The row with an id, found as the tree finds it but without a comparator call per node, which takes half of the time.
 */
export function rowWithId(rows: SortedTree<RowId, Row>, id: RowId): Row | undefined {
  let node = rows.root;
  while (node.nodes !== undefined) {
    const at = Math.max(0, placeOfId(node, id));
    const { keys, sizes } = node;
    const first = keys[at];
    const next = keys[at + 1];
    node = elementAt(node.nodes, at);
    // The first node may contain lower ids.
    if (at === 0 || node.nodes !== undefined) continue;
    if (typeof first !== "number" || typeof next !== "number") continue;
    // A leaf with a row for each possible id has no gaps.
    if (sizes[at] === next - first) return node.values[Number(id) - first];
  }
  const at = placeOfId(node, id);
  const found = node.keys[at];
  return found !== undefined && compareRowIds(found, id) === 0 ? node.values[at] : undefined;
}

/** The order of a table's rows: by id. */
const rowIdOrder: EntryOrder<RowId, Row> = {
  floor: placeOfId,
  isAt: ({ keys }, place, id) => compareRowIds(elementAt(keys, place), id) === 0,
};

/** Rows by id, given in order. */
export function rowsTree(start: {
  readonly keys: readonly RowId[];
  readonly values: readonly Row[];
}): SortedTree<RowId, Row> {
  return new SortedTree<RowId, Row>(rowIdOrder, start);
}

/** A table's state without rows. */
export function emptyState(
  schema: TableSchema,
  storage: StorageRules,
  options: LayoutOptions = {},
): TableState {
  const layout = tableLayout(schema, storage, options);
  return new TableState({
    layout,
    rows: rowsTree({ keys: [], values: [] }),
    uniques: layout.uniqueKeys.map((key) => new SortedIndex(key)),
    others: [],
    largestId: undefined,
  });
}

/** The row with this primary key, given in key order. Values count as the key's columns would store them. */
export function rowByKey(state: TableState, key: readonly Value[]): StoredRow | undefined {
  const { layout, uniques } = state;
  if (layout.rowIdColumn !== undefined) {
    const [id = null] = key;
    // A whole number needs no conversion.
    return rowById(state, Number.isInteger(id) ? id : (asStored(layout, key)[0] ?? null));
  }
  const values = asStored(layout, key);
  const [index] = uniques;
  if (index === undefined || layout.uniqueKeys[0]?.isKey !== true) return undefined;
  const wanted = index.keyOfValues(values);
  // NULL equals nothing, itself included.
  const id = wanted === null ? undefined : index.first(wanted);
  const row = id === undefined ? undefined : state.row(id);
  return id === undefined || row === undefined ? undefined : { id, row };
}

function rowById(state: TableState, value: Value): StoredRow | undefined {
  const id = rowIdOf(value);
  const row = id === undefined ? undefined : state.row(id);
  return id === undefined || row === undefined ? undefined : { id, row };
}

function asStored({ keyCells, storage }: TableLayout, key: readonly Value[]): readonly Value[] {
  return keyCells.map(({ kind }, at) => {
    const value = key[at] ?? null;
    if (value === null) return value;
    // SQLite does not round a value that it compares with a REAL.
    const fitting = storage.fit(value, kind === "REAL" ? "NUMERIC" : kind);
    return fitting.ok ? fitting.value : value;
  });
}

/** Gives the id of a new row, computed on first use and the same from then on. */
export function nextRowIdOf(state: TableState): () => RowId | undefined {
  let made: RowId | undefined;
  return () => (made ??= nextRowId(state));
}

/**
 * The row id after the largest. If there can be no larger one: the smallest free id from 1 on, or none where ids are
 * never reused.
 */
function nextRowId(state: TableState): RowId | undefined {
  const largest = largestId(state);
  if (largest === undefined || largest < leastGenerated(state.layout) - 1) return 1;
  if (largest >= state.layout.storage.largestRowId) {
    return state.layout.schema.autoIncrement === true ? undefined : smallestFree(state);
  }
  if (Number.isSafeInteger(largest) && largest < Number.MAX_SAFE_INTEGER)
    return Number(largest) + 1;
  const next = BigInt(largest) + 1n;
  return BigInt(Number(next)) === next ? Number(next) : next;
}

/** The id that the next one must exceed: with AUTOINCREMENT, deleted ones count too. */
function largestId({ layout, rows, largestId: everLargest }: TableState): RowId | undefined {
  const last = rows.at(rows.size - 1)?.[0];
  if (layout.schema.autoIncrement !== true || everLargest === undefined) return last;
  return last === undefined || everLargest > last ? everLargest : last;
}

/** Bisects the ids from 1 on: if n rows have ids from 1 to n, none of these ids is free. */
function smallestFree({ rows }: TableState): RowId {
  const first = rows.rank(1, noRow);
  let low = 0;
  let high = rows.size - first;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const id = rows.at(first + middle)?.[0];
    if (id === middle + 1) low = middle + 1;
    else high = middle;
  }
  return low + 1;
}
