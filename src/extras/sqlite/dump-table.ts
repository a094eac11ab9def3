import type { Affinity } from "../../core/store/column-kinds.ts";
import { defaultValue } from "../../core/store/row-draft.ts";
import type { Column, DeclaredIndex } from "../../core/store/schema.ts";
import { sqliteStorage } from "../../core/store/storage-rules.ts";
import { rowIdOf } from "../../core/store/table-layout.ts";
import {
  type Row,
  type RowId,
  type Value,
  compareRowIds,
  integerValue,
} from "../../core/store/value.ts";
import type { FixtureFile } from "../../core/fixture-set/assemble.ts";
import type { DumpPlace } from "./dump-place.ts";
import { foldName } from "./sql-names.ts";

/** A column of a dump's table, and where it is declared. */
export interface DumpColumn {
  /** Without its references: those need all tables. */
  readonly column: Column;
  readonly affinity: Affinity;
  readonly place: DumpPlace;
}

/** A foreign key as it is written: its table may come later. */
export interface WrittenForeignKey {
  readonly columns: readonly string[];
  readonly table: string;
  /** Undefined: the primary key of that table. */
  readonly to: readonly string[] | undefined;
  readonly place: DumpPlace;
}

/** An index of a table: of a constraint, or made by a statement of its own, which another one can drop again. */
export interface DumpIndex extends DeclaredIndex {
  /** Undefined for the index of a constraint. */
  readonly made: Made | undefined;
}

/** What a statement made. */
export interface Made {
  readonly name: string;
  /** As `sqlite_master` keeps it. */
  readonly sql: string;
  /** Counts what the dump made before it. */
  readonly serial: number;
}

/** What a `CREATE TABLE` says. */
export interface TableDefinition extends Made {
  readonly place: DumpPlace;
  readonly columns: readonly DumpColumn[];
  /** Columns that are left out. */
  readonly generated: readonly string[];
  readonly primaryKey: readonly string[];
  /** The place of the column whose values are the row ids; -1 when there is none. */
  readonly rowIdAt: number;
  readonly autoIncrement: boolean;
  readonly withoutRowId: boolean;
  readonly constraints: readonly DeclaredIndex[];
  readonly foreignKeys: readonly WrittenForeignKey[];
}

/** In which order the values of rows are written, from one row on. */
interface RowRun {
  readonly firstRow: number;
  readonly layout: RowLayout;
}

/** How rows are written by one `INSERT`, or by many that are alike. */
export interface RowLayout {
  readonly file: FixtureFile;
  /** The place of the column that each value is for; `rowIdPlace` for the row id that is no column. */
  readonly columns: readonly number[];
  /** What every row has in the columns that have no value; NULL in the others. */
  readonly defaults: readonly Value[];
}

/** Stands for the row id among the places of columns. */
export const rowIdPlace = -1;

/** A table of a dump while the dump is read: what it was declared as, and its rows so far. */
export class DumpTable {
  readonly definition: TableDefinition;
  readonly columnNames: readonly string[];
  /** The places of all columns. */
  readonly allColumns: readonly number[];
  readonly indexes: DumpIndex[];
  readonly rows: Row[] = [];
  /** The largest key that there ever was, where keys are never used again. */
  sequence: RowId | undefined;
  /** The largest key of the rows, as far as they were looked at. */
  #largestKey: RowId | undefined;
  #keysSeen = 0;
  readonly #places: ReadonlyMap<string, number>;
  /** Where the first value of each row is. */
  readonly #offsets: number[] = [];
  readonly #runs: RowRun[] = [];
  #layout: RowLayout | undefined;

  constructor(definition: TableDefinition) {
    this.definition = definition;
    this.columnNames = definition.columns.map(({ column }) => column.name);
    this.allColumns = [...definition.columns.keys()];
    this.indexes = definition.constraints.map((index) => ({ ...index, made: undefined }));
    this.#places = new Map(
      definition.columns.map(({ column }, at) => [foldName(column.name), at] as const),
    );
  }

  /** A column's place, by its name in any case; -1 when there is none. */
  columnAt(name: string): number {
    return this.#places.get(foldName(name)) ?? -1;
  }

  /** The layout of rows that have values for these columns. The same as for the statement before, where it can be. */
  layoutFor(
    columns: readonly number[],
    { file, now }: { readonly file: FixtureFile; readonly now: number },
  ): RowLayout {
    const last = this.#layout;
    const isSame = (place: number, at: number): boolean => place === last?.columns[at];
    if (last?.file === file && last.columns.length === columns.length && columns.every(isSame)) {
      return last;
    }
    const context = { storage: sqliteStorage, now: () => now };
    // A row id is generated, whatever its column says.
    const defaults = this.definition.columns.map(({ column }, at) =>
      columns.includes(at) || at === this.definition.rowIdAt ? null : defaultValue(column, context),
    );
    this.#layout = { file, columns, defaults };
    return this.#layout;
  }

  add(row: Row, offset: number, layout: RowLayout): void {
    if (this.#runs.at(-1)?.layout !== layout) {
      this.#runs.push({ firstRow: this.rows.length, layout });
    }
    this.rows.push(row);
    this.#offsets.push(offset);
    // The sequence begins at 0, so that negative keys do not move it.
    if (this.definition.autoIncrement) this.sequence = larger(this.sequence ?? 0, this.#keyOf(row));
  }

  /** Takes rows back, so that so many are left. */
  truncate(count: number): void {
    this.rows.length = count;
    this.#offsets.length = count;
    while ((this.#runs.at(-1)?.firstRow ?? -1) >= count) this.#runs.pop();
    if (this.#keysSeen <= count) return;
    this.#keysSeen = 0;
    this.#largestKey = undefined;
  }

  /** The key of a row that has none: one more than the largest. */
  nextKey(): Value {
    for (; this.#keysSeen < this.rows.length; this.#keysSeen++) {
      const row = this.rows[this.#keysSeen];
      if (row !== undefined) this.#largestKey = larger(this.#largestKey, this.#keyOf(row));
    }
    const largest = larger(this.#largestKey, this.sequence);
    return integerValue(BigInt(largest ?? 0) + 1n);
  }

  /** Where a row is written: its first value, and which columns its values are for. */
  writtenRow(row: number): { readonly layout: RowLayout; readonly offset: number } | undefined {
    const run = this.#runs.findLast(({ firstRow }) => firstRow <= row);
    const offset = this.#offsets[row];
    return run === undefined || offset === undefined ? undefined : { layout: run.layout, offset };
  }

  #keyOf(row: Row): RowId | undefined {
    const name = this.definition.columns[this.definition.rowIdAt]?.column.name;
    return name === undefined ? undefined : rowIdOf(row[name] ?? null);
  }
}

function larger(left: RowId | undefined, right: RowId | undefined): RowId | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  return compareRowIds(left, right) < 0 ? right : left;
}
