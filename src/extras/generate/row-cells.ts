import { isDatabaseValue, type Row } from "../../core/store/value.ts";
import {
  type ColumnKind,
  columnKinds,
  type ValueShape,
  columnKind,
} from "../../core/store/column-kinds.ts";
import { type Column, CurrentTime, type TableSchema } from "../../core/store/schema.ts";
import type { JsonValue } from "../../core/schema/json.ts";
import type { FakeValues } from "../../core/template/fake-values.ts";
import {
  anyNumber,
  dateFakes,
  dayNames,
  type Fake,
  namesOf,
  numberFakes,
  pastDate,
  switchNames,
  textFakes,
  wordsOf,
  singular,
} from "./column-fakes.ts";
import type { Cell } from "../../core/fixture-set/tables/template-cells.ts";
import { declaredReferences } from "../../core/store/constraints.ts";
import type { TableLayout } from "../../core/store/table-layout.ts";
import type { Reference } from "../../core/store/violation.ts";

/** Makes a value for a row. */
type ValueMaker = () => JsonValue;

/** A column to fill. */
interface ColumnSetup {
  readonly column: Column;
  readonly kind: ColumnKind;
  readonly schema: TableSchema;
  /** Existing rows, as examples. */
  readonly samples: readonly Row[];
  /** Existing rows that stay in the table. */
  readonly existing: readonly Row[];
  readonly isUnique: boolean;
  readonly fakeValues: FakeValues;
}

/**
 * Makes plausible values for a column, from the first source that works: repeated values of its rows, its name, its
 * default, its type.
 */
function columnValue(setup: ColumnSetup): ValueMaker {
  const { column, kind, isUnique, fakeValues } = setup;
  const choices = isUnique ? undefined : repeatedValues(setup);
  if (choices !== undefined) return () => fakeValues.pick(choices) ?? null;
  if (isTimeOfDay(column)) return byDate(pastDate, setup);
  const named = byName(setup);
  if (named !== undefined) return named;
  const { shape } = columnKinds[kind];
  if (shape === "boolean") return makersByType.boolean(setup);
  const { default: value } = column;
  if (value instanceof CurrentTime) return byDate(pastDate, setup);
  if (value !== undefined && value !== null && !isUnique && !isDatabaseValue(value))
    return () => value;
  return makersByType[shape](setup);
}

/** The most rows that are sampled, and the most distinct values that count as a closed set. */
const mostLookedAt = 1_000;
const mostChoices = 12;

/**
 * The distinct values of a column with few of them, such as a status, so that no value is new to the application.
 * Sorted, so that replaced rows give the same result.
 */
function repeatedValues({ column, samples }: ColumnSetup): readonly JsonValue[] | undefined {
  const looked = samples.slice(0, mostLookedAt);
  const different = new Map<string, JsonValue>();
  for (const row of looked) {
    const value = row[column.name] ?? null;
    if (isDatabaseValue(value)) return undefined;
    different.set(JSON.stringify(value), value);
    if (different.size > mostChoices) return undefined;
  }
  if (looked.length < 5 || different.size * 3 > looked.length) return undefined;
  return [...different]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([, one]) => one);
}

function byName(setup: ColumnSetup): ValueMaker | undefined {
  const { column, kind, schema } = setup;
  const { shape } = columnKinds[kind];
  if (shape === "boolean" || shape === "json") return undefined;
  const names = namesOf(column.name, schema.name);
  const isNumeric = shape === "integer" || shape === "double" || shape === "decimal";
  const plain = wordsOf(column.name).join("_");
  if (isNumeric && switchNames.test(plain)) return byFake(["number.int", { max: 1 }], setup);
  for (const name of names) {
    const date = dateFakes.get(name);
    if (date !== undefined) return byDate(date, setup);
    const number = shape === "text" ? undefined : numberFakes.get(name);
    if (number !== undefined) return byFake(number[shape === "integer" ? 0 : 1], setup);
    const text = isNumeric ? undefined : textFakes.get(name);
    if (text !== undefined) return byFake(text, setup);
  }
  return undefined;
}

