import type { RefObject } from "preact";
import { useMemo } from "preact/hooks";
import type { ColumnEntry, TableEntry } from "../api/client.ts";
import { useUrlState } from "../parts/route.ts";
import { useVisibleRange, type VisibleRange } from "../parts/visible-range.ts";
import { isNumeric } from "./cell.ts";

/** The width of a column in pixels, as in the style sheet. If there is more room than columns, they are stretched. */
export function columnWidth({ type }: Pick<ColumnEntry, "type">): number {
  return isNumeric(type) ? 130 : 180;
}

/** The width that is drawn beyond what is visible, and in steps of which the range moves, in pixels. */
const spare = 400;

/** The pixels of a scrolled region that are visible, from its left edge, and some around them. */
export function useVisibleWidth(region: RefObject<HTMLElement | null>): VisibleRange {
  return useVisibleRange(region, { first: 0, last: 4 * spare }, pixelsIn);
}

function pixelsIn({ scrollLeft, clientWidth }: HTMLElement): VisibleRange {
  const first = Math.max(0, Math.floor(scrollLeft / spare) - 1) * spare;
  return { first, last: (Math.ceil((scrollLeft + clientWidth) / spare) + 1) * spare };
}

/** A column that is drawn, with its place among the shown ones, or the width of those that are not. */
export type DrawnColumn =
  | { readonly column: ColumnEntry; readonly at: number }
  | { readonly column?: undefined; readonly width: number };

/** The columns in sight, and blank space in place of the others. The first key column is always in sight. */
export function drawnColumns(
  columns: readonly ColumnEntry[],
  { primaryKey }: Pick<TableEntry, "primaryKey">,
  { first: from, last: to }: VisibleRange,
): readonly DrawnColumn[] {
  const drawn: DrawnColumn[] = [];
  let left = 0;
  let blank = 0;
  for (const [at, column] of columns.entries()) {
    const width = columnWidth(column);
    const isInSight = left + width >= from && left <= to;
    left += width;
    if (!isInSight && column.name !== primaryKey[0]) {
      blank += width;
      continue;
    }
    if (blank > 0) drawn.push({ width: blank });
    blank = 0;
    drawn.push({ column, at });
  }
  return blank > 0 ? [...drawn, { width: blank }] : drawn;
}

/** Scrolls just far enough to the side that a column is visible beside the key. */
export function scrollToColumn(
  region: HTMLElement,
  columns: readonly ColumnEntry[],
  at: number,
): void {
  const left = columns.slice(0, at).reduce((sum, column) => sum + columnWidth(column), 0);
  const column = columns[at];
  if (column === undefined) return;
  const pinned = Number.parseFloat(getComputedStyle(region).scrollPaddingLeft) || 0;
  const right = left + columnWidth(column) + pinned - region.clientWidth;
  region.scrollLeft = Math.max(Math.min(region.scrollLeft, left), right);
}

/** The columns of a table that are shown. The address has the names of the hidden ones. */
export interface ShownColumns {
  readonly columns: readonly ColumnEntry[];
  readonly hidden: ReadonlySet<string>;
  readonly hide: (names: ReadonlySet<string>) => void;
}

export function useShownColumns({ columns }: Pick<TableEntry, "columns">): ShownColumns {
  const [{ hidden: names }, change] = useUrlState({ hidden: "" });
  const hidden = useMemo(() => new Set(new URLSearchParams(names).keys()), [names]);
  const shown = useMemo(() => columns.filter(({ name }) => !hidden.has(name)), [columns, hidden]);
  return {
    // An address may hide all columns. Then all are shown.
    columns: shown.length === 0 ? columns : shown,
    hidden,
    hide: (left) =>
      change({ hidden: String(new URLSearchParams([...left].map((name) => [name, ""]))) }),
  };
}
