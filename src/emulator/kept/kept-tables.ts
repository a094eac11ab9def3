import type { RowId } from "../../store/row-id.ts";
import type { TableSchema } from "../../store/schema.ts";
import { emptyState, type TableState } from "../../store/table-state.ts";
import { type BlockName, KeptRows, type RowBlock, tableWith } from "./kept-rows.ts";

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

interface Followed {
  readonly start: TableState;
  readonly rows: KeptRows;
}

/** Follows the tables of one world, by how they differ from the fixtures' ones. */
export class KeptTables {
  readonly #pristine: TableStates;
  readonly #followed: Map<string, Followed> = new Map();

  constructor(pristine: TableStates) {
    this.#pristine = pristine;
  }

  /** What changed since this was asked last. */
  changes(now: TableStates): readonly BlockChange[] {
    const changes: BlockChange[] = [];
    for (const [table, pristine] of this.#pristine) {
      const state = now.get(table) ?? pristine;
      const before = this.#followed.get(table) ?? follow(pristine);
      const start = startOf(pristine, state.layout.schema);
      const isSame = start.layout.schema === before.start.layout.schema;
      // With other columns the old rows mean nothing.
      const gone = isSame ? [] : [...before.rows.changes(before.start)];
      const followed = isSame ? before : follow(start);
      this.#followed.set(table, followed);
      const blocks = new Map([...gone, ...followed.rows.changes(state)]);
      for (const [block, rows] of blocks) changes.push({ table, block, rows });
    }
    return changes;
  }

  /** What has to be known of the tables besides their rows. */
  describe(now: TableStates): readonly KeptTable[] {
    return [...now].map(([name, { largestId, layout }]) => {
      const isAdopted = layout.schema !== this.#pristine.get(name)?.layout.schema;
      return isAdopted ? { name, largestId, schema: layout.schema } : { name, largestId };
    });
  }
}

function follow(start: TableState): Followed {
  return { start, rows: new KeptRows(start) };
}

/** What a table's rows are told apart from: those of the fixtures, none where it had no columns. */
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
