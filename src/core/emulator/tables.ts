import { EmulatorError } from "../errors/emulator-error.ts";
import { didYouMean } from "../errors/show.ts";
import type { Table, WriteResult, Written } from "../store/table.ts";
import {
  type Value,
  BlobValue,
  ExactInteger,
  integerValue,
  isDatabaseValue,
} from "../store/value.ts";
import type { StateOwner } from "./state.ts";
import type { Row as StoredRow } from "../store/value.ts";
import type { JsonValue } from "../schema/json.ts";

/** A primary key: its value, or for a composite key its values in key order. */
export type Key = RowValue | readonly RowValue[];

/** The rows of one table, for code that runs beside the emulator. Requests see changes at once. */
export interface TableHandle<R extends object = Row> {
  readonly name: string;
  /** The number of rows. */
  readonly size: number;
  /** All rows in row id order. */
  readonly rows: () => readonly R[];
  /** The row with this primary key, or undefined. */
  readonly get: (key: Key) => R | undefined;
  /** Adds a row and returns it as stored, with generated key and defaults. Throws `ERR_ROW_REFUSED`. */
  readonly insert: (row: Partial<R>) => R;
  /** Changes some columns of a row. Throws `ERR_ROW_REFUSED`, also for a missing row. */
  readonly update: (key: Key, changes: Partial<R>) => R;
  /** Replaces a whole row. Columns left out get their default, else NULL. Throws `ERR_ROW_REFUSED`. */
  readonly replace: (key: Key, row: Partial<R>) => R;
  /** Deletes a row; false if there was none. Throws `ERR_ROW_REFUSED` while other rows refer to it. */
  readonly delete: (key: Key) => boolean;
}

/** A handle of synchronous or asynchronous tables: the table decides whether writes return promises. */
interface AnyHandle extends Pick<TableHandle, "name" | "size" | "rows" | "get"> {
  readonly insert: (row: Partial<Row>) => Row | Promise<Row>;
  readonly update: (key: Key, changes: Partial<Row>) => Row | Promise<Row>;
  readonly replace: (key: Key, row: Partial<Row>) => Row | Promise<Row>;
  readonly delete: (key: Key) => boolean | Promise<boolean>;
}

/** Tables by name. An unknown name throws `ERR_TABLE_UNKNOWN` with the nearest. */
export function tableHandles(owner: StateOwner): Readonly<Record<string, AnyHandle>> {
  return new Proxy(Object.create(null), {
    get: (_, name) => (typeof name === "string" ? handleOf(owner, name) : undefined),
    has: (_, name) => typeof name === "string" && owner.state.database.table(name) !== undefined,
    ownKeys: () => owner.state.database.names(),
    getOwnPropertyDescriptor: (_, name) =>
      typeof name === "string" && owner.state.database.table(name) !== undefined
        ? { enumerable: true, configurable: true, value: handleOf(owner, name) }
        : undefined,
  });
}

/** Names that languages and test runners look up on any object, so they are not misspelt names of tables. */
const namesLookedUpOnAnyObject = new Set([
  "then",
  "toJSON",
  "asymmetricMatch",
  "$$typeof",
  "nodeType",
]);

function handleOf(owner: StateOwner, name: string): AnyHandle | undefined {
  const { database } = owner.state;
  if (database.table(name) === undefined) {
    if (namesLookedUpOnAnyObject.has(name)) return undefined;
    throw new EmulatorError(
      "ERR_TABLE_UNKNOWN",
      `Cannot use the table "${name}": the fixtures have no such table.` +
        `${didYouMean(name, database.names())} Tables: ${[...database.names()].join(", ") || "none"}.`,
    );
  }
  return handle(name, () => tableNow(owner, name));
}

/** Looked up for each use, since loading other fixtures replaces the tables. */
function tableNow(owner: StateOwner, name: string): Table {
  const table = owner.state.database.table(name);
  if (table !== undefined) return table;
  throw new EmulatorError(
    "ERR_TABLE_UNKNOWN",
    `Cannot use the table "${name}": the current fixtures no longer have it.`,
  );
}

