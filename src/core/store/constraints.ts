import type { ColumnKind } from "./column-kinds.ts";
import {
  type ComparisonRules,
  type OrderValue,
  compareOrderValues,
  comparisonRules,
  orderValue,
} from "./order-value.ts";
import type { TableSchema } from "./schema.ts";
import type { SortedIndex, StoredAs } from "./sorted-index.ts";
import type { StorageRules } from "./storage-rules.ts";
import { rowIdColumnOf, rowIdName, rowIdOf } from "./table-layout.ts";
import type { RowChange, StoredRow, TableState } from "./table-state.ts";
import {
  type GivenRow,
  type Row,
  type RowId,
  type Value,
  WholeReal,
  integerValue,
} from "./value.ts";
import {
  type Reference,
  type Violation,
  notUnique,
  referenceMissing,
  stillReferenced,
} from "./violation.ts";

/** The unique values of a change that another row already has. */
export function takenValues(state: TableState, { before, after }: RowChange): readonly Violation[] {
  if (after === undefined) return [];
  const taken: Violation[] = [];
  const { layout, uniques } = state;
  if (after.id !== before?.id && state.row(after.id) !== undefined) {
    const name = layout.rowIdColumn ?? layout.hiddenRowId ?? rowIdName;
    taken.push(notUnique([name], [rowIdValue(after.id)], name === layout.rowIdColumn));
  }
  for (const [at, index] of uniques.entries()) {
    const key = index.keyOf(after.row);
    if (key === null || keepsKey(index, key, before)) continue;
    if (index.otherThan(key, before?.id) === undefined) continue;
    const { columns } = index.definition;
    const values = columns.map((column) => after.row[column] ?? null);
    taken.push(notUnique(columns, values, layout.uniqueKeys[at]?.isKey === true));
  }
  return taken;
}

/**
 * Whether a row keeps its key. SQL databases do not check an unchanged key again, even if another row has the same
 * key by now.
 */
function keepsKey(index: SortedIndex, key: OrderValue, before: StoredRow | undefined): boolean {
  return before !== undefined && compareOrderValues(index.keyOf(before.row), key) === 0;
}

/**
 * The references to check in an update. Like SQLite, an update checks a foreign key only if it sets one of the key's
 * columns.
 */
export function referencesSetBy(changes: GivenRow, references: References): References {
  const { outgoing } = references;
  if (outgoing.length === 0) return references;
  const isSet = (column: string): boolean => Object.hasOwn(changes, column);
  return { ...references, outgoing: outgoing.filter(({ columns }) => columns.some(isSet)) };
}

/** The dangling references that a change would create, in its row and in others. */
export function brokenReferences(
  change: RowChange,
  { outgoing, incoming }: References,
  stateOf: StateOf,
): readonly Violation[] {
  const { before, after } = change;
  const dangling =
    incoming.length === 0
      ? []
      : danglingReferences(change, incoming, { stateOf, judged: outgoing });
  if (after === undefined || outgoing.length === 0) return dangling;
  const context = { stateOf, replaced: before?.id };
  return [...missingReferences(after.row, outgoing, context), ...dangling];
}

/** The value of a row id in the column that shows it. */
export function rowIdValue(id: RowId): Value {
  return typeof id === "bigint" ? integerValue(id) : id;
}

/** How the values on both ends of a reference compare. */
interface ReferenceComparison {
  readonly rules: readonly ComparisonRules[];
  /** How the target columns would store the referring values, where kinds differ. */
  readonly stored: readonly StoredAs[] | undefined;
}

/** A reference, and how a referring row finds its target: by the rules of the target's columns. */
export interface RuledReference extends Reference, ReferenceComparison {
  /** How a row finds the rows that refer to it. */
  readonly scan: ReferenceComparison;
  /** How an action finds the rows to change. Undefined: in the same way as `scan`. */
  readonly search: ActionSearch | undefined;
}

/**
 * How an action compares: it converts the target's values, and compares them by the rules of the referring columns.
 */
interface ActionSearch {
  readonly rules: readonly ComparisonRules[];
  readonly stored: readonly StoredAs[];
}

/** A table's references, both ways. */
export interface References {
  /** From columns of this table. */
  readonly outgoing: readonly RuledReference[];
  /** To columns of this table. */
  readonly incoming: readonly RuledReference[];
  /** Whether an incoming reference has an action, so that a write may change rows of other tables. */
  readonly acts: boolean;
}

/** The references of a table, from all references of the database. */
export function referencesOf(table: string, all: readonly RuledReference[]): References {
  const outgoing = all.filter((reference) => reference.table === table);
  const incoming = all.filter(({ to }) => to.table === table);
  return { outgoing, incoming, acts: incoming.some(hasAction) };
}

