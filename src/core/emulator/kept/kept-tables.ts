import type { RowId } from "../../store/value.ts";
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
