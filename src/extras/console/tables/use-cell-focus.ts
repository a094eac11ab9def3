import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { VisibleRows } from "../parts/visible-rows.ts";
import { type CellPlace, cellWithin, type GridSize } from "./grid-keys.ts";

/** The height of every row, in pixels. */
export const rowHeight = 30;

/** The cell of a grid that has the focus, or had it last. */
export interface CellFocus {
  readonly place: CellPlace;
  /** The one cell that the Tab key reaches. It is one of those that are drawn. */
  readonly active: CellPlace;
  /** Told by the cell itself. */
  readonly setPlace: (place: CellPlace) => void;
  /** Moves the focus, also to a cell that is not drawn yet. */
  readonly focus: (place: CellPlace) => void;
}

/** Moves the focus through the cells of all rows, of which only those in sight are drawn. */
export function useCellFocus(
  region: RefObject<HTMLElement | null>,
  visible: VisibleRows,
  size: GridSize,
): CellFocus {
  const [last, setPlace] = useState<CellPlace>({ row: 0, column: 0 });
  const wantsFocus = useRef(false);
  const place = cellWithin(last, size);
  useLayoutEffect(() => {
    const at = `[data-cell="${place.row} ${place.column}"]`;
    const cell = region.current?.querySelector<HTMLElement>(at);
    if (!wantsFocus.current || !cell) return;
    wantsFocus.current = false;
    cell.focus();
  });
  const focus = (next: CellPlace): void => {
    wantsFocus.current = true;
    setPlace(next);
    if (region.current !== null) scrollToRow(region.current, next.row);
  };
  const row = Math.min(Math.max(place.row, visible.first), visible.last);
  return { place, active: { ...place, row }, setPlace, focus };
}

/** Scrolls as little as is needed to see a row below the head. */
function scrollToRow(region: HTMLElement, row: number): void {
  const head = region.querySelector("thead")?.offsetHeight ?? 0;
  const top = row * rowHeight;
  const bottom = top + rowHeight + head - region.clientHeight;
  if (top < region.scrollTop) region.scrollTop = top;
  else if (bottom > region.scrollTop) region.scrollTop = bottom;
}
