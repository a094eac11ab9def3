import type { CollectionSnapshot } from "../../core/emulator/backends.ts";
import type { JsonValue } from "../../core/schema/json.ts";
import { type TableLayout, makeRow } from "../../core/store/table-layout.ts";
import {
  BlobValue,
  type Row,
  type Value,
  deepestNesting,
  integerValue,
} from "../../core/store/value.ts";
import type { LiveCollection } from "./collection.ts";

/** A record as a row: a frozen copy in which nothing of the collection is left. */
export function recordRow(layout: TableLayout, record: object): Row {
  return makeRow(
    layout,
    layout.columnNames.map((column) => recordCell(record, column)),
  );
}

/**
 * What a row has of a record in one column: what JSON would have of it. Dates are their ISO texts; what is
 * left out, or nothing that JSON can say, is NULL. Relations are no columns.
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

/** The names of a record's own properties that are no relations. */
export function columnsOf(record: object): readonly string[] {
  const relations = relationsOf(record);
  const names = Object.keys(record);
  return relations === undefined ? names : names.filter((name) => !relations.has(name));
}

function fromBigInt(value: bigint): Value {
  return BigInt.asIntN(64, value) === value ? integerValue(value) : Number(value);
}

interface Place {
  /** Where in its record, in the form in which relations are named. */
  readonly path: string;
  readonly relations: RelationMap | undefined;
  /** The objects around it, which it must not lead back to. */
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
      // As stored rows have it: no negative zero.
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
  // A record within a record has relations of its own.
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

/** What JSON leaves out of objects. */
function isLeftOut(value: unknown): boolean {
  return value === undefined || typeof value === "function" || typeof value === "symbol";
}

/** What a record is related to at one of its properties: the internal keys of other records. */
interface RecordRelation {
  readonly foreignKeys: Set<unknown>;
  /** What the property has where nothing is related. */
  readonly getDefaultValue: () => unknown;
}

/** A record's relations by path (`author`, `address.country`). */
type RelationMap = ReadonlyMap<unknown, unknown>;

/** The relations of a record, or undefined when it is no record. */
export function relationsOf(record: object): RelationMap | undefined {
  // The package does not export the symbol, so it is known by its name.
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

/** Takes note of all records. A record is never changed by an update, but replaced. */
export function takeSnapshot(collection: Pick<LiveCollection, "all">): CollectionSnapshot {
  const records = [...collection.all()];
  const relations = records.flatMap((record) =>
    [...(relationsOf(record)?.values() ?? [])].filter(isRelation).map(({ foreignKeys }) => ({
      foreignKeys,
      keys: [...foreignKeys],
    })),
  );
  return { records, relations };
}

/**
 * Puts the very records back that there were. They go into the array that the collection keeps them in, since
 * its own methods would make other records of them, late, and with other internal keys.
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
 * A record as its schema is asked about it before an update, in the way in which the collection itself will ask:
 * with the records that it is related to, but not with those that lead back to it.
 */
export function validationInput(record: object): Record<string, unknown> {
  return copyObject(record, new Set());
}

function copyValue(value: unknown, seen: Set<object>): unknown {
  if (Array.isArray(value)) return value.map((item) => copyValue(item, seen));
  return isPlain(value) ? copyObject(value, seen) : value;
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

function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
