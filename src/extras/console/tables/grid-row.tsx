import type { RefObject, VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { ColumnEntry } from "../api/setup.ts";
import { hashOf } from "../parts/route.ts";
import { CellEditor } from "./cell-editor.tsx";
import { isNumeric, showCell } from "./cell.ts";
import type { GridProps } from "./grid-props.ts";
import { rowsWith } from "./query.ts";
import { keyPath, referenceOf, type TableRow, valueIn } from "./row.ts";
import type { GridState } from "./use-grid.ts";

interface GridRowProps extends GridProps {
  readonly index: number;
  readonly grid: GridState;
  readonly canPick: boolean;
}

/** One row, which may not have been read yet. */
export function GridRow(props: GridRowProps): VNode {
  const { table, rows, index, grid, picked, canPick } = props;
  const row = rows.rowAt(index);
  const key = row === undefined ? undefined : keyPath(table, row);
  const isPicked = key !== undefined && picked.has(key);
  return (
    <tr aria-rowindex={index + 2} aria-selected={isPicked} class={row ? undefined : "muted"}>
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
        <GridCell key={column.name} {...props} column={column} at={at} row={row} rowKey={key} />
      ))}
    </tr>
  );
}

interface GridCellProps extends GridRowProps {
  readonly column: ColumnEntry;
  readonly at: number;
  readonly row: TableRow | undefined;
  readonly rowKey: string | undefined;
}

function GridCell(props: GridCellProps): VNode {
  const { table, index, grid, column, at, row, rowKey, onEdit } = props;
  const value = row && valueIn(row, column.name);
  const { kind, text } = showCell(value, column);
  const cell = useFlash(rowKey, text);
  const isActive = grid.active.row === index && grid.active.column === at;
  const isEdited = rowKey !== undefined && isEditedIn(grid, rowKey, column);
  const classes = [
    "cell",
    kind,
    isNumeric(column.type) ? "right" : "",
    column.name === table.primaryKey[0] ? "key" : "",
    isEdited ? "edited" : "",
  ];
  return (
    <td
      ref={cell}
      class={classes.join(" ")}
      data-cell={`${index} ${at}`}
      tabIndex={isActive ? 0 : -1}
      aria-readonly={rowKey === undefined}
      title={text.length > 30 ? text : undefined}
      onFocus={() => grid.setPlace({ row: index, column: at })}
      onDblClick={() => grid.edit({ row: index, column: at })}
    >
      <CellText {...props} value={value} text={text} tabIndex={isActive ? 0 : -1} />
      {row !== undefined && grid.editing !== undefined && isEdited && (
        <CellEditor
          column={column}
          draft={grid.editing.draft}
          onChange={grid.setDraft}
          onSave={(typed) => onEdit(row, column.name, typed)}
          onClose={grid.stopEditing}
        />
      )}
    </td>
  );
}

function isEditedIn({ editing }: GridState, key: string, column: ColumnEntry): boolean {
  return editing?.key === key && editing.column === column.name;
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
  return (
    <a
      href={hashOf("tables", reference.table, rowsWith(reference.column, value))}
      tabIndex={tabIndex}
      title={`The row of ${reference.table} with this ${reference.column}`}
    >
      {text}
    </a>
  );
}

/** Lights up a cell when its row has another text in it than before. */
function useFlash(key: string | undefined, text: string): RefObject<HTMLTableCellElement | null> {
  const cell = useRef<HTMLTableCellElement>(null);
  const before = useRef({ key, text });
  useEffect(() => {
    const isSameRow = key !== undefined && before.current.key === key;
    if (isSameRow && before.current.text !== text) {
      cell.current?.animate({ backgroundColor: ["var(--warn-soft)", "transparent"] }, flashMs);
    }
    before.current = { key, text };
  }, [key, text]);
  return cell;
}

const flashMs = 1500;
