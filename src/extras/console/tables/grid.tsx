import type { VNode } from "preact";
import type { ColumnEntry, TableEntry } from "../api/setup.ts";
import { ConfirmButton } from "../parts/confirm-button.tsx";
import { draftOf, isNumeric, readDraft, showCell } from "./cell.ts";
import { cellAfter, type CellPlace, cellWithin, type GridSize, isSameCell } from "./grid-keys.ts";
import { nextSort, type TableQuery } from "./query.ts";
import { keyPath, type TableRow, valueIn } from "./row.ts";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { DraftInput } from "./add-row.tsx";
import { Problem } from "../parts/failure-notice.tsx";

interface GridProps {
  readonly table: TableEntry;
  readonly rows: readonly TableRow[];
  readonly isLoading: boolean;
  /** Shown if there are no rows. */
  readonly emptyText: string;
  readonly sort: TableQuery["sort"];
  readonly onSort: (sort: TableQuery["sort"]) => void;
  /** Gives whether it was accepted. */
  readonly onEdit: (row: TableRow, column: string, value: unknown) => Promise<boolean>;
  readonly onDelete: (row: TableRow) => void;
}

/** Rows and columns. Arrow keys go from cell to cell, Enter edits one. */
export function Grid(props: GridProps): VNode {
  const { table, rows, isLoading, emptyText, sort, onSort } = props;
  const canWrite = table.primaryKey.length > 0;
  const grid = useGrid(rows, table.columns.length + (canWrite ? 1 : 0));
  return (
    <div class="surface scroll" role="region" aria-label={`Rows of ${table.name}, scrollable`}>
      <table role="grid" aria-busy={isLoading} aria-rowcount={rows.length + 1}>
        <thead>
          <tr>
            {table.columns.map((column) => (
              <ColumnHead
                key={column.name}
                column={column}
                table={table}
                sort={sort}
                onSort={onSort}
              />
            ))}
            {canWrite && (
              <th class="tools">
                <span class="unseen">Delete</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody ref={grid.body} onKeyDown={grid.press}>
          {rows.map((row, index) => (
            <GridRow
              key={keyPath(table, row) ?? index}
              {...props}
              row={row}
              index={index}
              grid={grid}
            />
          ))}
        </tbody>
      </table>
      {rows.length === 0 && !isLoading && <p class="empty">{emptyText}</p>}
    </div>
  );
}

interface ColumnHeadProps extends Pick<GridProps, "sort" | "onSort" | "table"> {
  readonly column: ColumnEntry;
}

function ColumnHead({ column, table, sort, onSort }: ColumnHeadProps): VNode {
  const { name, type, notNull, references } = column;
  const direction = sort?.column === name ? sort.direction : undefined;
  const isKey = table.primaryKey.includes(name);
  const order = { asc: "ascending", desc: "descending" } as const;
  const about = [
    type,
    ...(isKey ? ["primary key"] : []),
    ...(notNull ? ["not null"] : []),
    ...(references === undefined ? [] : [`→ ${references}`]),
  ].join(", ");
  return (
    <th
      class={isNumeric(type) ? "number" : undefined}
      aria-sort={direction === undefined ? "none" : order[direction]}
      title={about}
      scope="col"
    >
      <button type="button" onClick={() => onSort(nextSort(sort, name))}>
        {name}
        <span class="accent" aria-hidden="true">
          {direction === undefined ? "" : direction === "asc" ? "↑" : "↓"}
        </span>
      </button>
      <small>{isKey ? `${type} · key` : type}</small>
    </th>
  );
}

interface GridRowProps extends GridProps {
  readonly row: TableRow;
  readonly index: number;
  readonly grid: GridState;
}

function GridRow(props: GridRowProps): VNode {
  const { table, row, index, grid, onDelete } = props;
  const key = keyPath(table, row);
  const last = { row: index, column: table.columns.length };
  const edited = grid.editing?.row === index ? table.columns[grid.editing.column] : undefined;
  return (
    <>
      <tr>
        {table.columns.map((column, at) => (
          <GridCell
            key={column.name}
            {...props}
            column={column}
            at={at}
            canEdit={key !== undefined}
          />
        ))}
        {table.primaryKey.length > 0 && (
          <td class="tools" onFocusIn={() => grid.setActive(last)}>
            {key !== undefined && (
              <ConfirmButton
                label="Delete"
                about={`row ${decodeURIComponent(key)}`}
                tabIndex={isSameCell(grid.active, last) ? 0 : -1}
                onConfirm={() => {
                  grid.refocus();
                  onDelete(row);
                }}
              />
            )}
          </td>
        )}
      </tr>
      {edited !== undefined && (
        <tr>
          <td colSpan={table.columns.length + 1}>
            <CellEditor key={edited.name} {...props} column={edited} />
          </td>
        </tr>
      )}
    </>
  );
}

interface GridCellProps extends GridRowProps {
  readonly column: ColumnEntry;
  readonly at: number;
  readonly canEdit: boolean;
}

function GridCell({ row, index, grid, column, at, canEdit }: GridCellProps): VNode {
  const cell = { row: index, column: at };
  const isEdited = grid.editing !== undefined && isSameCell(grid.editing, cell);
  const { kind, text } = showCell(valueIn(row, column.name), column);
  const open = (): void => {
    if (canEdit) grid.edit(cell);
  };
  return (
    <td
      class={`cell ${kind} ${isEdited ? "edited" : ""}`}
      tabIndex={isSameCell(grid.active, cell) ? 0 : -1}
      aria-readonly={!canEdit}
      title={text.length > 40 ? text : undefined}
      onFocus={() => grid.setActive(cell)}
      onDblClick={open}
      onKeyDown={(event) => {
        if (event.key !== "Enter" && event.key !== "F2") return;
        event.preventDefault();
        open();
      }}
    >
      {text}
    </td>
  );
}

/** Changes one value, below its row, so that the columns keep their widths. Enter saves it, Escape leaves it as it is. */
function CellEditor(props: GridRowProps & { readonly column: ColumnEntry }): VNode {
  const { row, grid, onEdit, column } = props;
  const [draft, setDraft] = useState(() => draftOf(valueIn(row, column.name), column));
  const [problem, setProblem] = useState<string>();
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    const input = form.current?.querySelector<HTMLInputElement>("textarea, select");
    input?.focus();
    if (input instanceof HTMLTextAreaElement) input.select();
  }, []);
  const save = async (): Promise<void> => {
    const read = readDraft(draft);
    if (!read.ok) setProblem(read.error);
    else if (await onEdit(row, column.name, read.value)) grid.stopEditing();
    else setProblem("It was refused: see above.");
  };
  const press = (event: KeyboardEvent): void => {
    event.stopPropagation();
    const isText = event.target instanceof HTMLTextAreaElement;
    if (event.key === "Escape") grid.stopEditing();
    else if (event.key === "Enter" && isText && !event.shiftKey) {
      event.preventDefault();
      void save();
    }
  };
  return (
    <form
      ref={form}
      class="cell-editor stack"
      aria-label={`Change ${column.name}`}
      onKeyDown={press}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <span class="muted">{column.name}</span>
      <DraftInput
        label={column.name}
        draft={draft}
        onChange={setDraft}
        canBeNull={!column.notNull}
      />
      <Problem text={problem} />
      <div class="row">
        <button type="submit" class="primary">
          Save
        </button>
        <button type="button" class="quiet" onClick={grid.stopEditing}>
          Cancel
        </button>
      </div>
    </form>
  );
}

