import { isPlain, type JsonValue } from "../../core/schema/json.ts";
import { type TableLayout, makeRow } from "../../core/store/table-layout.ts";
import {
  BlobValue,
  type Row,
  type Value,
  deepestNesting,
  integerValue,
} from "../../core/store/value.ts";
import type { LiveCollection } from "./collection.ts";

/** A record as a row: a frozen copy without references to the collection. */
export function recordRow(layout: TableLayout, record: object): Row {
  return makeRow(
    layout,
    layout.columnNames.map((column) => recordCell(record, column)),
  );
}

/**
 * The value of a record's property in a row, as in JSON. Dates become ISO texts; missing values, and those that JSON
 * lacks, become NULL. Relations are not columns.
 */
export function recordCell(record: object, column: string): Value {
  if (!Object.hasOwn(record, column)) return null;
  const value: unknown = Reflect.get(record, column);
  if (typeof value === "bigint") return fromBigInt(value);
  return typeof value === "object" && value !== null
    ? cellOfObject(record, column, value)
    : primitiveJson(value);
}

function cellOfObject(record: object, column: string, value: object): Value {
  const relations = relationsOf(record);
  if (relations?.has(column) === true) return null;
  if (value instanceof Uint8Array) return new BlobValue(new Uint8Array(value));
  return objectJson(value, { path: column, relations, within: new Set([record]) });
}

/** The names of a record's own properties, without relations. */
export function columnsOf(record: object): readonly string[] {
  const relations = relationsOf(record);
  const names = Object.keys(record);
  return relations === undefined ? names : names.filter((name) => !relations.has(name));
}

function fromBigInt(value: bigint): Value {
  return BigInt.asIntN(64, value) === value ? integerValue(value) : Number(value);
}

interface Place {
  /** The value's path in the record, spelled like the paths of relations. */
  readonly path: string;
  readonly relations: RelationMap | undefined;
  /** The objects around the value, to which it must not refer back. */
  readonly within: Set<object>;
}

function jsonOf(value: unknown, place: Place): JsonValue {
  return typeof value === "object" && value !== null
    ? objectJson(value, place)
    : primitiveJson(value);
}

function primitiveJson(value: unknown): JsonValue {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      // Stored rows have no negative zero.
      return Number.isFinite(value) ? value + 0 : null;
    case "bigint":
      return Number(value);
    default:
      return null;
  }
}

function objectJson(value: object, place: Place): JsonValue {
  const { within } = place;
  if (within.has(value) || within.size > deepestNesting) return null;
  within.add(value);
  const json = partsJson(value, place);
  within.delete(value);
  return json;
}

function partsJson(value: object, place: Place): JsonValue {
  const toJson: unknown = Reflect.get(value, "toJSON");
  if (typeof toJson === "function") return jsonOf(Reflect.apply(toJson, value, []), place);
  if (Array.isArray(value)) {
    const items = value.map((item, at) => jsonOf(item, { ...place, path: `${place.path}.${at}` }));
    return Object.freeze(items);
  }
  // A record inside another record has relations of its own.
  const own = relationsOf(value);
  const relations = own ?? place.relations;
  const entries: [string, JsonValue][] = [];
  for (const name of Object.keys(value)) {
    const path = own === undefined ? `${place.path}.${name}` : name;
    if (relations?.has(path) === true) continue;
    const part: unknown = Reflect.get(value, name);
    if (!isLeftOut(part)) entries.push([name, jsonOf(part, { ...place, path, relations })]);
  }
  // Unlike assignment, this makes an ordinary property of a key such as `__proto__`.
  return Object.freeze(Object.fromEntries(entries));
}

/** Whether JSON leaves a value out of objects. */
function isLeftOut(value: unknown): boolean {
  return value === undefined || typeof value === "function" || typeof value === "symbol";
}

/** The relation at one property of a record: the internal keys of other records. */
interface RecordRelation {
  readonly foreignKeys: Set<unknown>;
  /** The property's value if nothing is related. */
  readonly getDefaultValue: () => unknown;
}

/** A record's relations by path (`author`, `address.country`). */
type RelationMap = ReadonlyMap<unknown, unknown>;

/** The relations of a record; undefined for other objects. */
export function relationsOf(record: object): RelationMap | undefined {
  // The package does not export the symbol, so it is found by name.
  const symbols = Object.getOwnPropertySymbols(record);
  const symbol = symbols.find(({ description }) => description === "kRelationMap");
  const relations: unknown = symbol === undefined ? undefined : Reflect.get(record, symbol);
  return relations instanceof Map ? relations : undefined;
}

function isRelation(value: unknown): value is RecordRelation {
  return (
    typeof value === "object" &&
    value !== null &&
    "foreignKeys" in value &&
    value.foreignKeys instanceof Set &&
    "getDefaultValue" in value &&
    typeof value.getDefaultValue === "function"
  );
}

/** The records of a collection at one moment, with their relations. */
export class CollectionSnapshot {
  readonly records: readonly object[];
  readonly relations: readonly {
    readonly foreignKeys: Set<unknown>;
    readonly keys: readonly unknown[];
  }[];

  constructor({ records, relations }: Pick<CollectionSnapshot, "records" | "relations">) {
    this.records = records;
    this.relations = relations;
  }
}

/** Remembers all records. An update replaces a record and never changes it. */
export function takeSnapshot(collection: Pick<LiveCollection, "all">): CollectionSnapshot {
  const records = [...collection.all()];
  const relations = records.flatMap((record) =>
    [...(relationsOf(record)?.values() ?? [])].filter(isRelation).map(({ foreignKeys }) => ({
      foreignKeys,
      keys: [...foreignKeys],
    })),
  );
  return new CollectionSnapshot({ records, relations });
}

/**
 * Restores the same record objects. They go straight into the collection's array, since its own methods would create
 * other records, asynchronously and with other internal keys.
 */
export function restoreRecords(
  collection: Pick<LiveCollection, "all">,
  { records, relations }: CollectionSnapshot,
): void {
  const kept = collection.all();
  kept.length = 0;
  for (const record of records) kept.push(record);
  for (const { foreignKeys, keys } of relations) {
    foreignKeys.clear();
    for (const key of keys) foreignKeys.add(key);
  }
}

/**
 * A record as the collection will pass it to its schema in an update: with its related records, but without those that
 * refer back to it.
 */
export function validationInput(record: object): Record<string, unknown> {
  return copyObject(record, new Set());
}

function copyValue(value: unknown, seen: Set<object>): unknown {
  if (Array.isArray(value)) return value.map((item) => copyValue(item, seen));
  return typeof value === "object" && value !== null && isPlain(value)
    ? copyObject(value, seen)
    : value;
}

function copyObject(object: object, seen: Set<object>): Record<string, unknown> {
  const relations = relationsOf(object);
  const leadsBack = relations !== undefined && seen.has(object);
  if (relations !== undefined) seen.add(object);
  return Object.fromEntries(
    Object.keys(object).map((name) => {
      const value: unknown = Reflect.get(object, name);
      const relation = leadsBack ? relations.get(name) : undefined;
      const isCut = isRelation(relation) && value !== null && value !== undefined;
      return [name, isCut ? relation.getDefaultValue() : copyValue(value, seen)];
    }),
  );
}
