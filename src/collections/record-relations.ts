/** What a record is related to at one of its properties: the internal keys of other records. */
export interface RecordRelation {
  readonly foreignKeys: Set<unknown>;
  /** What the property has where nothing is related. */
  readonly getDefaultValue: () => unknown;
}

/** A record's relations by path (`author`, `address.country`). */
export type RelationMap = ReadonlyMap<unknown, unknown>;

/** The relations of a record, or undefined when it is no record. */
export function relationsOf(record: object): RelationMap | undefined {
  for (const symbol of Object.getOwnPropertySymbols(record)) {
    // Not exported by the package, so it is known by its name.
    if (symbol.description !== "kRelationMap") continue;
    const relations: unknown = Reflect.get(record, symbol);
    if (relations instanceof Map) return relations;
  }
  return undefined;
}

export function isRelation(value: unknown): value is RecordRelation {
  return (
    typeof value === "object" &&
    value !== null &&
    "foreignKeys" in value &&
    value.foreignKeys instanceof Set &&
    "getDefaultValue" in value &&
    typeof value.getDefaultValue === "function"
  );
}
