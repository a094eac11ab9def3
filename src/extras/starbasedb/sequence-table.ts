import { MemoryTable } from "../../core/store/memory-table.ts";
import { rowIdOf } from "../../core/store/table-layout.ts";
import type { GivenRow } from "../../core/store/row-draft.ts";
import type { Table, Written } from "../../core/store/table.ts";
import { type RowId, WholeReal, integerValue } from "../../core/store/value.ts";

/**
 * `sqlite_sequence` as clients may write to it. The first entry of a table is the last key that it gave; further
 * ones, which SQLite never looks at, are taken and not kept.
 */
export function writableSequence(entries: Table, counted: readonly Table[]): Table {
  const insert = (given: GivenRow): Written => {
    const result = entries.insert(given);
    const table = counted.find(({ schema }) => schema.name === given["name"]);
    const isFirst = table !== undefined && table.sequence === undefined;
    if (isFirst && table instanceof MemoryTable) table.reserveId(keyOf(given["seq"]));
    return result;
  };
  return {
    schema: entries.schema,
    size: entries.size,
    rows: () => entries.rows(),
    get: (key) => entries.get(key),
    select: (query) => entries.select(query),
    explain: (query) => entries.explain(query),
    insert,
    replace: (key, given) => entries.replace(key, given),
    update: (key, changes) => entries.update(key, changes),
    delete: (key) => entries.delete(key),
  };
}

const mostKeys = 2n ** 63n;

/** The key that SQLite makes of what clients can send: the whole number that a text begins with, and no fraction. */
function keyOf(value: unknown): RowId {
  const number = value instanceof WholeReal ? value.value : value;
  if (typeof number === "number") return idOf(wholePart(number));
  const [digits] = typeof number === "string" ? (/^\s*[+-]?\d+/.exec(number) ?? []) : [];
  return idOf(BigInt(digits?.replace("+", "") ?? 0));
}

function wholePart(number: number): bigint {
  if (Number.isFinite(number)) return BigInt(Math.trunc(number));
  return number > 0 ? mostKeys : -mostKeys;
}

function idOf(number: bigint): RowId {
  const most = number >= mostKeys ? mostKeys - 1n : number;
  return rowIdOf(integerValue(most < -mostKeys ? -mostKeys : most)) ?? 0;
}
