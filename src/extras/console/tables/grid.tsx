import type { RefObject, VNode } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { ColumnEntry, TableEntry } from "../api/client.ts";
import { cellAfter, type CellPlace, cellWithin, rowHeight, scrollToRow } from "../parts/grid.ts";
import type { VisibleRange } from "../parts/visible-range.ts";
import { hashOf } from "../parts/route.ts";
import { useConsole } from "../parts/use-console.ts";
import { isPresent } from "../../../core/schema/json.ts";
import { CellEditor } from "./cell-editor.tsx";
import { columnClass, type DraftCell, draftOf, showCell } from "./cell.ts";
import { type DrawnColumn, drawnColumns, scrollToColumn, useVisibleWidth } from "./columns.ts";
import { filterOf, nextSort, rowsWith, type TableQuery, withFilter } from "./query.ts";
import { keyPath, referenceOf, type TableRow, valueIn } from "./row.ts";
import type { Refusal } from "./use-changes.ts";
import type { KnownRows } from "./use-rows.ts";

interface GridProps {
  readonly table: TableEntry;
  /** The columns that are shown. */
  readonly columns: readonly ColumnEntry[];
  /** The element that scrolls. */
  readonly region: RefObject<HTMLDivElement | null>;
  readonly visible: VisibleRange;
  readonly rows: KnownRows;
  readonly picked: PickedRows;
  readonly onPick: (picked: PickedRows) => void;
  readonly onUndo: () => void;
  readonly query: TableQuery;
  readonly onQuery: (part: Partial<TableQuery>) => void;
  /** Writes a value into a row as it was `seen` when its editor was opened. */
  readonly onEdit: (seen: TableRow, column: string, value: unknown) => Promise<Refusal | undefined>;
}

/** What the parts of a grid need besides: the columns that are drawn. */
interface DrawnGridProps extends GridProps {
  readonly drawn: readonly DrawnColumn[];
}

/** A grid of rows, of which only the visible rows and columns are drawn. */
export function Grid(props: GridProps): VNode {
  const { table, columns, region, visible, query } = props;
  const { count, isOpen, isLoading, failure } = props.rows;
  const width = useVisibleWidth(region);
  const drawn = useMemo(() => drawnColumns(columns, table, width), [columns, table, width]);
  const grid = useGrid({ ...props, drawn });
  const { filters, sort, order } = query;
  useEffect(() => region.current?.scrollTo({ top: 0 }), [filters, sort, order]);
  const first = Math.min(visible.first, Math.max(0, count - 1));
  const last = Math.min(visible.last, count - 1);
  return (
    <div ref={region} class="surface grid">
      <table
        role="grid"
        aria-busy={isLoading}
        aria-rowcount={isOpen ? -1 : count + 1}
        aria-colcount={columns.length + (canPick(table) ? 1 : 0)}
        aria-multiselectable={canPick(table)}
      >
        <GridHead {...props} drawn={drawn} />
        <Space rows={first} />
        <tbody onKeyDown={grid.press}>
          {Array.from({ length: last - first + 1 }, (_, at) => (
            <GridRow key={first + at} {...props} drawn={drawn} index={first + at} grid={grid} />
          ))}
        </tbody>
        <Space rows={count - 1 - last} />
      </table>
      {count === 0 && !isLoading && failure === undefined && <p class="empty">No rows.</p>}
    </div>
  );
}

/** Whether rows can be picked. Without a primary key, no request could name a row. */
function canPick({ primaryKey }: TableEntry): boolean {
  return primaryKey.length > 0;
}

/** Blank space in place of rows that are not drawn. */
function Space({ rows }: { readonly rows: number }): VNode {
  return (
    <tbody aria-hidden="true">
      <tr style={{ height: `${rows * rowHeight}px` }} />
    </tbody>
  );
}

/** The number of a column for screen readers, which count from 1. */
function columnIndex(table: TableEntry, at: number): number {
  return at + (canPick(table) ? 2 : 1);
}

