import type { Row } from "../../core/store/value.ts";
import type { JsonValue } from "../../core/schema/json.ts";
import { type Reference, referenceMissing, type Violation } from "../../core/store/violation.ts";
import type { FakeValues } from "../../core/template/fake-values.ts";
import type { Cell, TakenKeys } from "../../core/fixture-set/tables/row-maker.ts";
import { type ComparisonRules, orderKeys, orderValue } from "../../core/store/order-value.ts";
import { declaredReferences } from "../../core/store/constraints.ts";
import { tableLayout } from "../../core/store/table-layout.ts";
import type { OpenTable } from "./open-table.ts";
import type { Column, TableSchema } from "../../core/store/schema.ts";
import { singular, wordsOf } from "./column-fakes.ts";

/** A reference whose columns are to be filled in. */
export interface ReferenceSetup {
  readonly reference: Reference;
  /** The rows that can be referred to. They may grow as rows are made. */
  readonly rows: readonly Row[];
  /** Whether NULL can stand in all of its columns. */
  readonly isOptional: boolean;
  /** Whether each row can be referred to once only. */
  readonly isUnique: boolean;
  readonly taken: TakenKeys;
  readonly fakeValues: FakeValues;
  /** The tables, up to the own one, that have to have a row of the next one first, where they go in a circle. */
  readonly circle: () => readonly string[] | undefined;
  /** Told why there is no row to refer to. */
  readonly refuse: (message: string) => void;
}

/** The cells of columns that refer to rows of another table, or of the same one: all to one row, any that is there. */
export function referenceCells(setup: ReferenceSetup): readonly Cell[] {
  const { reference, isOptional, refuse } = setup;
  const { columns, to } = reference;
  const pick = setup.isUnique ? pickUnused(setup) : () => setup.fakeValues.pick(setup.rows);
  let picked: Row | undefined;
  return columns.map((column, place): Cell => {
    const target = to.columns[place] ?? "";
    return {
      column,
      make: () => {
        // The cells of a row are made in their order.
        if (place === 0) picked = pick();
        if (picked !== undefined) return picked[target] as JsonValue;
        if (isOptional) return null;
        refuse(noRowMessage(setup));
        return undefined;
      },
    };
  });
}

/** Picks rows that no other row refers to. */
function pickUnused({ reference, rows, taken, fakeValues }: ReferenceSetup): () => Row | undefined {
  const [column = ""] = reference.columns;
  const [target = ""] = reference.to.columns;
  const unused = [...rows];
  return () => {
    while (unused.length > 0) {
      const place = fakeValues.below(unused.length);
      const row = unused[place];
      if (row !== undefined && !taken.has(column, row[target] ?? null)) return row;
      const last = unused.pop();
      if (last !== undefined && place < unused.length) unused[place] = last;
    }
    return undefined;
  };
}

function noRowMessage({ reference, rows, isUnique, circle }: ReferenceSetup): string {
  const { columns, to } = reference;
  const refers = `Column ${quoted(columns)} refers to ${JSON.stringify(to.table)}`;
  if (isUnique && rows.length > 0) {
    const taken =
      rows.length === 1 ? "the only row there is" : `all of the ${rows.length} rows there are`;
    return `${refers} and is unique, and ${taken} referred to. Make fewer rows.`;
  }
  const needed = circle();
  if (needed !== undefined) return `${refers}${circleMessage(needed)}`;
  return `${refers}, which has no rows. Generate some there first: backlot generate ${to.table}.`;
}

/** Generating rows of the other table first would come to the same, seen from there. */
function circleMessage([, ...others]: readonly string[]): string {
  if (others.length === 0) {
    return " itself, which has no rows. Write a first row by hand, which may refer to itself, or let the column be NULL.";
  }
  const needs = others.map((table) => JSON.stringify(table)).join(", which needs one of ");
  return `, which has no rows and needs one of ${needs}, so none can be the first. Write a row of each by hand, or let one of these references be NULL.`;
}

function quoted(columns: readonly string[]): string {
  return columns.map((column) => JSON.stringify(column)).join(", ");
}

/** Sees to it that no file is written whose references point nowhere. */
export interface ReferenceGuard {
  /** Whether rows may refer to others of the same table. */
  readonly refersToOwn: boolean;
  /** Takes note of a row, or says why it cannot be. */
  readonly judge: (row: Row) => Violation | undefined;
  /** Says which row that others refer to is gone, after all rows were replaced. */
  readonly stillNeeded: () => string | undefined;
}

/** Watches the references that are filled in by templates, and those to rows that are replaced. */
export function referenceGuard(setup: {
  readonly open: OpenTable;
  readonly templated: readonly string[];
  readonly rowsOf: (table: string) => readonly Row[];
  readonly replace: boolean;
}): ReferenceGuard {
  const { open, templated, rowsOf, replace } = setup;
  const { name } = open.schema;
  const outgoing = declaredReferences(open.schema);
  // The others are picked among the rows that are there.
  const checked = outgoing
    .filter(({ columns }) => columns.some((column) => templated.includes(column)))
    .map((reference) => new OfferedKeys(reference, { open, rows: rowsOf(reference.to.table) }));
  // What is made at each start may well take the place of what is gone.
  const isFilledUp = (open.plan?.generate?.count ?? 0) > 0;
  const incoming = open.schemas
    .filter((schema) => schema.name !== name)
    .flatMap(declaredReferences)
    .filter(({ to }) => replace && !isFilledUp && to.table === name)
    .map((reference) => new NeededKeys(reference, { open, rows: open.rowsOf(reference.table) }));
  return {
    refersToOwn: outgoing.some(({ to }) => to.table === name),
    judge: (row) => {
      for (const keys of checked) {
        const violation = keys.judge(row);
        if (violation !== undefined) return violation;
      }
      for (const keys of incoming) keys.made(row);
      return undefined;
    },
    stillNeeded: () => incoming.find((keys) => keys.missing !== undefined)?.missing,
  };
}