type Maker = (setup: ColumnSetup) => ValueMaker;

/** Makers of values by the column's shape, for columns whose name has no known meaning. */
const makersByType: Readonly<Record<ValueShape, Maker>> = {
  integer: (setup) => byFake(anyNumber[0], setup),
  double: (setup) => byFake(anyNumber[1], setup),
  decimal: (setup) => {
    const { type } = setup.column;
    if (/date|time/i.test(type)) return byDate(pastDate, setup);
    return byFake(/bool/i.test(type) ? ["number.int", { max: 1 }] : anyNumber[1], setup);
  },
  text: (setup) => byFake(["lorem.words"], setup),
  boolean: (setup) => byFake(["datatype.boolean"], setup),
  json: jsonValue,
  any: (setup) => byFake(["lorem.words"], setup),
};

/** A list if the column's name is a plural such as `tags`, else an object. */
function jsonValue({ column, fakeValues }: ColumnSetup): ValueMaker {
  const word = fakeValues.method("lorem.word");
  const one = (): string => String(word?.());
  if (/[^s]s$/i.test(column.name)) return () => [one(), one()];
  return () => ({ [one()]: one() });
}

function byFake([path, ...args]: Fake, { kind, column, fakeValues }: ColumnSetup): ValueMaker {
  const method = fakeValues.method(path);
  return () => shortened(columnKinds[kind].fromTemplate(method?.(...args) as JsonValue), column);
}

/** Whether the type is SQL's TIME, such as `time(0) without time zone`, whatever the column is called. */
function isTimeOfDay({ type }: Column): boolean {
  return /^\s*timetz\b|^\s*time\b(?!\s*stamp)/i.test(type);
}

/** A point in time in the form of other rows, else as the column's name and type suggest. */
function byDate([path, ...args]: Fake, setup: ColumnSetup): ValueMaker {
  const method = setup.fakeValues.method(path);
  const show = timeForm(setup);
  return () => shortened(show(String(method?.(...args))), setup.column);
}

function shortened(value: JsonValue, { type }: Column): JsonValue {
  return typeof value === "string" ? value.slice(0, declaredLength(type)) : value;
}

/** The length limit of a type such as VARCHAR(20). */
function declaredLength(type: string): number {
  const length = /char\w*\s*\(\s*(\d+)\s*\)/i.exec(type)?.[1];
  return length === undefined ? Infinity : Number(length);
}

/** The attempt from which unique values get a number, since faker's names and words run out. */
const triesBeforeNumber = 3;

/** The cell of a column without a template. */
function columnCell(setup: ColumnSetup): Cell {
  const { column, kind, isUnique, existing } = setup;
  const { name } = column;
  if (isUnique && kind === "INTEGER") {
    const numbers = existing.map((row) => row[name]).filter((value) => typeof value === "number");
    const greatest = numbers.reduce((most, value) => Math.max(most, Math.floor(value)), 0);
    return { column: name, make: ({ index }) => greatest + 1 + index };
  }
  const value = columnValue(setup);
  if (!isUnique) return { column: name, make: value };
  const longest = declaredLength(column.type);
  return {
    column: name,
    make: ({ number }, { tries }) =>
      tries < triesBeforeNumber ? value() : numbered(value(), existing.length + number, longest),
  };
}

/** Makes a value unique by adding a number: `ada.17@example.com`, `Ada Nwosu 17`, `lorem-ipsum-17`. */
function numbered(value: JsonValue, number: number, longest: number): JsonValue {
  if (typeof value === "number") return value + number;
  if (typeof value !== "string") return value;
  const at = value.lastIndexOf("@");
  const [head, tail] = at === -1 ? [value, ""] : [value.slice(0, at), value.slice(at)];
  const end = `${separatorFor(value)}${number}${tail}`;
  return `${head.slice(0, Math.max(0, longest - end.length))}${end}`.slice(-longest);
}

function separatorFor(value: string): string {
  if (value.includes("@")) return ".";
  return value.includes(" ") ? " " : "-";
}

const timeOfDay = (instant: string): string => instant.slice(11, 19);

