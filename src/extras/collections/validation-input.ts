import { isRelation, relationsOf } from "./record-relations.ts";

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
