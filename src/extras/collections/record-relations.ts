/** What a record is related to at one of its properties: the internal keys of other records. */
export interface RecordRelation {
  readonly foreignKeys: Set<unknown>;
  /** What the property has where nothing is related. */
  readonly getDefaultValue: () => unknown;
  readonly foreignCollections: readonly unknown[];
  /** The relations by which another record is related to the collection that this one belongs to. */
  readonly getRelationsToOwner: (record: object) => readonly unknown[];
  readonly options?: { readonly unique?: boolean };
}

/** A record's relations by path (`author`, `address.country`). */
export type RelationMap = ReadonlyMap<unknown, unknown>;

/** The relations of a record, or undefined when it is no record. */
export function relationsOf(record: object): RelationMap | undefined {
  const relations = internal(record, "kRelationMap");
  return relations instanceof Map ? relations : undefined;
}

/** The key by which the package itself knows a record; undefined when it is no record. */
export function internalKeyOf(record: object): unknown {
  return internal(record, "kPrimaryKey");
}

/** The symbols are not exported by the package, so they are known by their names. */
function internal(record: object, name: string): unknown {
  const symbols = Object.getOwnPropertySymbols(record);
  const symbol = symbols.find(({ description }) => description === name);
  return symbol === undefined ? undefined : Reflect.get(record, symbol);
}

export function isRelation(value: unknown): value is RecordRelation {
  return (
    typeof value === "object" &&
    value !== null &&
    "foreignKeys" in value &&
    value.foreignKeys instanceof Set &&
    "getDefaultValue" in value &&
    typeof value.getDefaultValue === "function" &&
    "foreignCollections" in value &&
    Array.isArray(value.foreignCollections) &&
    "getRelationsToOwner" in value &&
    typeof value.getRelationsToOwner === "function"
  );
}
