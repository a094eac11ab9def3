import { type ComparisonRules, orderValue, compareOrderValues } from "./order-value.ts";
import type { TableSchema } from "./schema.ts";
import type { StoredAs } from "./sorted-index.ts";
import { rowIdOf } from "./table-layout.ts";
import type { RowChange, TableState } from "./table-state.ts";
import type { Row, RowId, Value } from "./value.ts";
import { type Reference, referenceMissing, stillReferenced, type Violation } from "./violation.ts";

/** How the values on both ends of a reference compare. */
export interface ReferenceComparison {
  readonly rules: readonly ComparisonRules[];
  /** How the columns referred to would store the values of those that refer, where any is of another kind. */
  readonly stored: readonly StoredAs[] | undefined;
}

/** A reference, and how a row that refers finds the one that it refers to: by the rules of the columns referred to. */
export interface RuledReference extends Reference, ReferenceComparison {
  /** How a row finds those that refer to it. */
  readonly scan: ReferenceComparison;
}

/** A table's references, both ways. */
export interface References {
  /** From columns of this table. */
  readonly outgoing: readonly RuledReference[];
  /** To columns of this table. */
  readonly incoming: readonly RuledReference[];
}

/** The rows of a table of the same database as they are now; undefined where there is no such table. */
export type StateOf = (table: string) => TableState | undefined;

/** All foreign keys that a schema declares. */
export function declaredReferences(schema: TableSchema): readonly Reference[] {
  const { name: table, columns, foreignKeys = [] } = schema;
  const single = columns.flatMap(({ name, references }): readonly Reference[] => {
    if (references === undefined) return [];
    const to = { table: references.table, columns: [references.column] };
    return [{ table, columns: [name], to }];
  });
  return [...single, ...foreignKeys.map((key) => ({ table, columns: key.columns, to: key.to }))];
}

/** What a row refers to in vain. `replaced` is the row that it takes the place of, if any. */
export function missingReferences(
  row: Row,
  references: readonly RuledReference[],
  context: { readonly stateOf: StateOf; readonly replaced: RowId | undefined },
): readonly Violation[] {
  const missing: Violation[] = [];
  for (const reference of references) {
    const given = valuesOf(row, reference.columns);
    if (given.includes(null)) continue;
    const { table, to, rules } = reference;
    const values = referredValues(row, reference);
    const isOwn = table === to.table;
    const offers = { columns: to.columns, rules, values };
    const replaced = isOwn ? context.replaced : undefined;
    if (hasValues(context.stateOf(to.table), offers, replaced)) continue;
    if (isOwn && refersToItself(row, reference, context)) continue;
    missing.push(referenceMissing(reference, given));
  }
  return missing;
}

/**
 * Whether a row has the values that it refers to. For all but a row id SQLite asks here for the very same values,
 * whatever the collation and the kind of the column referred to.
 */
function refersToItself(
  row: Row,
  reference: RuledReference,
  { stateOf }: { readonly stateOf: StateOf },
): boolean {
  const { table, columns, to, rules } = reference;
  const own = valuesOf(row, to.columns);
  const [column] = to.columns;
  if (to.columns.length === 1 && column === stateOf(table)?.layout.rowIdColumn) {
    return areEqual(own, referredValues(row, reference), rules);
  }
  const exact = rules.map(() => exactly);
  return areEqual(own, valuesOf(row, columns), exact);
}

const exactly: ComparisonRules = { kind: "NONE", collation: "BINARY" };

/**
 * The references of other rows that a change would leave without what they refer to, and of the row itself those
 * that are not judged already.
 */
