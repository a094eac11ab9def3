import type { RefObject } from "preact";
import { useVisibleRange, type VisibleRange } from "./visible-range.ts";

/** The position of a cell on the page. */
export interface CellPlace {
  readonly row: number;
  readonly column: number;
}

/** How many cells there are. */
export interface GridSize {
  readonly rows: number;
  readonly columns: number;
}

/** How far a key moves the focus. */
const steps: ReadonlyMap<string, CellPlace> = new Map([
  ["ArrowUp", { row: -1, column: 0 }],
  ["ArrowDown", { row: 1, column: 0 }],
  ["ArrowLeft", { row: 0, column: -1 }],
  ["ArrowRight", { row: 0, column: 1 }],
  ["PageUp", { row: -10, column: 0 }],
  ["PageDown", { row: 10, column: 0 }],
  ["Home", { row: 0, column: -Infinity }],
  ["End", { row: 0, column: Infinity }],
]);

/** The cell to which a key moves the focus; undefined for other keys. */
export function cellAfter(
  { key, ctrlKey }: { readonly key: string; readonly ctrlKey: boolean },
  { row, column }: CellPlace,
  size: GridSize,
): CellPlace | undefined {
  const step = steps.get(key);
  if (step === undefined) return undefined;
  // Ctrl and Home or End move to a corner.
  const isCorner = ctrlKey && !Number.isFinite(step.column);
  const next = { row: row + (isCorner ? step.column : step.row), column: column + step.column };
  return cellWithin(next, size);
}

/** The cell of a grid nearest to a position. */
export function cellWithin({ row, column }: CellPlace, { rows, columns }: GridSize): CellPlace {
  return { row: within(row, rows), column: within(column, columns) };
}

function within(index: number, count: number): number {
  return Math.max(0, Math.min(index, count - 1));
}

/**
 * The height of every row in pixels, as in the style sheet. With equal heights, nothing must be measured, however many
 * rows there are.
 */
export const rowHeight = 28;

/** How many rows are drawn beyond the visible ones. The drawn range also moves by this many. */
const spare = 10;

/** The rows of a scrolled region that are visible, and a few around them. */
export function useVisibleRows(region: RefObject<HTMLElement | null>): VisibleRange {
  return useVisibleRange(region, { first: 0, last: 4 * spare }, rowsIn);
}

function rowsIn({ scrollTop, clientHeight }: HTMLElement): VisibleRange {
  const top = Math.floor(scrollTop / rowHeight / spare) * spare;
  const bottom = Math.ceil((scrollTop + clientHeight) / rowHeight / spare) * spare;
  return { first: Math.max(0, top - spare), last: bottom + spare };
}

/** Scrolls just far enough that a row is visible below the header. */
export function scrollToRow(region: HTMLElement, row: number): void {
  const head = region.querySelector("thead")?.offsetHeight ?? rowHeight;
  const top = row * rowHeight;
  const bottom = top + rowHeight + head - region.clientHeight;
  region.scrollTop = Math.max(Math.min(region.scrollTop, top), bottom);
}
