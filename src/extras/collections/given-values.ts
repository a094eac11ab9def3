import { columnKinds, namedKinds } from "../../core/store/column-kinds.ts";
import { CurrentTime } from "../../core/store/schema.ts";
import { type CellLayout, rowIdOf } from "../../core/store/table-layout.ts";
import {
  BlobValue,
  ExactInteger,
  type GivenRow,
  type Row,
  type Value,
  WholeReal,
  copyJson,
  deepestNesting,
} from "../../core/store/value.ts";
import { type Violation, noRowId, unknownColumn, wrongType } from "../../core/store/violation.ts";
import type { TableShape } from "./table-shape.ts";

/** What a write sets, by property. Undefined takes the property away. */
export type PropertyChanges = ReadonlyMap<string, unknown>;

/** What was given, and what of it cannot be taken whatever the collection's schema says. */
export interface GivenValues {
  readonly changes: PropertyChanges;
  readonly violations: readonly Violation[];
}

/** Reads what was given for a row. A value of undefined counts as left out. */
export function readGiven(shape: TableShape, given: GivenRow): GivenValues {
  const changes = new Map<string, unknown>();
  const violations: Violation[] = [];
  for (const [name, value] of Object.entries(given)) {
    // A record is an ordinary object, which cannot have `__proto__` as a property of its own by assignment.
    if (shape.takes(name) === false || name === "__proto__") {
      violations.push(unknownColumn(name, shape.layout.columnNames));
    } else if (value !== undefined) {
      const taken = take(shape, name, value);
      if (taken.ok) changes.set(name, taken.value);
      else violations.push(taken.violation);
    }
  }
  return { changes, violations };
}

type Taken =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly violation: Violation };

/**
 * A declared column takes what fits its type, any other what the collection's schema will judge, converted as far
 * as the rules of the storage convert.
 */
function take({ layout, isDeclared }: TableShape, name: string, value: unknown): Taken {
  if (value === null) return { ok: true, value };
  const cell = layout.cells.find(({ column }) => column.name === name);
  if (cell === undefined) return takeAny(name, value);
  const fitting = layout.storage.fit(value, cell.kind);
  if (!isDeclared) {
    const isTold = fitting.ok && convertedTypes.has(cell.column.type);
    return takeAny(name, isTold ? converted(value, fitting.value, cell) : value);
  }
  if (!fitting.ok) {
    const { type } = cell.column;
    const { expected } = fitting;
    return { ok: false, violation: wrongType(name, value, { type, expected }) };
  }
  if (name === layout.rowIdColumn && rowIdOf(fitting.value) === undefined) {
    return { ok: false, violation: noRowId(name, value) };
  }
  return { ok: true, value: plain(converted(value, fitting.value, cell)) };
}

/** Of columns of other types nothing certain is known: they may take anything. */
const convertedTypes: ReadonlySet<string> = new Set(
  namedKinds.filter((kind) => !["json", "any"].includes(columnKinds[kind].shape)),
);

/** A value as its property has it: bigints stay such, and booleans are no texts, as storage without booleans has them. */
function converted(given: unknown, stored: Value, { column, kind }: CellLayout): unknown {
  if (given instanceof ExactInteger) return given;
  const isText = column.type === "BOOLEAN" && kind !== "BOOLEAN";
  return isText && (stored === "true" || stored === "false") ? stored === "true" : stored;
}

/** JSON is copied, so that nobody can change a record from outside. Other objects, such as dates, go through. */
function takeAny(name: string, value: unknown): Taken {
  const plainValue = plain(value);
  const copy = copyJson(plainValue);
  if (copy !== undefined) return { ok: true, value: copy };
  if (typeof plainValue === "bigint" || isOfOtherClass(plainValue)) {
    return { ok: true, value: plainValue };
  }
  const expected = `a JSON value, at most ${deepestNesting} levels deep`;
  return { ok: false, violation: wrongType(name, value, { type: "", expected }) };
}

function isOfOtherClass(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype !== null && Object.getPrototypeOf(prototype) !== null;
}

/** A stored value as JavaScript has it. */
function plain(value: unknown): unknown {
  if (value instanceof ExactInteger || value instanceof WholeReal) return value.value;
  return value instanceof BlobValue ? value.bytes : value;
}

/** The declared defaults of columns that a new row leaves out. What has none is left to the collection's schema. */
export function withDefaults({ layout }: TableShape, changes: PropertyChanges): PropertyChanges {
  const complete = new Map(changes);
  for (const { name, default: value } of layout.schema.columns) {
    if (complete.has(name) || value === undefined || value instanceof CurrentTime) continue;
    complete.set(name, copyJson(value) ?? plain(value));
  }
  return complete;
}

/** What makes a whole new row of a record: of these columns those left out get their default, else go. */
export function replacing(
  shape: TableShape,
  changes: PropertyChanges,
  columns: readonly string[],
): PropertyChanges {
  const defaults = withDefaults(shape, changes);
  const leftOut = columns.filter((name) => !changes.has(name) && !shape.layout.isKeyColumn(name));
  return new Map([
    ...changes,
    ...leftOut.map((name): [string, unknown] => [name, defaults.get(name)]),
  ]);
}

/** A record's properties with changes made. */
export function applyChanges(
  base: Readonly<Record<string, unknown>>,
  changes: PropertyChanges,
): Record<string, unknown> {
  const properties = new Map(Object.entries(base));
  for (const [name, value] of changes) {
    if (value === undefined) properties.delete(name);
    else properties.set(name, value);
  }
  return Object.fromEntries(properties);
}

/**
 * The columns that are given just as the row has them. Their properties are left alone: a record holds more than its
 * row shows, such as dates, bigints, and relations within documents.
 */
export function unchangedColumns(row: Row, given: GivenRow): ReadonlySet<string> {
  const names = Object.keys(given).filter(
    (name) => Object.hasOwn(row, name) && isSame(row[name], given[name]),
  );
  return new Set(names);
}

/** The rest of what is given. */
export function withoutColumns(given: GivenRow, names: ReadonlySet<string>): GivenRow {
  return names.size === 0
    ? given
    : Object.fromEntries(Object.entries(given).filter(([name]) => !names.has(name)));
}

function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (!isObject(left) || !isObject(right)) return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  if (Object.getPrototypeOf(left) !== Object.getPrototypeOf(right)) return false;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && isSame(left[name], right[name]))
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
