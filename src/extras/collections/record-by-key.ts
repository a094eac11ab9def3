import type { TableLayout } from "../../core/store/table-layout.ts";
import type { Value } from "../../core/store/value.ts";
import type { CollectionSource } from "./collection.ts";
import { findRecord } from "./scan.ts";

/** The first record with this key, given in key order. */
export function recordByKey(
  { collection }: CollectionSource,
  layout: TableLayout,
  key: readonly Value[],
): object | undefined {
  const { primaryKey } = layout.schema;
  if (primaryKey.length === 0) return undefined;
  const rules = primaryKey.flatMap((column) => layout.rules(column) ?? []);
  const values = primaryKey.map((column, at) => asStored(layout, column, key[at] ?? null));
  return findRecord(collection.all(), primaryKey, { rules, values });
}

/** A value of a key counts as its column would store it, where it would. */
function asStored({ cells, storage }: TableLayout, name: string, value: Value): Value {
  const kind = cells.find(({ column }) => column.name === name)?.kind;
  if (value === null || kind === undefined) return value;
  const fitting = storage.fit(value, kind);
  return fitting.ok ? fitting.value : value;
}
