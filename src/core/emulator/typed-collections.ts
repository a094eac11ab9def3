import type { JsonValue } from "../schema/json.ts";
import type { CollectionTables } from "./collection-option.ts";
import type { CollectionHandle } from "./tables.ts";
import type { CellOf } from "./column-types.ts";
import type { RowValue } from "./plain-rows.ts";

/** The value of a record's property in a row: as JSON has it but for bigints and bytes, null where it is left out. */
type CellOfProperty<Value> = unknown extends Value
  ? RowValue
  : Value extends bigint
    ? number | bigint
    : Value extends Uint8Array
      ? Uint8Array
      : JsonOf<Value>;

/** A value as JSON has it, and within documents all are. */
type JsonOf<Value> = unknown extends Value
  ? JsonValue
  : Value extends undefined | symbol | ((...given: never) => unknown)
    ? null
    : Value extends string | number | boolean | null
      ? Value
      : Value extends bigint
        ? number
        : Value extends Date
          ? string
          : Value extends Uint8Array
            ? JsonValue
            : Value extends readonly (infer Item)[]
              ? readonly JsonOf<Item>[]
              : { readonly [Name in keyof Value & string]: PartOf<Value[Name]> };

/** What is optional within a document stays so. */
type PartOf<Value> = undefined extends Value
  ? JsonOf<Exclude<Value, undefined>> | undefined
  : JsonOf<Value>;

type CollectionIn<Given> = Given extends { readonly collection: infer Collection }
  ? Collection
  : Given;

type RecordIn<Given> =
  CollectionIn<Given> extends { readonly all: () => readonly (infer Record)[] } ? Record : never;

type ValuesIn<Given> =
  CollectionIn<Given> extends { readonly create: (values: infer Values) => unknown }
    ? Values
    : never;

/** Of a union of records, each is a row. Symbols are the collection's own. */
type RowOfRecord<Record> = Record extends unknown
  ? { readonly [Column in keyof Record & string]-?: CellOfProperty<Record[Column]> }
  : never;

type RowOfDeclared<Record, Columns> = {
  readonly [Column in keyof Columns & string]: Column extends keyof Record
    ? CellOfProperty<Record[Column]>
    : CellOf<Columns[Column]>;
};

type CollectionRow<Given> = Given extends { readonly columns: infer Columns extends object }
  ? RowOfDeclared<RecordIn<Given>, Columns>
  : RowOfRecord<RecordIn<Given>>;

/** What may be given for a row: what the collection takes, all of it optional, or null. */
type GivenFor<Given> =
  ValuesIn<Given> extends infer Values
    ? Values extends unknown
      ? { readonly [Column in keyof Values & string]?: Values[Column] | null }
      : never
    : never;

type GivenColumns<Given> = Given extends { readonly columns: infer Columns extends object }
  ? Pick<GivenFor<Given>, keyof GivenFor<Given> & keyof Columns>
  : GivenFor<Given>;

/** Handles of collections by the names of their tables. */
export type CollectionHandles<Collections extends CollectionTables> = {
  readonly [Name in keyof Collections]: CollectionHandle<
    CollectionRow<Collections[Name]>,
    GivenColumns<Collections[Name]>
  >;
};