export function danglingReferences(
  { before, after }: RowChange,
  references: readonly RuledReference[],
  { stateOf, judged }: { readonly stateOf: StateOf; readonly judged: readonly RuledReference[] },
): readonly Violation[] {
  if (before === undefined) return [];
  return references.flatMap((reference) => {
    const { table, columns, to, rules, scan } = reference;
    const values = valuesOf(before.row, to.columns);
    if (values.includes(null)) return [];
    const next = after && valuesOf(after.row, to.columns);
    if (next !== undefined && areEqual(next, values, scan.rules)) return [];
    const offered = { columns: to.columns, rules, values };
    if (hasValues(stateOf(to.table), offered, before.id)) return [];
    const own = table === to.table ? before.id : undefined;
    const refers = (row: Row): boolean =>
      areEqual(comparedValues(row, columns, scan), values, scan.rules);
    const referring = (wanted: readonly Value[]): number =>
      countValues(stateOf(table), { columns, values: wanted, ...scan }, own);
    // As SQLite counts: rows that the new values match make up for as many that the old ones did.
    const isReferred =
      referring(values) > (next === undefined ? 0 : referring(next)) ||
      (own !== undefined &&
        after !== undefined &&
        !judged.includes(reference) &&
        refers(after.row));
    return isReferred ? [stillReferenced(reference, values)] : [];
  });
}

/** What a row refers to, as the columns referred to would store it. */
function referredValues(row: Row, reference: RuledReference): readonly Value[] {
  return comparedValues(row, reference.columns, reference);
}

/** The values of a row, as they are compared. */
function comparedValues(
  row: Row,
  columns: readonly string[],
  { rules, stored }: ReferenceComparison,
): readonly Value[] {
  return columns.map((column, at) => storedValue(row[column] ?? null, rules[at], stored?.[at]));
}

interface WantedValues {
  readonly columns: readonly string[];
  readonly rules: readonly ComparisonRules[];
  readonly values: readonly Value[];
  readonly stored?: readonly StoredAs[] | undefined;
}

function storedValue(
  value: Value,
  rules: ComparisonRules | undefined,
  stored: StoredAs | undefined,
): Value {
  return stored === undefined || rules === undefined ? value : stored(value, rules.kind);
}

/** Whether a row other than `except` has these values. */
function hasValues(
  state: TableState | undefined,
  { columns, rules, values, stored }: WantedValues,
  except: RowId | undefined,
): boolean {
  if (state === undefined) return false;
  const [column] = columns;
  if (columns.length === 1 && column === state.layout.rowIdColumn) {
    const id = rowIdAsked(values[0] ?? null, rules[0]);
    return id !== undefined && id !== except && state.row(id) !== undefined;
  }
  const index = state.index({ columns, rules, stored });
  return index.otherThan(index.keyOfValues(values), except) !== undefined;
}

/** How many rows other than `except` have these values. NULL is no value. */
function countValues(
  state: TableState | undefined,
  wanted: WantedValues,
  except: RowId | undefined,
): number {
  const { columns, rules, values, stored } = wanted;
  const [column] = columns;
  if (state === undefined || values.includes(null)) return 0;
  const isRowId = columns.length === 1 && column === state.layout.rowIdColumn;
  if (isRowId) return Number(hasValues(state, wanted, except));
  const index = state.index({ columns, rules, stored });
  const key = index.keyOfValues(values);
  const { from, to } = index.rangeOf(key);
  const own = except === undefined ? undefined : state.row(except);
  const isOwn = own !== undefined && compareOrderValues(index.keyOf(own), key) === 0;
  return to - from - Number(isOwn);
}

/** The row id that a value stands for. */
function rowIdAsked(value: Value, rules: ComparisonRules | undefined): RowId | undefined {
  const number = rules === undefined ? value : orderValue(value, rules);
  if (typeof number === "bigint") return number;
  return typeof number === "number" ? rowIdOf(number) : undefined;
}

function valuesOf(row: Row, columns: readonly string[]): readonly Value[] {
  return columns.map((column) => row[column] ?? null);
}

function areEqual(
  left: readonly Value[],
  right: readonly Value[],
  rules: readonly ComparisonRules[],
): boolean {
  return rules.every(
    (own, at) =>
      compareOrderValues(orderValue(left[at] ?? null, own), orderValue(right[at] ?? null, own)) ===
      0,
  );
}
