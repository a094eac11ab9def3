import type { Violation } from "../../core/store/violation.ts";
import { internalKeyOf, isRelation, type RecordRelation, relationsOf } from "./record-relations.ts";

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