/** The focused cell of a grid, and the edited one. */
type GridState = ReturnType<typeof useGrid>;

/** Moves the focus through a grid of rows. */
function useGrid(rows: readonly TableRow[], columns: number) {
  const size: GridSize = { rows: rows.length, columns };
  const [last, setActive] = useState<CellPlace>({ row: 0, column: 0 });
  const [editing, setEditing] = useState<CellPlace>();
  const body = useRef<HTMLTableSectionElement>(null);
  const wantsFocus = useRef(false);
  const active = cellWithin(last, size);
  const focus = (cell: CellPlace): void => {
    setActive(cell);
    const found = body.current?.rows[cell.row]?.cells[cell.column];
    (found?.querySelector("button") ?? found)?.focus();
  };
  useLayoutEffect(() => {
    if (!wantsFocus.current) return;
    wantsFocus.current = false;
    focus(active);
  }, [rows]);
  return {
    body,
    /** The one cell that the Tab key reaches. */
    active,
    editing,
    setActive,
    edit: setEditing,
    stopEditing: () => {
      setEditing(undefined);
      // After the editor is removed.
      setTimeout(() => focus(editing ?? active));
    },
    /** Returns the focus to the grid after its rows changed. */
    refocus: () => {
      wantsFocus.current = true;
    },
    press: (event: KeyboardEvent) => {
      const next = editing === undefined ? cellAfter(event, active, size) : undefined;
      if (next === undefined) return;
      event.preventDefault();
      focus(next);
    },
  };
}
