import type { RowId } from "../../store/value.ts";
import type { TableSchema } from "../../store/schema.ts";
import { emptyState, TableState } from "../../store/table-state.ts";
import type { Row } from "../../store/value.ts";
import { differences } from "../../store/tree/differences.ts";
import { makeRow, type TableLayout } from "../../store/table-layout.ts";
import { BlobValue, ExactInteger, type Value, WholeReal } from "../../store/value.ts";
import type { JsonValue } from "../../schema/json.ts";

/** What is kept of a table besides its rows. */
export interface KeptTable {
  readonly name: string;
  readonly largestId: RowId | undefined;
  /** Where the table has taken its columns from its first row. */
  readonly schema?: TableSchema;
}

/** A block of a table's rows that is to be written; undefined: to be removed. */
export interface BlockChange {
  readonly table: string;
  readonly block: BlockName;
  readonly rows: RowBlock | undefined;
}

type TableStates = ReadonlyMap<string, TableState>;

/** Follows the tables of one world, by how they differ from the fixtures' ones. */
export class KeptTables {
  readonly #pristine: TableStates;
  readonly #rows: ReadonlyMap<string, KeptRows>;

  constructor(pristine: TableStates) {
    this.#pristine = pristine;
    this.#rows = new Map([...pristine].map(([name, state]) => [name, new KeptRows(state)]));
  }

  /** What changed since this was asked last. */
  changes(now: TableStates): readonly BlockChange[] {
    return [...now].flatMap(([table, state]) => {
      const blocks = this.#rows.get(table)?.changes(state) ?? [];
      return [...blocks].map(([block, rows]) => ({ table, block, rows }));
    });
  }

  /** What has to be known of the tables besides their rows. */
  describe(now: TableStates): readonly KeptTable[] {
    return [...now].map(([name, { largestId, layout }]) => {
      const isAdopted = layout.schema !== this.#pristine.get(name)?.layout.schema;
      return isAdopted ? { name, largestId, schema: layout.schema } : { name, largestId };
    });
  }
}

/** What a table's rows are put into: those of the fixtures; none where the table had no columns. */
function startOf(pristine: TableState, schema: TableSchema): TableState {
  const { layout } = pristine;
  if (layout.schema === schema) return pristine;
  return emptyState(schema, layout.storage, { declared: layout.declared });
}

/** The tables that were kept. */
export function restoredTables(
  pristine: TableStates,
  tables: readonly KeptTable[],
  blocks: ReadonlyMap<string, readonly RowBlock[]>,
): TableStates {
  const states = new Map(pristine);
  for (const { name, largestId, schema } of tables) {
    const before = pristine.get(name);
    if (before === undefined) continue;
    const rows = blocks.get(name) ?? [];
    const isUntouched = rows.length === 0 && schema === undefined && before.largestId === largestId;
    if (isUntouched) continue;
    states.set(name, tableWith(startOf(before, schema ?? before.layout.schema), rows, largestId));
  }
  return states;
}

/** Which rows are kept together. */
export type BlockName = number | string;

/** Rows of a table that are other ones than those of the fixtures; a row of null is gone. */
export type RowBlock = readonly (readonly [id: RowId, row: PackedRow | null])[];

const blockSize = 128;

/** Keeps a table by how it differs from the fixtures' one: in blocks of rows whose ids lie side by side. */
export class KeptRows {
  readonly #start: TableState;
  /** As it was when it was last looked at. */
  #last: TableState;
  readonly #blocks: Map<BlockName, Map<RowId, Row | undefined>> = new Map();

  /** Takes what the table begins with. */
  constructor(start: TableState) {
    this.#start = start;
    this.#last = start;
  }

  /** The blocks that are to be written, since they changed; undefined for those that are to be removed. */
  changes(now: TableState): ReadonlyMap<BlockName, RowBlock | undefined> {
    const touched = new Set<BlockName>();
    for (const [id, row] of differences(this.#last.rows.root, now.rows.root)) {
      touched.add(this.#note(id, row));
    }
    this.#last = now;
    return new Map([...touched].map((name) => [name, this.#packed(name)]));
  }

  #note(id: RowId, row: Row | undefined): BlockName {
    const name = blockOf(id);
    const block = this.#blocks.get(name) ?? new Map<RowId, Row | undefined>();
    if (row === this.#start.row(id)) block.delete(id);
    else block.set(id, row);
    if (block.size > 0) this.#blocks.set(name, block);
    else this.#blocks.delete(name);
    return name;
  }

  #packed(name: BlockName): RowBlock | undefined {
    const block = this.#blocks.get(name);
    if (block === undefined) return undefined;
    const { layout } = this.#last;
    return [...block].map(([id, row]) => [id, row === undefined ? null : packRow(row, layout)]);
  }
}

function blockOf(id: RowId): BlockName {
  if (typeof id === "number") return Math.floor(id / blockSize);
  return `${id / BigInt(blockSize)}`;
}

/** The table that blocks tell of. `largestId` is the largest row id that there ever was in it. */
export function tableWith(
  start: TableState,
  blocks: readonly RowBlock[],
  largestId: RowId | undefined,
): TableState {
  const state = start.fork();
  const changed = blocks.flat();
  for (const [id] of changed) {
    const row = state.row(id);
    if (row !== undefined) state.commit({ before: { id, row }, after: undefined });
  }
  for (const [id, packed] of changed) {
    if (packed === null) continue;
    const after = { id, row: unpackRow(packed, state.layout) };
    state.commit({ before: undefined, after });
  }
  const { layout, rows, uniques } = state;
  return new TableState({ layout, rows, uniques, others: [], largestId });
}

/** A value that a structured clone keeps: what JSON has no word for is what no JSON value is. */
type PackedValue = JsonValue | bigint | Uint8Array | Float64Array;

/** The values of a row in the order of its table's columns. */
export type PackedRow = readonly PackedValue[];

/** A row in a form that can be kept outside of this process, without loss. */
export function packRow(row: Row, { columnNames }: TableLayout): PackedRow {
  return columnNames.map((name) => pack(row[name] ?? null));
}

/** The row that was packed. */
export function unpackRow(packed: PackedRow, layout: TableLayout): Row {
  return makeRow(
    layout,
    packed.map((value) => unpack(value, layout)),
  );
}

function pack(value: Value): PackedValue {
  if (value instanceof ExactInteger) return value.value;
  if (value instanceof BlobValue) return value.bytes;
  return value instanceof WholeReal ? Float64Array.of(value.value) : value;
}

function unpack(packed: PackedValue, { storage }: TableLayout): Value {
  if (typeof packed === "bigint") return new ExactInteger(packed);
  if (packed instanceof Uint8Array) return storage.blob(packed);
  return packed instanceof Float64Array ? new WholeReal(packed[0] ?? 0) : packed;
}
