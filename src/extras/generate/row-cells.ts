import { columnKind } from "../../core/store/column-kinds.ts";
import { declaredReferences } from "../../core/store/constraints.ts";
import type { Column, TableSchema } from "../../core/store/schema.ts";
import type { TableLayout } from "../../core/store/table-layout.ts";
import type { Row } from "../../core/store/value.ts";
import type { Reference } from "../../core/store/violation.ts";
import type { JsonValue } from "../../core/schema/json.ts";
import type { FakeValues } from "../../core/template/fake-values.ts";
import type { Cell } from "../../core/fixture-set/tables/template-cells.ts";
import { singular, wordsOf } from "./column-fakes.ts";
import { columnCell } from "./column-value.ts";

/** What the cells of columns without templates need. */
export interface RowCellsSetup {
  readonly schema: TableSchema;
  readonly layout: TableLayout;
  /** Of all tables. */
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

/** Cells for all columns without templates, except a key that the store generates: references first. */
export function rowCells(setup: RowCellsSetup): readonly Cell[] {
  const { schema, layout } = setup;
  const isFree = (column: string): boolean =>
    !setup.templated.includes(column) && column !== layout.rowIdColumn;
  const declared = declaredReferences(schema).filter(({ columns }) => columns.every(isFree));
  const cells = declared.flatMap((reference) => referenceCells(reference, setup));
  const filled = new Set(cells.map(({ column }) => column));
  for (const column of schema.columns) {
    if (isFree(column.name) && !filled.has(column.name)) cells.push(...plainCells(column, setup));
  }
  return cells;
}

function plainCells(column: Column, setup: RowCellsSetup): readonly Cell[] {
  const { schema, layout, fakeValues, rows, samples } = setup;
  const implied = impliedReference(column, setup);
  if (implied !== undefined) return referenceCells(implied, setup);
  return [
    columnCell({
      column,
      // Our own types, whatever the storage does with them.
      kind: columnKind(column.type),
      schema,
      samples,
      existing: [...(rows[schema.name] ?? [])],
      isUnique: isUnique([column.name], layout),
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
  return { table: schema.name, columns: [column.name], to: { table: target.name, columns: [key] } };
}

/** The cells of columns that refer to rows: all of them to the same random row. */
function referenceCells(reference: Reference, setup: RowCellsSetup): readonly Cell[] {
  const { layout, fakeValues, refuse } = setup;
  const { columns, to } = reference;
  const rows = setup.rows[to.table] ?? [];
  const isOptional = layout.cells.every(
    ({ needsValue, name }) => !needsValue || !columns.includes(name),
  );
  const isOnce = isUnique(columns, layout);
  const pickUnused = isOnce ? unusedRows(reference, setup) : undefined;
  let picked: Row | undefined;
  return columns.map((column, place): Cell => {
    const target = to.columns[place] ?? "";
    return {
      column,
      make: (_, { tries }) => {
        // The cells of a row are made in order.
        if (place === 0 && pickUnused === undefined) picked = fakeValues.pick(rows);
        // A repeated row has another taken value.
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

function isUnique(columns: readonly string[], { uniqueKeys }: TableLayout): boolean {
  return uniqueKeys.some(
    (key) =>
      key.columns.length === columns.length && key.columns.every((one) => columns.includes(one)),
  );
}
