import type { LiveCollection } from "./collection.ts";
import { isRelation, relationsOf } from "./record-relations.ts";

/** What a relation of a collection's records leads to. */
export interface RelationTarget {
  /** Whether it is a list of records. */
  readonly isMany: boolean;
  readonly collections: readonly object[];
}

/** Relations that a collection without records told of when it refused one. */
const told = new WeakMap<object, Map<string, RelationTarget>>();

/** The relations at the top of a collection's records, by property. Each record knows them, the collection does not. */
export function relationTargets(
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