/** Forms of points in time, made from `2024-01-31T12:30:00.000Z`. */
const forms: readonly (readonly [form: RegExp, write: (instant: string) => string])[] = [
  [/^\d{4}-\d\d-\d\d$/, (instant) => instant.slice(0, 10)],
  [/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/, (instant) => `${instant.slice(0, 19)}Z`],
  [/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/, (instant) => instant.slice(0, 19)],
  [/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/, (instant) => instant.slice(0, 19).replace("T", " ")],
  [/^\d\d:\d\d:\d\d$/, timeOfDay],
  [/^\d\d:\d\d$/, (instant) => instant.slice(11, 16)],
];

/** The largest number that is read as seconds, in the year 5138. Larger ones are milliseconds. */
const mostSeconds = 1e11;

/** Writes points in time in a column's form: that of the sample, else text or seconds of Unix time. */
function timeForm({ kind, column, samples }: ColumnSetup): (instant: string) => JsonValue {
  const { shape } = columnKinds[kind];
  const { name, type } = column;
  const sample = samples.find((row) => (row[name] ?? null) !== null)?.[name];
  if (typeof sample === "number" || shape === "integer" || shape === "double") {
    const unit = typeof sample === "number" && sample > mostSeconds ? 1 : 1_000;
    return (instant) => Math.floor(Date.parse(instant) / unit);
  }
  const known = forms.find(([form]) => typeof sample === "string" && form.test(sample));
  if (known !== undefined) return known[1];
  if (isTimeOfDay(column)) return timeOfDay;
  const isDay = /^date$/i.test(type.trim()) || dayNames.has(wordsOf(name).at(-1) ?? "");
  return isDay && typeof sample !== "string"
    ? (instant) => instant.slice(0, 10)
    : (instant) => instant;
}

interface RowCellsSetup {
  readonly schema: TableSchema;
  readonly layout: TableLayout;
  /** The schemas of all tables. */
  readonly schemas: readonly TableSchema[];
  /** The columns that have templates. */
  readonly templated: readonly string[];
  /** The rows of all tables, as targets of references. Those of the table itself grow as rows are made. */
  readonly rows: Readonly<Record<string, readonly Row[]>>;
  /** Existing rows, as examples. */
  readonly samples: readonly Row[];
  readonly fakeValues: FakeValues;
  readonly refuse: (columns: readonly string[], message: string) => void;
}

/** Cells for all columns without templates, except a key that the store numbers: references first. */
export function rowCells(setup: RowCellsSetup): readonly Cell[] {
  const { schema, layout } = setup;
  const isFree = (column: string): boolean => !setup.templated.includes(column);
  const declared = declaredReferences(schema).filter(
    (reference) => reference.columns.every(isFree) && !isToItself(reference),
  );
  const cells = declared.flatMap((reference) => referenceCells(reference, setup));
  const filled = new Set([layout.rowIdColumn, ...cells.map(({ column }) => column)]);
  for (const column of schema.columns) {
    if (isFree(column.name) && !filled.has(column.name)) cells.push(...plainCells(column, setup));
  }
  return cells;
}

/** Whether a column refers to itself, so that each row refers to its own value, whatever that is. */
function isToItself({ table, columns, to }: Reference): boolean {
  return table === to.table && columns.every((column, place) => column === to.columns[place]);
}

function plainCells(column: Column, setup: RowCellsSetup): readonly Cell[] {
  const { schema, layout, fakeValues, rows, samples } = setup;
  const implied = impliedReference(column, setup);
  if (implied !== undefined) return referenceCells(implied, setup);
  return [
    columnCell({
      column,
      // The column's own type counts, even if the profile stores it in another way.
      kind: columnKind(column.type),
      schema,
      samples,
      existing: [...(rows[schema.name] ?? [])],
      isUnique: isKey([column.name], layout),
      fakeValues,
    }),
  ];
}

/**
 * The reference that a column's name suggests, if the schema declares none: `post_id` and `postId` mean the key of
 * `posts`, as in json-server's files.
 */