function handle(name: string, table: () => Table): AnyHandle {
  const accepted =
    (what: string) =>
    (result: WriteResult): Row =>
      accept(name, what, result);
  const given = (row: Partial<Row>): Readonly<Record<string, Value>> =>
    definedOnly(row, "takesBigints" in table() ? exactValue : givenValue);
  return {
    name,
    get size() {
      return table().size;
    },
    rows: () => table().rows().map(plainRow),
    get: (key) => {
      const row = table().get(keyValues(key));
      return row && plainRow(row);
    },
    insert: (row) => settle(table().insert(given(row)), accepted("insert a row into")),
    update: (key, changes) =>
      settle(table().update(keyValues(key), given(changes)), accepted("update a row of")),
    replace: (key, row) =>
      settle(table().replace(keyValues(key), given(row)), accepted("replace a row of")),
    delete: (key) =>
      settle(table().delete(keyValues(key)), (result) => {
        if (!result.ok && result.violations.some(({ kind }) => kind === "row-missing"))
          return false;
        accept(name, "delete a row of", result);
        return true;
      }),
  };
}

/** Passes the result of a write on: at once, or as a promise if the table is asynchronous. */
function settle<Result>(
  written: Written,
  finish: (result: WriteResult) => Result,
): Result | Promise<Result> {
  return written instanceof Promise ? written.then(finish) : finish(written);
}

function keyValues(key: Key): readonly Value[] {
  return isSeveral(key) ? key.map(givenValue) : [givenValue(key)];
}

function isSeveral(key: Key): key is readonly RowValue[] {
  return Array.isArray(key);
}

/** A property that is present but undefined counts as left out, as in JSON. */
function definedOnly(
  row: Partial<Row>,
  valueOf: (value: RowValue) => Value,
): Readonly<Record<string, Value>> {
  // Assignment would lose a column named `__proto__`.
  return Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, valueOf(value)]],
    ),
  );
}

function accept(name: string, what: string, result: WriteResult): Row {
  if (result.ok) return plainRow(result.row);
  const problems = result.violations.map(({ message }) => ({ message }));
  throw new EmulatorError(
    "ERR_ROW_REFUSED",
    `Cannot ${what} "${name}": ${problems.map(({ message }) => message).join(" ")}`,
    { problems },
  );
}

/** A value as code sees it: bigints for integers beyond a number, byte arrays for blobs. */
export type RowValue = JsonValue | bigint | Uint8Array;

/** A row as code sees it: a value per column, by name, in column order. */
export type Row = Readonly<Record<string, RowValue>>;

/**
 * A row for code that runs beside the emulator, mostly the stored row itself. A row with values beyond JSON
 * serialises as clients see it: `JSON.stringify` would throw at a bigint.
 */
export function plainRow(row: StoredRow): Row {
  if (isPlain(row)) return row;
  const values = Object.entries(row).map(([name, value]) => [name, plainValue(value)]);
  const plain: Row = Object.fromEntries(values);
  if (Object.hasOwn(plain, "toJSON")) return Object.freeze(plain);
  return Object.freeze(Object.defineProperty(plain, "toJSON", { value: () => row }));
}

function isPlain(row: StoredRow): row is Readonly<Record<string, JsonValue>> {
  return Object.values(row).every((value) => !isDatabaseValue(value));
}

function plainValue(value: Value): RowValue {
  if (!isDatabaseValue(value)) return value;
  // A copy, so that nobody can change the stored value.
  return value instanceof BlobValue ? value.bytes.slice() : value.value;
}

/** A value given by code, as tables take it. */
export function givenValue(value: RowValue): Value {
  return typeof value === "bigint" ? integerValue(value) : exactValue(value);
}

/** Like `givenValue`, but every bigint stays a bigint, for tables made of records. */
export function exactValue(value: RowValue): Value {
  if (typeof value === "bigint") return new ExactInteger(value);
  return value instanceof Uint8Array ? new BlobValue(value.slice()) : value;
}