interface GridRowProps extends DrawnGridProps {
  readonly index: number;
  readonly grid: GridState;
}

/** One row, which may not have been read yet. */
function GridRow(props: GridRowProps): VNode {
  const { table, drawn, index, grid, picked } = props;
  const { key } = rowAt(props, index);
  const isPicked = key !== undefined && picked.has(key);
  return (
    <tr aria-rowindex={index + 2} aria-selected={isPicked}>
      {canPick(table) && (
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
      {drawn.map((part, place) =>
        part.column === undefined ? (
          <td key={place} class="gap" aria-hidden="true" />
        ) : (
          <GridCell key={part.column.name} {...props} column={part.column} at={part.at} />
        ),
      )}
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
      aria-colindex={columnIndex(table, at)}
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
          isChanged={
            !isSameDraft(editing.draft, draftOf(valueIn(editing.seen, column.name), column))
          }
          onSave={async (typed) => {
            const refusal = await onEdit(editing.seen, column.name, typed);
            if (refusal?.now !== undefined) grid.setEditing({ ...editing, seen: refusal.now });
            return refusal;
          }}
          onClose={() => {
            grid.setEditing(undefined);
            grid.refocus();
          }}
        />
      )}
    </td>
  );
}

interface CellTextProps extends Pick<GridCellProps, "column"> {
  readonly value: unknown;
  readonly text: string;
  readonly tabIndex: number;
}

/** The text of a cell. A foreign key is a link to the row that it refers to. */
function CellText({ column, value, text, tabIndex }: CellTextProps): VNode {
  const { tables } = useConsole().setup;
  const reference = isPresent(value) ? referenceOf(column, tables) : undefined;
  if (reference === undefined) return <>{text}</>;
  const href = hashOf("tables", reference.table, rowsWith(reference.column, value));
  return (
    <a href={href} tabIndex={tabIndex} title={`Its row of ${reference.table}`}>
      {text}
    </a>
  );
}

/** The header: the names of the columns, with sort buttons and filters. */
function GridHead(props: DrawnGridProps): VNode {
  const { table, drawn, rows, picked, onPick } = props;
  const keyed = rows.rows.flatMap((row) => {
    const key = keyPath(table, row);
    return key === undefined ? [] : [[key, row] as const];
  });
  const isAll = picked.size > 0 && picked.size >= keyed.length;
  return (
    <thead>
      <tr aria-rowindex={1}>
        {canPick(table) && (
          <th class="pick" scope="col">
            <input
              type="checkbox"
              aria-label={`Pick the ${keyed.length} rows around here`}
              title={`The ${keyed.length} rows that are read`}
              checked={isAll}
              onChange={() => onPick(new Map(isAll ? [] : keyed))}
            />
          </th>
        )}
        {drawn.map((part, place) =>
          part.column === undefined ? (
            <td key={place} class="gap" aria-hidden="true" style={{ width: `${part.width}px` }} />
          ) : (
            <ColumnHead key={part.column.name} {...props} column={part.column} at={part.at} />
          ),
        )}
      </tr>
    </thead>
  );
}

interface ColumnHeadProps extends GridProps {
  readonly column: ColumnEntry;
  readonly at: number;
}