interface KeySetup {
  readonly open: OpenTable;
  readonly rows: readonly Row[];
}

/** The values that a reference may have. */
class OfferedKeys {
  readonly #reference: Reference;
  readonly #rules: readonly ComparisonRules[];
  readonly #offered = new Set<string | undefined>();

  constructor(reference: Reference, { open, rows }: KeySetup) {
    this.#reference = reference;
    this.#rules = rulesOf(reference, open);
    for (const row of rows) this.#offered.add(keyOf(row, reference.to.columns, this.#rules));
  }

  judge(row: Row): Violation | undefined {
    const { table, columns, to } = this.#reference;
    // A row may refer to itself.
    if (table === to.table) this.#offered.add(keyOf(row, to.columns, this.#rules));
    const key = keyOf(row, columns, this.#rules);
    if (key === undefined || this.#offered.has(key)) return undefined;
    return referenceMissing(this.#reference, valuesOf(row, columns));
  }
}

/** The values that rows of another table refer to, as long as no row that was made has them. */
class NeededKeys {
  readonly #reference: Reference;
  readonly #rules: readonly ComparisonRules[];
  readonly #needed = new Map<string, Row>();

  constructor(reference: Reference, { open, rows }: KeySetup) {
    this.#reference = reference;
    this.#rules = rulesOf(reference, open);
    for (const row of rows) {
      const key = keyOf(row, reference.columns, this.#rules);
      if (key !== undefined) this.#needed.set(key, row);
    }
  }

  made(row: Row): void {
    if (this.#needed.size === 0) return;
    this.#needed.delete(keyOf(row, this.#reference.to.columns, this.#rules) ?? "");
  }

  get missing(): string | undefined {
    const [row] = this.#needed.values();
    if (row === undefined) return undefined;
    const { message } = referenceMissing(this.#reference, valuesOf(row, this.#reference.columns));
    const { table } = this.#reference;
    return `Rows of ${JSON.stringify(table)} refer to rows that would be gone: ${message} Make more rows, or keep those that are there.`;
  }
}

function rulesOf({ to }: Reference, { schemas, storage }: OpenTable): readonly ComparisonRules[] {
  const target = schemas.find(({ name }) => name === to.table);
  if (target === undefined) return [];
  const { rules } = tableLayout(target, storage);
  return to.columns.flatMap((column) => rules(column) ?? []);
}

function valuesOf(row: Row, columns: readonly string[]): readonly Row[string][] {
  return columns.map((column) => row[column] ?? null);
}

/** The values of a reference as a text that is the same on both of its ends. NULL refers to nothing and has none. */
function keyOf(
  row: Row,
  columns: readonly string[],
  rules: readonly ComparisonRules[],
): string | undefined {
  return orderKeys(rules.map((own, place) => orderValue(row[columns[place] ?? ""] ?? null, own)));
}

/**
 * The reference that a column's name speaks of, where the schema declares none: `post_id` and `postId` are the key of
 * `posts`, as in the files of json-server.
 */
export function impliedReference(
  column: Column,
  own: TableSchema,
  schemas: readonly TableSchema[],
): Reference | undefined {
  const words = wordsOf(column.name);
  if (words.length < 2 || words.at(-1) !== "id") return undefined;
  const wanted = words.slice(0, -1).join("_");
  const target = schemas.find(({ name }) => singularName(name) === wanted);
  const [key, ...others] = target?.primaryKey ?? [];
  if (target === undefined || key === undefined || others.length > 0) return undefined;
  const type = target.columns.find(({ name }) => name === key)?.type;
  if (type !== column.type) return undefined;
  return { table: own.name, columns: [column.name], to: { table: target.name, columns: [key] } };
}

function singularName(table: string): string {
  const words = wordsOf(table);
  return [...words.slice(0, -1), singular(words.at(-1) ?? "")].join("_");
}

/**
 * The tables, from the one that a reference is to up to the one that has it, each of which needs a row of the next
 * before it can have a first one. Undefined: rows can be made table by table.
 */
export function requiredCircle(
  { table: own, to }: Reference,
  { schemas, storage, rowsOf }: Pick<OpenTable, "schemas" | "storage" | "rowsOf">,
): readonly string[] | undefined {
  const entered = new Set<string>();
  const circleFrom = (table: string): readonly string[] | undefined => {
    if (table === own) return [own];
    const schema = schemas.find(({ name }) => name === table);
    if (schema === undefined || entered.has(table)) return undefined;
    entered.add(table);
    const { cells } = tableLayout(schema, storage);
    for (const { columns, to: next } of declaredReferences(schema)) {
      const isNeeded = cells.some(({ needsValue, name }) => needsValue && columns.includes(name));
      if (!isNeeded || rowsOf(next.table).length > 0) continue;
      const circle = circleFrom(next.table);
      if (circle !== undefined) return [table, ...circle];
    }
    return undefined;
  };
  return circleFrom(to.table);
}
