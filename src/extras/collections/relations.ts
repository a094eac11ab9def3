import { type GivenRow, type Value, copyValue } from "../../core/store/value.ts";
import { type Violation, referenceMissing, wrongType } from "../../core/store/violation.ts";
import type { LiveCollection } from "./collection.ts";
import { withoutColumns } from "./given-values.ts";
import {
  type RecordRelation,
  internalKeyOf,
  isRelation,
  relationsOf,
  validationInput,
} from "./records.ts";
import type { TableShape } from "./table-shape.ts";

/** What was given for relations, and the rest of the row. */
export interface GivenLinks {
  /** The related record of each relation, or a list of them. */
  readonly links: ReadonlyMap<string, object | readonly object[]>;
  readonly rest: GivenRow;
  readonly violations: readonly Violation[];
}

/** Finds the records that a row is to be related to. They are given by their keys, or as objects that have those. */
export function readLinks(
  collection: Pick<LiveCollection, "all">,
  { layout, isDeclared }: TableShape,
  { given, isNew }: { readonly given: GivenRow; readonly isNew: boolean },
): GivenLinks {
  const links = new Map<string, object | readonly object[]>();
  const violations: Violation[] = [];
  const names = new Set<string>();
  for (const [name, target] of relationTargets(collection)) {
    if (!Object.hasOwn(given, name) || given[name] === undefined) continue;
    if (isDeclared && !layout.columnNames.includes(name)) continue;
    names.add(name);
    // A new record is related to nothing; of one that is, the package cannot take the relation away.
    if (isNew && given[name] === null && !target.isMany) continue;
    const found = findLinks({ table: layout.schema.name, name, target }, given[name]);
    if (found.ok) links.set(name, found.link);
    else violations.push(found.violation);
  }
  return { links, rest: withoutColumns(given, names), violations };
}

/** The same as the collection's schema is asked about it. */
export function linkInputs({ links }: GivenLinks): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    [...links].map(([name, link]) => [
      name,
      isList(link) ? link.map(validationInput) : validationInput(link),
    ]),
  );
}

type Found<Link> =
  | { readonly ok: true; readonly link: Link }
  | { readonly ok: false; readonly violation: Violation };

interface Relation {
  readonly table: string;
  readonly name: string;
  readonly target: RelationTarget;
}

function findLinks(relation: Relation, given: unknown): Found<object | readonly object[]> {
  if (!relation.target.isMany) return findRecord(relation, given);
  if (!Array.isArray(given)) return { ok: false, violation: noKey(relation, given) };
  const records: object[] = [];
  for (const one of given) {
    const found = findRecord(relation, one);
    if (!found.ok) return found;
    records.push(found.link);
  }
  return { ok: true, link: records };
}

function findRecord(relation: Relation, given: unknown): Found<object> {
  const tables = relation.target.collections.flatMap((one) => servedCollection(one) ?? []);
  let missing: Violation | undefined;
  for (const table of tables) {
    const key = keyOf(table, given);
    if (key === undefined) continue;
    const link = table.recordByKey(key);
    if (link !== undefined) return { ok: true, link };
    const to = { table: table.name, columns: table.primaryKey };
    const { table: own, name } = relation;
    missing ??= referenceMissing({ table: own, columns: [name], to }, key);
  }
  return { ok: false, violation: missing ?? noKey(relation, given) };
}

/** The values of a key, given as an object's properties or, of a key of one column, by itself. */
function keyOf({ primaryKey }: ServedCollection, given: unknown): readonly Value[] | undefined {
  if (primaryKey.length === 0 || given === null || Array.isArray(given)) return undefined;
  const isWhole = typeof given === "object";
  if (!isWhole && primaryKey.length > 1) return undefined;
  const key: Value[] = [];
  for (const name of primaryKey) {
    const own = isWhole && Object.hasOwn(given, name) ? Reflect.get(given, name) : undefined;
    const value = copyValue(isWhole ? own : given);
    if (value === undefined) return undefined;
    key.push(value);
  }
  return key;
}

function noKey({ name, target }: Relation, given: unknown): Violation {
  const tables = target.collections.map((one) => servedCollection(one)?.name);
  const names = tables.flatMap((table) => (table === undefined ? [] : `"${table}"`));
  if (names.length === 0) {
    const message = `Column "${name}" relates to a collection that is not served as a table.`;
    return { kind: "reference-missing", message, columns: [name] };
  }
  const key = `the key of a row of ${names.join(" or ")}`;
  const expected = target.isMany ? `a list, each item ${key}` : key;
  return wrongType(name, given, { type: "", expected: `${expected}, or an object with it` });
}

function isList(link: object | readonly object[]): link is readonly object[] {
  return Array.isArray(link);
}

type Links = ReadonlyMap<string, object | readonly object[]>;

