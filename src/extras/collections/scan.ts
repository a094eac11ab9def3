import { compileCondition, rulesOf } from "../../core/store/filter.ts";
import type { Condition } from "../../core/store/operators.ts";
import {
  type ComparisonRules,
  type OrderValue,
  compareOrderValues,
  orderValue,
} from "../../core/store/order-value.ts";
import type { Query, Sort } from "../../core/store/query.ts";
import type { TableLayout } from "../../core/store/table-layout.ts";
import type { Value } from "../../core/store/value.ts";
import type { CollectionSource } from "./collection.ts";
import { recordCell } from "./records.ts";

/** The records that a query asks for, by the store's rules for conditions, order and window. */
export function scan(
  layout: TableLayout,
  records: readonly object[],
  query: Query,
): readonly object[] {
  const { where, sort, offset = 0, limit = Infinity } = query;
  const end = offset + limit;
  const passes = compileConditions(layout, where);
  const ordered = inRowIdOrder(layout, records, sort?.rowIdDescending === true);
  if (sort === undefined || sort.by.length === 0) {
    return firstMatching(ordered, passes, end).slice(offset);
  }
  return sorted(layout, ordered.filter(passes), sort).slice(offset, end);
}

function firstMatching(
  records: readonly object[],
  passes: (record: object) => boolean,
  most: number,
): readonly object[] {
  const matching: object[] = [];
  for (const record of records) {
    if (matching.length >= most) break;
    if (passes(record)) matching.push(record);
  }
  return matching;
}

function compileConditions(
  layout: TableLayout,
  where: readonly Condition[],
): (record: object) => boolean {
  const tests = where.map((condition) => {
    const { column } = condition;
    return { column, passes: compileCondition(condition, rulesOf(layout, column)) };
  });
  return (record) => tests.every(({ column, passes }) => passes(recordCell(record, column)));
}

/** By the integer primary key where there is one, which stands for the row id, else by the order of making. */
function inRowIdOrder(
  layout: TableLayout,
  records: readonly object[],
  descending = false,
): readonly object[] {
  const { rowIdColumn } = layout;
  const ascending =
    rowIdColumn === undefined || isAscending(layout, records, rowIdColumn)
      ? records
      : sorted(layout, records, { by: [{ column: rowIdColumn, descending: false }] });
  return descending ? ascending.toReversed() : ascending;
}

/** Whether records are in order already, as they are where keys were generated. */
function isAscending(layout: TableLayout, records: readonly object[], column: string): boolean {
  const rules = rulesOf(layout, column);
  let previous: OrderValue = null;
  for (const record of records) {
    const value = orderValue(recordCell(record, column), rules);
    if (compareOrderValues(previous, value) > 0) return false;
    previous = value;
  }
  return true;
}

/** JavaScript's sort is stable, so ties stay as they were. */
function sorted(layout: TableLayout, records: readonly object[], { by }: Sort): readonly object[] {
  const keys = by.map(({ column, descending }) => ({
    column,
    rules: rulesOf(layout, column),
    direction: descending ? -1 : 1,
  }));
  const compare = (left: Keyed, right: Keyed): number => {
    for (const [at, { direction }] of keys.entries()) {
      const sign = compareOrderValues(left.values[at] ?? null, right.values[at] ?? null);
      if (sign !== 0) return direction * sign;
    }
    return 0;
  };
  return records
    .map((record): Keyed => {
      const values = keys.map(({ column, rules }) => orderValue(recordCell(record, column), rules));
      return { record, values };
    })
    .toSorted(compare)
    .map(({ record }) => record);
}

interface Keyed {
  readonly record: object;
  readonly values: readonly OrderValue[];
}

/** The first record that has these values in these columns; NULL equals nothing. */
export function findRecord(
  records: readonly object[],
  columns: readonly string[],
  options: {
    readonly rules: readonly ComparisonRules[];
    readonly values: readonly Value[];
    /** A record that does not count. */
    readonly except?: object | undefined;
  },
): object | undefined {
  const { rules, values, except } = options;
  const wanted = rules.map((own, at) => orderValue(values[at] ?? null, own));
  if (wanted.includes(null)) return undefined;
  const isWanted = (record: object): boolean =>
    rules.every((own, at) => {
      const value = orderValue(recordCell(record, columns[at] ?? ""), own);
      return compareOrderValues(value, wanted[at] ?? null) === 0;
    });
  return records.find((record) => record !== except && isWanted(record));
}

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
