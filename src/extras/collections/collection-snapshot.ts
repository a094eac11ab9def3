import type { CollectionSnapshot } from "../../core/emulator/foreign-tables.ts";
import type { LiveCollection } from "./collection.ts";
import { isRelation, relationsOf } from "./record-relations.ts";

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
export function putBack(
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
