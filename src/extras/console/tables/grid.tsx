import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { TableEntry } from "../api/setup.ts";
import { showCell } from "./cell.ts";
import { GridHead } from "./grid-head.tsx";
import { GridRow } from "./grid-row.tsx";
import type { GridProps } from "./grid-props.ts";
import { valueIn } from "./row.ts";
import { rowHeight } from "./use-cell-focus.ts";
import { useGrid } from "./use-grid.ts";
import type { KnownRows } from "./use-rows.ts";

/** Rows and columns, of which only those in sight are drawn. Arrow keys go from cell to cell, Enter edits one. */
export function Grid(props: GridProps): VNode {
  const { table, region, visible, rows, query } = props;
  const { count, isOpen, isLoading, failure } = rows;
  const grid = useGrid(props);
  const widths = useWidths(table, rows);
  useEffect(() => region.current?.scrollTo({ top: 0 }), [query]);
  const canPick = table.primaryKey.length > 0;
  const first = Math.min(visible.first, Math.max(0, count - 1));
  const last = Math.min(visible.last, count - 1);
  const indexes = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  return (
    <div ref={region} class="surface grid">
      <table
        role="grid"
        aria-busy={isLoading}
        aria-rowcount={isOpen ? -1 : count + 1}
        aria-multiselectable={canPick}
        style={{ width: `${widths.reduce((sum, width) => sum + width, 4)}ch` }}
      >
        <colgroup>
          {canPick && <col class="pick" />}
          {table.columns.map(({ name }, at) => (
            <col key={name} style={{ width: `${widths[at] ?? 0}ch` }} />
          ))}
        </colgroup>
        <GridHead {...props} canPick={canPick} />
        <Space rows={first} />
        <tbody onKeyDown={grid.press}>
          {indexes.map((index) => (
            <GridRow key={index} {...props} index={index} grid={grid} canPick={canPick} />
          ))}
        </tbody>
        <Space rows={count - 1 - last} />
      </table>
      {count === 0 && !isLoading && failure === undefined && <p class="empty">No rows.</p>}
    </div>
  );
}

/** The place of rows that are not drawn. */
function Space({ rows }: { readonly rows: number }): VNode {
  return (
    <tbody aria-hidden="true">
      <tr style={{ height: `${rows * rowHeight}px` }} />
    </tbody>
  );
}

/** The widest and the narrowest column, in characters. */
const mostWidth = 36;
const leastWidth = 11;

/** A width for each column, by what the first rows have. It stays, so that scrolling moves nothing. */
function useWidths(table: TableEntry, rows: KnownRows): readonly number[] {
  const [widths, setWidths] = useState<readonly number[]>();
  const sample = rows.rows().slice(0, 50);
  const found = table.columns.map((column) => {
    const texts = sample.map((row) => showCell(valueIn(row, column.name), column).text.length);
    const widest = Math.max(leastWidth, column.name.length + 2, column.type.length + 6, ...texts);
    return Math.min(mostWidth, widest) + 3;
  });
  useEffect(() => {
    if (widths === undefined && sample.length > 0) setWidths(found);
  });
  return widths ?? found;
}
