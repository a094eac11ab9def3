import type { VNode } from "preact";
import { ResizeHandle } from "../parts/resize-handle.tsx";
import { useStored } from "../parts/use-stored.ts";

/** A column of the list. */
interface Column {
  /** The name by which the column is sorted and styled. */
  readonly name: string;
  readonly title: string;
  /** The width in pixels, until the user sets another. */
  readonly width: number;
  /** The column's share of the width that the others leave free; 0: none. */
  readonly share: number;
}

/** The columns. The session's column is shown while the list has several sessions. */
const columns: readonly Column[] = [
  { name: "time", title: "Time", width: 104, share: 0 },
  { name: "ended", title: "Status", width: 118, share: 0 },
  { name: "session", title: "Session", width: 110, share: 0 },
  { name: "method", title: "Method", width: 62, share: 0 },
  { name: "request", title: "Request", width: 150, share: 3 },
  { name: "answer", title: "Answer", width: 120, share: 2 },
  { name: "took", title: "Took", width: 74, share: 0 },
];

/** A column with its width. */
export interface SizedColumn extends Column {
  readonly set: (width: number) => void;
  readonly track: string;
}

/** The columns with the widths that this browser keeps. */
export function useColumns(hasSessions: boolean): readonly SizedColumn[] {
  const sized = columns.map((column) => {
    const [stored, set] = useStored(`width of column ${column.name}`, 0);
    const width = stored === 0 ? column.width : stored;
    const track =
      stored === 0 && column.share > 0 ? `minmax(${width}px, ${column.share}fr)` : `${width}px`;
    return { ...column, width, set, track };
  });
  return sized.filter(({ name }) => hasSessions || name !== "session");
}

/** How a column sorts the list now, and the order for a click on its header: descending, ascending, then by arrival. */
function sortingOf(
  name: string,
  sort: string,
): { readonly direction: "descending" | "ascending" | "none"; readonly next: string } {
  if (sort === `-${name}`) return { direction: "descending", next: name };
  if (sort === name) return { direction: "ascending", next: "" };
  return { direction: "none", next: `-${name}` };
}

interface ColumnHeadsProps {
  readonly columns: readonly SizedColumn[];
  readonly sort: string;
  readonly onSort: (sort: string) => void;
}

/** The heads of the columns. Each sorts the list, and has a handle for the column's width. */
export function ColumnHeads({ columns: shown, sort, onSort }: ColumnHeadsProps): VNode {
  return (
    <div role="row" aria-rowindex={1} class="heads">
      {shown.map(({ name, title, width, set }) => {
        const isDown = sort === `-${name}`;
        const { direction, next } = sortingOf(name, sort);
        return (
          <span key={name} role="columnheader" class={name} aria-sort={direction}>
            <button type="button" class="quiet" onClick={() => onSort(next)}>
              {title}
              <span aria-hidden="true">{isDown ? " ▼" : sort === name && " ▲"}</span>
            </button>
            <ResizeHandle
              label={`Width of ${title}`}
              value={width}
              least={40}
              most={900}
              pixels={() => 1}
              drawn={(handle) => handle.parentElement?.clientWidth ?? width}
              onChange={set}
            />
          </span>
        );
      })}
      <span role="columnheader" class="bar muted">
        Waterfall
      </span>
    </div>
  );
}
