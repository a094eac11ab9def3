import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import type { Failure } from "../api/failure.ts";
import type { ColumnEntry, TableEntry } from "../api/setup.ts";
import { hashOf } from "../parts/route.ts";
import { CellEditor } from "./cell-editor.tsx";
import { columnClass, showCell } from "./cell.ts";
import { GridHead } from "./grid-head.tsx";
import { rowsWith, type TableQuery } from "./query.ts";
import { referenceOf, valueIn } from "./row.ts";
import { type GridContent, type GridState, rowAt, rowHeight, useGrid } from "./use-grid.ts";

interface GridProps extends GridContent {
  /** All tables, to which foreign keys may refer. */
  readonly tables: readonly TableEntry[];
  readonly query: TableQuery;
  readonly onQuery: (part: Partial<TableQuery>) => void;
  readonly onEdit: (index: number, column: string, value: unknown) => Promise<Failure | undefined>;
}

/** Rows and columns, of which only those in sight are drawn. */
export function Grid(props: GridProps): VNode {
  const { table, region, visible, query } = props;
  const { count, isOpen, isLoading, failure } = props.rows;
  const grid = useGrid(props);
  useEffect(() => region.current?.scrollTo({ top: 0 }), [query]);
  const canPick = table.primaryKey.length > 0;
  const first = Math.min(visible.first, Math.max(0, count - 1));
  const last = Math.min(visible.last, count - 1);
  return (
    <div ref={region} class="surface grid">
      <table
        role="grid"
        aria-busy={isLoading}
        aria-rowcount={isOpen ? -1 : count + 1}
        aria-multiselectable={canPick}
      >
        <GridHead {...props} canPick={canPick} />
        <Space rows={first} />
        <tbody onKeyDown={grid.press}>
          {Array.from({ length: last - first + 1 }, (_, at) => (
            <GridRow key={first + at} {...props} index={first + at} grid={grid} canPick={canPick} />
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

interface GridRowProps extends GridProps {
  readonly index: number;
  readonly grid: GridState;
  readonly canPick: boolean;
}

/** One row, which may not have been read yet. */
function GridRow(props: GridRowProps): VNode {
  const { table, index, grid, picked, canPick } = props;
  const { key } = rowAt(props, index);
  const isPicked = key !== undefined && picked.has(key);
  return (
    <tr aria-rowindex={index + 2} aria-selected={isPicked}>
      {canPick && (
        <td class="pick">
          {key !== undefined && (
            <input
              type="checkbox"
              tabIndex={-1}
              aria-label={`Pick row ${decodeURIComponent(key)}`}
              checked={isPicked}
              onChange={() => grid.pick(index)}
            />
          )}
        </td>
      )}
      {table.columns.map((column, at) => (
        <GridCell key={column.name} {...props} column={column} at={at} />
      ))}
    </tr>
  );
}

interface GridCellProps extends GridRowProps {
  readonly column: ColumnEntry;
  readonly at: number;
}

/** The most characters of a value that a cell shows; the editor has all. */
const mostShown = 300;

function GridCell(props: GridCellProps): VNode {
  const { table, index, grid, column, at, onEdit } = props;
  const { row, key } = rowAt(props, index);
  const { editing, active } = grid;
  const value = row && valueIn(row, column.name);
  const { kind, text } = showCell(value, column);
  const isEdited = key !== undefined && editing?.key === key && editing.column === column.name;
  const tabIndex = active.row === index && active.column === at ? 0 : -1;
  return (
    <td
      class={`cell ${kind} ${columnClass(column, table)} ${isEdited ? "edited" : ""}`}
      data-cell={`${index} ${at}`}
      tabIndex={tabIndex}
      aria-readonly={key === undefined}
      title={text.length > 20 ? text.slice(0, mostShown) : undefined}
      onFocus={() => grid.setPlace({ row: index, column: at })}
      onDblClick={() => grid.edit({ row: index, column: at })}
    >
      <CellText {...props} value={value} text={text.slice(0, mostShown)} tabIndex={tabIndex} />
      {isEdited && (
        <CellEditor
          column={column}
          draft={editing.draft}
          onChange={(draft) => grid.setEditing({ ...editing, draft })}
          onSave={(typed) => onEdit(index, column.name, typed)}
          onClose={() => {
            grid.setEditing(undefined);
            grid.refocus();
          }}
        />
      )}
    </td>
  );
}

interface CellTextProps extends Pick<GridCellProps, "column" | "tables"> {
  readonly value: unknown;
  readonly text: string;
  readonly tabIndex: number;
}

/** The text of a cell. A foreign key is a link to what it refers to. */
function CellText({ column, tables, value, text, tabIndex }: CellTextProps): VNode {
  const reference = value === null || value === undefined ? undefined : referenceOf(column, tables);
  if (reference === undefined) return <>{text}</>;
  const href = hashOf("tables", reference.table, rowsWith(reference.column, value));
  return (
    <a href={href} tabIndex={tabIndex} title={`Its row of ${reference.table}`}>
      {text}
    </a>
  );
}
