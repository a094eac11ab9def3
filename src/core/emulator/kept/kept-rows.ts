import type { Row, RowId } from "../../store/value.ts";
import { TableState } from "../../store/table-state.ts";
import { differences } from "../../store/tree/differences.ts";
import { type PackedRow, packRow, unpackRow } from "./packed-row.ts";

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
