import { columnKind } from "../../core/store/column-kinds.ts";
import { declaredReferences } from "../../core/store/constraints.ts";
import type { Row } from "../../core/store/value.ts";
import type { Column } from "../../core/store/schema.ts";
import type { TableLayout } from "../../core/store/table-layout.ts";
import type { Reference } from "../../core/store/violation.ts";
import type { FakeValues } from "../../core/template/fake-values.ts";
import type { Cell, TakenKeys } from "../../core/fixture-set/tables/row-maker.ts";
import { columnCell } from "./column-value.ts";
import { impliedReference, referenceCells, requiredCircle } from "./reference-cells.ts";
import type { OpenTable } from "./open-table.ts";

/** What the cells of columns without templates are made with. */
export interface CellsSetup {
  readonly open: OpenTable;
  readonly layout: TableLayout;
  /** The columns that have templates. */
  readonly templated: readonly string[];
  readonly taken: TakenKeys;
  /** The rows that can be referred to. */
  readonly rowsOf: (table: string) => readonly Row[];
  readonly fakeValues: FakeValues;
  readonly refuse: (columns: readonly string[], message: string) => void;
}

/** Cells for all columns without templates, but for a key that the store generates: references first. */
export function tableCells(setup: CellsSetup): readonly Cell[] {
  const { open, layout } = setup;
  const isFree = (column: string): boolean =>
    !setup.templated.includes(column) && column !== layout.rowIdColumn;
  const declared = declaredReferences(open.schema).filter(({ columns }) => columns.every(isFree));
  const cells = declared.flatMap((reference) => cellsOfReference(reference, setup));
  const filled = new Set(cells.map(({ column }) => column));
  for (const column of open.schema.columns) {
    if (isFree(column.name) && !filled.has(column.name)) cells.push(...plainCells(column, setup));
  }
  return cells;
}

function cellsOfReference(reference: Reference, setup: CellsSetup): readonly Cell[] {
  const { layout, taken, fakeValues, refuse, rowsOf } = setup;
  const { columns, to } = reference;
  const needed = layout.cells.filter(({ needsValue }) => needsValue);
  return referenceCells({
    reference,
    rows: rowsOf(to.table),
    isOptional: needed.every(({ column }) => !columns.includes(column.name)),
    isUnique: isUnique(columns, layout),
    taken,
    fakeValues,
    circle: () => requiredCircle(reference, setup.open),
    refuse: (message) => refuse(columns, message),
  });
}

function plainCells(column: Column, setup: CellsSetup): readonly Cell[] {
  const { open, layout, fakeValues, rowsOf } = setup;
  const implied = impliedReference(column, open.schema, open.schemas);
  if (implied !== undefined && rowsOf(implied.to.table).length > 0) {
    return cellsOfReference(implied, setup);
  }
  return [
    columnCell({
      column,
      // By our own types, whatever the storage makes of them.
      kind: columnKind(column.type),
      schema: open.schema,
      samples: open.written,
      existing: rowsOf(open.schema.name),
      isUnique: isUnique([column.name], layout),
      fakeValues,
    }),
  ];
}

function isUnique(columns: readonly string[], { uniqueKeys }: TableLayout): boolean {
  return uniqueKeys.some(
    (key) =>
      key.columns.length === columns.length && key.columns.every((one) => columns.includes(one)),
  );
}
