import type { Row } from "../../core/store/value.ts";
import type { JsonValue } from "../../core/schema/json.ts";
import type { Reference } from "../../core/store/violation.ts";
import type { FakeValues } from "../../core/template/fake-values.ts";
import type { Cell, TakenKeys } from "../../core/fixture-set/tables/row-maker.ts";

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
