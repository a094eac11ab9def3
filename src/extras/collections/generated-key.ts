import type { TableLayout } from "../../core/store/table-layout.ts";
import { ExactInteger } from "../../core/store/value.ts";
import type { CollectionSource } from "./collection.ts";
import type { Changes } from "./given-values.ts";
import { type Judgement, judge } from "./judge.ts";
import { recordCell } from "./record-cells.ts";
import type { Validation } from "./standard-schema.ts";
import type { TableShape } from "./table-shape.ts";

/**
 * Asks the schema about a new record: `base` is what it is related to. A key that is left out is the one that the schema itself gives; where it
 * gives none, an integer key is one more than the largest.
 */
export async function judgeNew(
  { collection, schema }: CollectionSource,
  { layout, seen }: TableShape,
  {
    base,
    changes,
  }: { readonly base: Readonly<Record<string, unknown>>; readonly changes: Changes },
): Promise<Judgement> {
  const key = generatedKey(layout, seen);
  if (key === undefined || (changes.get(key) ?? null) !== null) return judge(schema, base, changes);
  const keyless = new Map(changes);
  keyless.delete(key);
  const first = await judge(schema, base, keyless);
  const { validation } = first;
  const given = validation.ok ? recordCell(validation.value, key) : null;
  // Set, so that a schema which gives another one each time gives no other to the collection.
  if (given !== null) return { ...first, changes: new Map([...first.changes, [key, given]]) };
  const needsKey = validation.ok ? layout.rowIdColumn === key : concerns(validation, key);
  if (!needsKey) return first;
  const next = nextKey(collection.all(), key, layout.storage.largestRowId);
  const second = await judge(schema, base, new Map([...keyless, [key, next]]));
  return concerns(second.validation, key) ? first : second;
}

/** Whether the schema finds something wrong with this property. */
function concerns(validation: Validation, key: string): boolean {
  return !validation.ok && validation.issues.some(({ path }) => path[0] === key);
}

/** An integer key; or `id` where no record and no schema tells the columns yet. */
function generatedKey(
  { rowIdColumn, schema }: TableLayout,
  seen: readonly string[],
): string | undefined {
  if (rowIdColumn !== undefined) return rowIdColumn;
  const [sole = "id", ...others] = schema.primaryKey;
  return seen.length === 0 && others.length === 0 ? sole : undefined;
}

/** One more than the largest; where that is no exact number any more, the smallest one free from 1 on. */
function nextKey(records: readonly object[], key: string, greatest: number | bigint): number {
  const taken = records.flatMap((record) => {
    const value = recordCell(record, key);
    const number = value instanceof ExactInteger ? Number(value.value) : value;
    return typeof number === "number" ? [Math.floor(number)] : [];
  });
  if (taken.length === 0) return 1;
  const largest = taken.reduce((left, right) => Math.max(left, right));
  if (largest < greatest) return largest + 1;
  const all = new Set(taken);
  let free = 1;
  while (all.has(free)) free++;
  return free;
}
