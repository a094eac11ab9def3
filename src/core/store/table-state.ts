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

interface StateParts {
  readonly layout: TableLayout;
  readonly rows: SortedTree<RowId, Row>;
  readonly uniques: readonly SortedIndex[];
  readonly others: readonly SortedIndex[];
  readonly largestId: RowId | undefined;
}

/** All of a table that a write changes: rows and everything that finds them. */
export class TableState {
  readonly layout: TableLayout;
  readonly rows: SortedTree<RowId, Row>;
  /** One for each of the layout's unique keys, in that order. */
  readonly uniques: readonly SortedIndex[];
  /** Made when they were first of use. */
  readonly #others: SortedIndex[];
  /** The largest row id that there ever was. */
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
   * A state of its own with the same rows, at the same cost for any number of them; but for indexes that other
   * states of the table have made since, which all later forks then have as well.
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

  /** Keeps the generated keys above this one, as after a row with it was deleted. */
  reserveId(id: RowId): void {
    if (this.#largestId === undefined || id > this.#largestId) this.#largestId = id;
  }

  /** The index over these columns, if there is one that compares like this. */
  existingIndex(wanted: IndexDefinition): SortedIndex | undefined {
    const isIt = ({ definition }: SortedIndex): boolean => isSameDefinition(definition, wanted);
    return this.uniques.find(isIt) ?? this.#others.find(isIt);
  }

  /** The index over these columns. It is made when there is none, and kept up to date from then on. */
  index(definition: IndexDefinition): SortedIndex {
    const existing = this.existingIndex(definition);
    if (existing !== undefined) return existing;
    const made = indexOf(definition, this.rows);
    if (!this.layout.wantedIndexes.some((one) => isSameDefinition(one, definition))) {
      this.layout.wantedIndexes.push(definition);
    }
    // Snapshots that share this state profit too: an index tells nothing that the rows do not.
    this.#others.push(made);
    return made;
  }

  /** Puts rows and indexes from one row to the other. Nothing in it may fail. */
  commit(change: RowChange): void {
    for (const index of this.uniques) moveEntry(index, change);
    for (const index of this.#others) moveEntry(index, change);
    const { before, after } = change;
    if (before !== undefined && before.id !== after?.id) this.rows.delete(before.id, before.row);
    if (after === undefined) return;
    this.rows.set(after.id, after.row);
    // As in SQLite, a key that a row got later is free again when it is gone.
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

/** Whether two rows have the very same values where an index looks. */
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

/** Rows are found by their ids alone. */
const noRow: Row = {};

/**
 * The last place with an id that is not larger; -1 where all are. Since ids mostly come without gaps, it is guessed from
 * the first two: all rows in the order of an index take half of the time.
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

/** The row with an id: as the tree finds it, but without a call of its order for each node. */
export function rowWithId(rows: SortedTree<RowId, Row>, id: RowId): Row | undefined {
  let node = rows.root;
  while (node.nodes !== undefined) {
    const at = Math.max(0, placeOfId(node, id));
    const { keys, sizes } = node;
    const first = keys[at];
    const next = keys[at + 1];
    node = elementAt(node.nodes, at);
    // There may be lower ids in the first node.
    if (at === 0 || node.nodes !== undefined) continue;
    if (typeof first !== "number" || typeof next !== "number") continue;
    // With a row for each id that may be in it, a leaf has no gaps.
    if (sizes[at] === next - first) return node.values[Number(id) - first];
  }
  if (node.share !== undefined) return rows.find(id, noRow);
  const at = placeOfId(node, id);
  const found = node.keys[at];
  return found !== undefined && compareRowIds(found, id) === 0 ? node.values[at] : undefined;
}

/** The order of a table's rows: by their ids. */
const rowIdOrder: EntryOrder<RowId, Row> = {
  floor: placeOfId,
  isAt: ({ keys }, place, id) => compareRowIds(elementAt(keys, place), id) === 0,
};

/** Rows by their ids, which are given in order. */
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
    // A whole number is stored as it is.
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
    // SQLite does not round what it compares with a REAL.
    const fitting = storage.fit(value, kind === "REAL" ? "NUMERIC" : kind);
    return fitting.ok ? fitting.value : value;
  });
}

/** Gives the id of a new row, the same one however often, and works it out when it is first asked for. */
export function nextRowIdOf(state: TableState): () => RowId | undefined {
  let made: RowId | undefined;
  return () => (made ??= nextRowId(state));
}

/**
 * The row id after the largest; where there can be no larger one, the smallest that is free from 1 on, or none
 * where ids are never used again.
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

/** The one that the next id must exceed: with AUTOINCREMENT, deleted ones count too. */
function largestId({ layout, rows, largestId: everLargest }: TableState): RowId | undefined {
  const last = rows.at(rows.size - 1)?.[0];
  if (layout.schema.autoIncrement !== true || everLargest === undefined) return last;
  return last === undefined || everLargest > last ? everLargest : last;
}

/** Halves the ids from 1 on: as long as there are as many as the last one says, none of them is free. */
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