function impliedReference(
  column: Column,
  { schema, schemas, rows }: RowCellsSetup,
): Reference | undefined {
  const words = wordsOf(column.name);
  if (words.length < 2 || words.at(-1) !== "id") return undefined;
  const wanted = words.slice(0, -1).join("_");
  const target = schemas.find(({ name }) => {
    const named = wordsOf(name);
    return [...named.slice(0, -1), singular(named.at(-1) ?? "")].join("_") === wanted;
  });
  const [key, ...others] = target?.primaryKey ?? [];
  if (target === undefined || key === undefined || others.length > 0) return undefined;
  const type = target.columns.find(({ name }) => name === key)?.type;
  if (type !== column.type || rows[target.name]?.length === 0) return undefined;
  const reference: Reference = {
    table: schema.name,
    columns: [column.name],
    to: { table: target.name, columns: [key] },
  };
  // The key `user_id` of the table `users` is the one that other tables refer to.
  return isToItself(reference) ? undefined : reference;
}

/** The cells of columns that refer to rows: all of them to the same random row. */
function referenceCells(reference: Reference, setup: RowCellsSetup): readonly Cell[] {
  const { layout, fakeValues, refuse } = setup;
  const { columns, to } = reference;
  const rows = setup.rows[to.table] ?? [];
  const isOptional = layout.cells.every(
    ({ needsValue, name }) =>
      !columns.includes(name) || !(needsValue || name === layout.rowIdColumn),
  );
  const isOnce = isKey(columns, layout);
  const pickUnused = isOnce ? unusedRows(reference, setup) : undefined;
  let picked: Row | undefined;
  return columns.map((column, place): Cell => {
    const target = to.columns[place] ?? "";
    return {
      column,
      make: (_, { tries }) => {
        // The cells of a row are made in order, so the first one picks the row to refer to.
        if (place === 0 && pickUnused === undefined) picked = fakeValues.pick(rows);
        // If a row is made again because another value was taken, the picked row is kept.
        else if (place === 0 && tries === 0) picked = pickUnused?.();
        if (picked !== undefined) return picked[target] as JsonValue;
        if (isOptional) return null;
        refuse(columns, noRowMessage(reference, { isOnce, size: rows.length }));
        return undefined;
      },
    };
  });
}

/** Yields the rows that no other row refers to, each once, in random order. */
function unusedRows(
  { table, columns, to }: Reference,
  { rows, fakeValues }: RowCellsSetup,
): () => Row | undefined {
  const used = new Set(rows[table]?.map((row) => keyOf(row, columns)));
  const unused = (rows[to.table] ?? []).filter((row) => !used.has(keyOf(row, to.columns)));
  return () => {
    const last = unused.pop();
    const place = fakeValues.below(unused.length + 1);
    if (last === undefined || place === unused.length) return last;
    const [row] = unused.splice(place, 1, last);
    return row;
  };
}

function keyOf(row: Row, names: readonly string[]): string {
  return JSON.stringify(names.map((name) => row[name]));
}

function noRowMessage(
  { table, columns, to }: Reference,
  { isOnce, size }: { readonly isOnce: boolean; readonly size: number },
): string {
  const names = columns.map((column) => JSON.stringify(column)).join(", ");
  const refers = `Column ${names} refers to ${JSON.stringify(to.table)}`;
  if (isOnce && size > 0) {
    const taken = size === 1 ? "the only row there is" : `all ${size} rows there are`;
    return `${refers} and is unique, and ${taken} already referred to. Make fewer rows.`;
  }
  return to.table === table
    ? `${refers} itself, which has no rows. Write a first row by hand, which may refer to itself, or let the column be NULL.`
    : `${refers}, which has no rows. Generate some there first: backlot generate ${to.table}.`;
}

/** Whether these columns identify a row. The key that is the row id is not among the layout's unique keys. */
function isKey(columns: readonly string[], { uniqueKeys, rowIdColumn }: TableLayout): boolean {
  const keys = uniqueKeys.map((key) => key.columns);
  if (rowIdColumn !== undefined) keys.push([rowIdColumn]);
  return keys.some(
    (key) => key.length === columns.length && key.every((one) => columns.includes(one)),
  );
}
