import type { JsonValue } from "../schema/json.ts";
import type { Row } from "./plain-rows.ts";
import type { CellOf } from "./column-types.ts";
import type { CollectionTables } from "./collection-option.ts";
import type { CollectionHandles } from "./typed-collections.ts";
import type { TableHandle } from "./tables.ts";

/** A literal in a fixture stands for any value of its kind. */
type Widened<Value> = Value extends string
  ? string
  : Value extends number
    ? number
    : Value extends boolean
      ? boolean
      : Value extends null
        ? null
        : JsonValue;

/** The names of all columns: rows need not all have the same. */
type ColumnOf<Sample> = Sample extends unknown ? keyof Sample : never;

/** What a column holds in any of the rows; null where a row leaves it out. */
type CellIn<Sample, Column> = Sample extends unknown
  ? Column extends keyof Sample
    ? Widened<Sample[Column]>
    : null
  : never;

/** Nothing is known of a column that only holds null. */
type Known<Cell> = [Cell] extends [null] ? JsonValue : Cell;

type RowLike<Sample> = {
  readonly [Column in ColumnOf<Sample>]: Known<CellIn<Sample, Column>>;
};

/** The key is never null, so that it can be used as it is read. */
type WithKey<Table, Cells> = Table extends { readonly primaryKey: infer Key extends string }
  ? { [Column in keyof Cells]: Column extends Key ? NonNullable<Cells[Column]> : Cells[Column] }
  : Cells;

type RowOf<Table> = Table extends { readonly columns: infer Columns }
  ? WithKey<Table, { readonly [Column in keyof Columns]: CellOf<Columns[Column]> }>
  : Table extends readonly (infer Sample extends object)[]
    ? RowLike<Sample>
    : Table extends { readonly rows: readonly (infer Sample extends object)[] }
      ? RowLike<Sample>
      : Row;

type AnyTables = Readonly<Record<string, TableHandle>>;

type FixtureTables<Fixtures> = Fixtures extends { readonly tables: infer Tables }
  ? // Unknown where the fixtures are `any`, as those that `JSON.parse` gives.
    unknown extends Tables
    ? AnyTables
    : Tables extends readonly unknown[]
      ? AnyTables
      : { readonly [Name in keyof Tables]: TableHandle<RowOf<Tables[Name]>> }
  : AnyTables;

/**
 * The tables of a fixture document and of collections, with the rows' types where they tell them. Beside
 * collections, tables of fixtures of which nothing is known are left out: their names could be any.
 */
export type TablesOf<Fixtures, Collections extends CollectionTables = never> = [
  Collections,
] extends [never]
  ? FixtureTables<Fixtures>
  : unknown extends Fixtures
    ? CollectionHandles<Collections>
    : CollectionHandles<Collections> & Omit<FixtureTables<Fixtures>, keyof Collections>;