function hasAction({ onDelete, onUpdate }: RuledReference): boolean {
  return [onDelete, onUpdate].some((action = "no action") => action !== "no action");
}

/** The current rows of a table of the same database; undefined where there is no such table. */
export type StateOf = (table: string) => TableState | undefined;

/** All foreign keys that a schema declares. */
export function declaredReferences(schema: TableSchema): readonly Reference[] {
  const { name: table, columns, foreignKeys = [] } = schema;
  const single = columns.flatMap(({ name, references }): readonly Reference[] => {
    if (references === undefined) return [];
    const { table: target, column, ...actions } = references;
    return [{ table, columns: [name], to: { table: target, columns: [column] }, ...actions }];
  });
  return [...single, ...foreignKeys.map((key) => ({ table, ...key }))];
}

/** The dangling references of a row. `replaced` is the row that it replaces, if any. */
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
 * Whether the target of a row's reference has the row's values. Except for row ids, SQLite requires identical values
 * here, whatever the target's collation and kind.
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
 * The references of other rows that a change would leave dangling, and those of the row itself that are not checked
 * yet.
 */
function danglingReferences(
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
    // SQLite compares counts: the change is fine if the new values have at least as many referring rows as the old
    // ones.
    const isReferred =
      referring(values) > (next === undefined ? 0 : referring(next)) ||
      (own !== undefined &&
        after !== undefined &&
        !judged.includes(reference) &&
        refers(after.row));
    return isReferred ? [stillReferenced(reference, values)] : [];
  });
}

/** Whether another row has the same values in the columns that a reference refers to. */
export function hasOtherTarget(
  { row, id }: StoredRow,
  { to, rules }: RuledReference,
  stateOf: StateOf,
): boolean {
  const values = valuesOf(row, to.columns);
  return hasValues(stateOf(to.table), { columns: to.columns, rules, values }, id);
}

/** Whether two rows are the same for rows that refer to them. */
export function isSameTarget(one: Row, other: Row, { to, scan }: RuledReference): boolean {
  return areEqual(valuesOf(one, to.columns), valuesOf(other, to.columns), scan.rules);
}

/** The rows other than `except` that refer to a row. NULL refers to no row. */
export function referringRows(
  row: Row,
  { table, columns, to, scan }: RuledReference,
  { stateOf, except }: { readonly stateOf: StateOf; readonly except?: RowId | undefined },
): readonly RowId[] {
  const state = stateOf(table);
  const values = valuesOf(row, to.columns);
  if (state === undefined || values.includes(null)) return [];
  const ids = idsWith(state, { columns, values, ...scan });
  return except === undefined ? ids : ids.filter((id) => id !== except);
}

/** The rows that an action changes when the row that they refer to is deleted or changed. */
export function rowsToChange(
  row: Row,
  reference: RuledReference,
  stateOf: StateOf,
): readonly RowId[] {
  const { table, columns, to, search } = reference;
  if (search === undefined) return referringRows(row, reference, { stateOf });
  const state = stateOf(table);
  const { rules, stored } = search;
  const values = valuesOf(row, to.columns).map((value, at) =>
    storedValue(value, rules[at], stored[at]),
  );
  if (state === undefined || values.includes(null)) return [];
  return idsWith(state, { columns, rules, values });
}

/** The ids of the rows with these values, in ascending order. */
function idsWith(state: TableState, wanted: WantedValues): readonly RowId[] {
  const { columns, rules, values, stored } = wanted;
  const [column] = columns;
  if (columns.length === 1 && column === state.layout.rowIdColumn) {
    const id = rowIdFrom(values[0] ?? null, rules[0]);
    return id !== undefined && state.row(id) !== undefined ? [id] : [];
  }
  const index = state.index({ columns, rules, stored });
  const ids: RowId[] = [];
  index.entries.visit(index.rangeOf(index.keyOfValues(values)), (_, id) => ids.push(id) > 0);
  return ids;
}

/** The values that a row refers to, as the target columns would store them. */
function referredValues(row: Row, reference: RuledReference): readonly Value[] {
  return comparedValues(row, reference.columns, reference);
}

/** The values of a row in comparable form. */
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
    const id = rowIdFrom(values[0] ?? null, rules[0]);
    return id !== undefined && id !== except && state.row(id) !== undefined;
  }
  const index = state.index({ columns, rules, stored });
  return index.otherThan(index.keyOfValues(values), except) !== undefined;
}