/**
 * Relates a record to others, from both sides. Not by the collection's own `update`: where both sides have a relation,
 * it copies one record after the other until it runs out of stack.
 */
export function relate(record: object, links: Links): void {
  const own = internalKeyOf(record);
  for (const [name, link] of links) {
    const relation = relationAt(record, name);
    if (relation === undefined) continue;
    const { foreignKeys } = relation;
    for (const other of relatedRecords(relation)) {
      for (const back of backRelations(relation, other)) back.foreignKeys.delete(own);
    }
    foreignKeys.clear();
    for (const other of [link].flat()) {
      foreignKeys.add(internalKeyOf(other));
      for (const back of backRelations(relation, other)) back.foreignKeys.add(own);
    }
  }
}

/** Relations that are unique, and whose record another one has already. */
export function takenLinks(
  links: Links,
  { records, record }: { readonly records: readonly object[]; readonly record: object | undefined },
): readonly Violation[] {
  if (links.size === 0) return [];
  const others = records.filter((other) => other !== record);
  return [...links].flatMap(([name, link]): readonly Violation[] => {
    const wanted = new Set([link].flat().map(internalKeyOf));
    const isTaken = others.some((other) => {
      const relation = relationAt(other, name);
      if (relation?.options?.unique !== true) return false;
      return [...relation.foreignKeys].some((key) => wanted.has(key));
    });
    const message = `Column "${name}" is unique, and another row is related to the same.`;
    return isTaken ? [{ kind: "unique", message, columns: [name] }] : [];
  });
}

function relationAt(record: object, name: string): RecordRelation | undefined {
  const relation = relationsOf(record)?.get(name);
  return isRelation(relation) ? relation : undefined;
}

function backRelations(relation: RecordRelation, other: object): readonly RecordRelation[] {
  return relation.getRelationsToOwner(other).filter(isRelation);
}

function relatedRecords({ foreignCollections, foreignKeys }: RecordRelation): readonly object[] {
  return foreignCollections
    .flatMap(recordsOf)
    .filter((record) => foreignKeys.has(internalKeyOf(record)));
}

function recordsOf(collection: unknown): readonly object[] {
  if (typeof collection !== "object" || collection === null || !("all" in collection)) return [];
  const records: unknown = typeof collection.all === "function" ? collection.all() : [];
  return Array.isArray(records) ? records : [];
}

/** What a relation of a collection's records leads to. */
interface RelationTarget {
  /** Whether it is a list of records. */
  readonly isMany: boolean;
  readonly collections: readonly object[];
}

/** Relations that a collection without records told of when it refused one. */
const told = new WeakMap<object, Map<string, RelationTarget>>();

/** The relations at the top of a collection's records, by property. Each record knows them, the collection does not. */
function relationTargets(
  collection: Pick<LiveCollection, "all">,
): ReadonlyMap<string, RelationTarget> {
  const [first] = collection.all();
  if (first === undefined) return told.get(collection) ?? new Map();
  const targets = new Map<string, RelationTarget>();
  for (const [path, relation] of relationsOf(first) ?? []) {
    if (typeof path !== "string" || path.includes(".") || !isRelation(relation)) continue;
    const isMany = Array.isArray(relation.getDefaultValue());
    targets.set(path, { isMany, collections: collectionsOf(relation) });
  }
  return targets;
}

/** Learns of a relation by the package's own `RelationError`; false when there is nothing new in it. */
export function learnRelation(collection: object, error: unknown, given: object): boolean {
  const details = propertyOf(error, "details");
  const path = propertyOf(details, "path");
  const collections = collectionsOf(details);
  if (!Array.isArray(path) || path.length !== 1 || collections.length === 0) return false;
  const name = String(path[0]);
  const known = told.get(collection) ?? new Map<string, RelationTarget>();
  if (known.has(name)) return false;
  known.set(name, { isMany: Array.isArray(propertyOf(given, name)), collections });
  told.set(collection, known);
  return true;
}

function collectionsOf(relation: unknown): readonly object[] {
  const collections = propertyOf(relation, "foreignCollections");
  return Array.isArray(collections) ? collections.filter(isObject) : [];
}

function propertyOf(value: unknown, name: string): unknown {
  return isObject(value) ? Reflect.get(value, name) : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** How the records of a collection are found that is served as a table. */
export interface ServedCollection {
  readonly name: string;
  readonly primaryKey: readonly string[];
  readonly recordByKey: (key: readonly Value[]) => object | undefined;
}

const served = new WeakMap<object, () => ServedCollection>();

/** Makes a collection known to those whose records relate to its records. */
export function serveCollection(collection: object, describe: () => ServedCollection): void {
  served.set(collection, describe);
}

/** Undefined where a collection is no table of any emulator. */
function servedCollection(collection: object): ServedCollection | undefined {
  return served.get(collection)?.();
}
