/** A cell by its place on the page. */
export interface CellPlace {
  readonly row: number;
  readonly column: number;
}

/** How many cells there are. */
export interface GridSize {
  readonly rows: number;
  readonly columns: number;
}

/** Where a key leads from a cell, within the grid; undefined for keys that lead nowhere. */
export function cellAfter(
  { key, ctrlKey }: { readonly key: string; readonly ctrlKey: boolean },
  { row, column }: CellPlace,
  size: GridSize,
): CellPlace | undefined {
  const next = target(key, ctrlKey, { row, column });
  return next === undefined ? undefined : cellWithin(next, size);
}

/** The cell of a grid that is nearest to a place. */
export function cellWithin({ row, column }: CellPlace, { rows, columns }: GridSize): CellPlace {
  return { row: within(row, rows), column: within(column, columns) };
}

export function isSameCell(one: CellPlace, other: CellPlace): boolean {
  return one.row === other.row && one.column === other.column;
}

function target(key: string, ctrlKey: boolean, { row, column }: CellPlace): CellPlace | undefined {
  switch (key) {
    case "ArrowUp":
      return { row: row - 1, column };
    case "ArrowDown":
      return { row: row + 1, column };
    case "ArrowLeft":
      return { row, column: column - 1 };
    case "ArrowRight":
      return { row, column: column + 1 };
    case "Home":
      return { row: ctrlKey ? 0 : row, column: 0 };
    case "End":
      return { row: ctrlKey ? Infinity : row, column: Infinity };
    case "PageUp":
      return { row: row - 10, column };
    case "PageDown":
      return { row: row + 10, column };
    default:
      return undefined;
  }
}

function within(index: number, count: number): number {
  return Math.max(0, Math.min(index, count - 1));
}