function ColumnHead(props: ColumnHeadProps): VNode {
  const { table, query, onQuery, column, at } = props;
  const { name, type, notNull, references } = column;
  const { setup } = useConsole();
  const signs = setup.operators.map((operator) => operator.signs[0]).join("  ");
  const direction = query.sort === name ? query.order : undefined;
  const about = [
    type,
    ...(table.primaryKey.includes(name) ? ["key"] : []),
    ...(notNull ? ["not null"] : []),
    ...(references === undefined ? [] : [`→ ${references}`]),
  ].join(" · ");
  const sorted = direction === "desc" ? "descending" : "ascending";
  return (
    <th
      class={columnClass(column, table)}
      aria-sort={direction === undefined ? "none" : sorted}
      title={about}
      scope="col"
      aria-colindex={columnIndex(table, at)}
    >
      <button type="button" onClick={() => onQuery(nextSort(query, name))}>
        {name}
        <span class="accent" aria-hidden="true">
          {direction && (direction === "desc" ? " ↓" : " ↑")}
        </span>
      </button>
      <small>{about}</small>
      <input
        type="search"
        aria-label={`Filter ${name}`}
        title={`A value, or an operator and a value: ${signs}. Two with & between them.`}
        placeholder="filter"
        autocomplete="off"
        spellcheck={false}
        value={filterOf(query, name)}
        onInput={(event) =>
          onQuery({ filters: withFilter(query, name, event.currentTarget.value) })
        }
      />
    </th>
  );
}

/** The picked rows, by the path of their key. */
export type PickedRows = ReadonlyMap<string, TableRow>;

/** A value that is being edited. Its row may move in the meantime. */
interface Editing {
  readonly key: string;
  readonly column: string;
  readonly draft: DraftCell;
  /** The row when the editor was opened, or as the user was last told. */
  readonly seen: TableRow;
}

function isSameDraft(one: DraftCell, other: DraftCell): boolean {
  return one.mode === other.mode && one.text === other.text;
}

/** The state of a grid: where the focus is, and which cell is being edited. */
type GridState = ReturnType<typeof useGrid>;

/** Arrow keys move the focus over all rows, drawn or not; Enter edits a cell, Space picks a row, Ctrl+Z undoes. */
function useGrid(content: DrawnGridProps) {
  const { columns, drawn, region, visible, rows, picked, onPick, onUndo } = content;
  const size = { rows: rows.count, columns: columns.length };
  const [last, setPlace] = useState<CellPlace>({ row: 0, column: 0 });
  const [editing, setEditing] = useState<Editing>();
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
    if (region.current === null) return;
    scrollToRow(region.current, next.row);
    scrollToColumn(region.current, columns, next.column);
  };
  const edit = (at: CellPlace): void => {
    const { row, key } = rowAt(content, at.row);
    const column = columns[at.column];
    if (row === undefined || column === undefined || key === undefined) return;
    const draft = draftOf(valueIn(row, column.name), column);
    setEditing({ key, column: column.name, draft, seen: row });
  };
  const pick = (index: number): void => {
    const { row, key } = rowAt(content, index);
    if (row === undefined || key === undefined) return;
    const next = new Map(picked);
    if (!next.delete(key)) next.set(key, row);
    onPick(next);
  };
  const press = (event: KeyboardEvent): void => {
    const { key, ctrlKey, metaKey, target } = event;
    const next = cellAfter(event, place, size);
    const isCell = target instanceof HTMLTableCellElement;
    if (next !== undefined) focus(next);
    else if (isCell && (key === "Enter" || key === "F2")) edit(place);
    else if (isCell && key === " ") pick(place.row);
    else if (key === "z" && (ctrlKey || metaKey)) onUndo();
    else return;
    event.preventDefault();
  };
  const row = Math.min(Math.max(place.row, visible.first), visible.last);
  const places = drawn.flatMap((part) => (part.column === undefined ? [] : [part.at]));
  const column = places.includes(place.column) ? place.column : (places[0] ?? 0);
  // The one cell that the Tab key reaches. It must be drawn.
  const active = { row, column };
  return { active, setPlace, editing, setEditing, edit, refocus: () => focus(place), pick, press };
}

/** A row and the path of its key; empty if the row has not been read. */
function rowAt(
  { table, rows }: Pick<GridProps, "table" | "rows">,
  index: number,
): { readonly row?: TableRow | undefined; readonly key?: string | undefined } {
  const row = rows.rows[index - rows.offset];
  return row === undefined ? {} : { row, key: keyPath(table, row) };
}