/** How many rows other than `except` have these values. NULL counts as no value. */
function countValues(
  state: TableState | undefined,
  wanted: WantedValues,
  except: RowId | undefined,
): number {
  const { columns, rules, values, stored } = wanted;
  const [column] = columns;
  if (state === undefined || values.includes(null)) return 0;
  const isRowId = columns.length === 1 && column === state.layout.rowIdColumn;
  if (isRowId) return hasValues(state, wanted, except) ? 1 : 0;
  const index = state.index({ columns, rules, stored });
  const key = index.keyOfValues(values);
  const { from, to } = index.rangeOf(key);
  const own = except === undefined ? undefined : state.row(except);
  const isOwn = own !== undefined && compareOrderValues(index.keyOf(own), key) === 0;
  return isOwn ? to - from - 1 : to - from;
}

/** The row id that a value stands for. */
function rowIdFrom(value: Value, rules: ComparisonRules | undefined): RowId | undefined {
  const number = rules === undefined ? value : orderValue(value, rules);
  if (typeof number === "bigint") return number;
  return typeof number === "number" ? rowIdOf(number) : undefined;
}

export function valuesOf(row: Row, columns: readonly string[]): readonly Value[] {
  return columns.map((column) => row[column] ?? null);
}

export function areEqual(
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

/** All references between tables, and how both ends of each compare. */
export function ruledReferences(
  schemas: readonly TableSchema[],
  storage: StorageRules,
): readonly RuledReference[] {
  const asStored = storedBy(storage);
  return schemas.flatMap(declaredReferences).map((reference): RuledReference => {
    const rules = rulesOfTarget(reference, schemas, storage);
    const kinds = kindsOf(reference, schemas, storage);
    if (rules.every(({ kind }, place) => kind === kinds[place])) {
      const scan = { rules, stored: undefined };
      return { ...reference, rules, stored: undefined, scan, search: undefined };
    }
    const stored = kinds.map(asStored);
    const { scanKind } = storage;
    if (scanKind === undefined) {
      return { ...reference, rules, stored, scan: { rules, stored }, search: undefined };
    }
    const scanned = rules.map(({ kind, collation }, place) => {
      return { kind: scanKind(kind, kinds[place] ?? kind), collation };
    });
    const scan = { rules: scanned, stored: undefined };
    // SQLite's actions compare without the type of the target column, except for a row id.
    const search = {
      rules: rules.map(({ collation }, place) => ({ kind: kinds[place] ?? "NONE", collation })),
      stored: rules.map(({ kind }) => asStored(kind)),
    };
    const isToRowId = refersToRowId(reference, schemas, storage);
    return { ...reference, rules, stored, scan, search: isToRowId ? undefined : search };
  });
}

function refersToRowId(
  { to }: Reference,
  schemas: readonly TableSchema[],
  storage: StorageRules,
): boolean {
  const target = schemas.find(({ name }) => name === to.table);
  const rowIdColumn = target && rowIdColumnOf(target, storage);
  return to.columns.length === 1 && to.columns[0] === rowIdColumn;
}

/** Converts values from one column's kind to another's. */
function storedBy(storage: StorageRules): (kind: ColumnKind) => StoredAs {
  const storedAs: StoredAs = (value, kind) => {
    const fitting = value === null ? undefined : storage.fit(value, kind);
    return fitting?.ok === true ? fitting.value : value;
  };
  // A whole number in a REAL column is a plain number, but its text must be `-3.0`, not `-3`.
  const storedOfReal: StoredAs = (value, kind) => {
    if (kind !== "TEXT" || !Number.isInteger(value)) return storedAs(value, kind);
    const fitting = storage.fit(new WholeReal(Number(value)), kind);
    return fitting.ok ? fitting.value : value;
  };
  return (kind) => (kind === "REAL" ? storedOfReal : storedAs);
}

/** Both ends of a reference compare by the rules of the target columns. */
function rulesOfTarget(
  { to }: Reference,
  schemas: readonly TableSchema[],
  storage: StorageRules,
): RuledReference["rules"] {
  const target = schemas.find(({ name }) => name === to.table);
  return to.columns.flatMap((name) => {
    const column = target?.columns.find((one) => one.name === name);
    return column === undefined ? [] : [comparisonRules(column, storage.kindOf)];
  });
}

/** The kinds of the referring columns. */
function kindsOf(
  { table, columns }: Reference,
  schemas: readonly TableSchema[],
  storage: StorageRules,
): readonly ColumnKind[] {
  const schema = schemas.find(({ name }) => name === table);
  return columns.flatMap((name) => {
    const column = schema?.columns.find((one) => one.name === name);
    return column === undefined ? [] : [storage.kindOf(column.type)];
  });
}
