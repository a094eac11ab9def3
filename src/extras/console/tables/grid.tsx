import type { RefObject, VNode } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { ColumnEntry, TableEntry } from "../api/client.ts";
import { cellAfter, type CellPlace, cellWithin, rowHeight, scrollToRow } from "../parts/grid.ts";
import type { VisibleRange } from "../parts/visible-range.ts";
import { memo } from "../parts/memo.ts";
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

/** The properties of a grid, and the columns that are drawn. */
interface DrawnGridProps extends GridProps {
  readonly drawn: readonly DrawnColumn[];
}

/** A grid of rows, of which only the visible rows and columns are drawn. */
export function Grid(props: GridProps): VNode {
  const { table, columns, region, visible, query, picked } = props;
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
        <tbody onKeyDown={grid.press} onFocusIn={grid.follow} onDblClick={grid.open}>
          {Array.from({ length: last - first + 1 }, (_, at) => {
            const index = first + at;
            const { row, key } = rowAt(props, index);
            return (
              <GridRow
                key={index}
                table={table}
                drawn={drawn}
                index={index}
                row={row}
                path={key}
                isPicked={key !== undefined && picked.has(key)}
                tabStop={grid.tabStop.row === index ? grid.tabStop.column : undefined}
                editing={grid.editing?.key === key ? grid.editing : undefined}
                actions={grid.actions}
              />
            );
          })}
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

interface GridRowProps {
  readonly table: TableEntry;
  readonly drawn: readonly DrawnColumn[];
  readonly index: number;
  readonly row: TableRow | undefined;
  /** The path of the row's key; undefined if the row has not been read, or has no key. */
  readonly path: string | undefined;
  readonly isPicked: boolean;
  /** The column of the cell that the Tab key reaches, if it is in this row. */
  readonly tabStop: number | undefined;
  /** The value that is being edited, if it is in this row. */
  readonly editing: Editing | undefined;
  readonly actions: GridActions;
}

/** One row, which may not have been read yet. A move of the focus draws no row again. */
const GridRow = memo((props: GridRowProps): VNode => {
  const { table, drawn, index, path, isPicked, actions } = props;
  return (
    <tr aria-rowindex={index + 2} aria-selected={isPicked}>
      {canPick(table) && (
        <td class="pick">
          {path !== undefined && (
            <input
              type="checkbox"
              tabIndex={-1}
              aria-label={`Pick row ${decodeURIComponent(path)}`}
              checked={isPicked}
              onChange={() => actions.pick(index)}
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
});

interface GridCellProps extends GridRowProps {
  readonly column: ColumnEntry;
  readonly at: number;
}

/** The most characters of a value that a cell shows; the editor has all. */
const mostShown = 300;

function GridCell(props: GridCellProps): VNode {
  const { table, index, row, path, column, at, tabStop, editing, actions } = props;
  const value = row && valueIn(row, column.name);
  const { kind, text } = showCell(value, column);
  const edited = editing?.column === column.name ? editing : undefined;
  const tabIndex = tabStop === at ? 0 : -1;
  return (
    <td
      class={`cell ${kind} ${columnClass(column, table)} ${edited === undefined ? "" : "edited"}`}
      data-cell={`${index} ${at}`}
      aria-colindex={columnIndex(table, at)}
      tabIndex={tabIndex}
      aria-readonly={path === undefined}
      title={text.length > 20 ? text.slice(0, mostShown) : undefined}
    >
      <CellText column={column} value={value} text={text.slice(0, mostShown)} tabIndex={tabIndex} />
      {edited !== undefined && (
        <CellEditor
          column={column}
          draft={edited.draft}
          onChange={(draft) => actions.write({ ...edited, draft })}
          isChanged={!isSameDraft(edited.draft, draftOf(valueIn(edited.seen, column.name), column))}
          onSave={(typed) => actions.save(edited, typed)}
          onClose={actions.close}
        />
      )}
    </td>
  );
}

interface CellTextProps {
  readonly column: ColumnEntry;
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
              title={`The ${keyed.length} loaded rows`}
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

/** What a row can do. The object stays the same, however often the grid is drawn. */
interface GridActions {
  readonly pick: (index: number) => void;
  readonly write: (editing: Editing) => void;
  readonly save: (editing: Editing, value: unknown) => Promise<Refusal | undefined>;
  readonly close: () => void;
}

/** The cell with the focus. A ref holds the cell, so that moving the focus draws nothing. */
function useFocusedCell({ columns, drawn, region, visible, rows }: DrawnGridProps) {
  const size = { rows: rows.count, columns: columns.length };
  const last = useRef<CellPlace>({ row: 0, column: 0 });
  const place = (): CellPlace => cellWithin(last.current, size);
  const wantsFocus = useRef(false);
  const focusIfDrawn = (): void => {
    const cell = cellAt(region.current, place());
    wantsFocus.current &&= cell === null;
    cell?.focus();
  };
  useLayoutEffect(() => {
    if (wantsFocus.current) focusIfDrawn();
  });
  const focus = (next: CellPlace): void => {
    last.current = next;
    wantsFocus.current = true;
    if (region.current === null) return;
    scrollToRow(region.current, next.row);
    scrollToColumn(region.current, columns, next.column);
    focusIfDrawn();
  };
  const follow = ({ target }: FocusEvent): void => {
    const cell = target instanceof Element ? target.closest<HTMLElement>("[data-cell]") : null;
    if (cell === null) return;
    last.current = placeOf(cell);
    moveTabStop(region.current, cell);
  };
  return { size, place, focus, follow, tabStop: tabStopOf(place(), visible, drawn) };
}

/** Arrow keys move the focus over all rows, drawn or not; Enter edits a cell, Space picks a row, Ctrl+Z undoes. */
function useGrid(content: DrawnGridProps) {
  const { columns, picked, onPick, onUndo, onEdit } = content;
  const { size, place, focus, follow, tabStop } = useFocusedCell(content);
  const [editing, setEditing] = useState<Editing>();
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
    const next = cellAfter(event, place(), size);
    const isCell = target instanceof HTMLTableCellElement;
    if (next !== undefined) focus(next);
    else if (isCell && (key === "Enter" || key === "F2")) edit(place());
    else if (isCell && key === " ") pick(place().row);
    else if (key === "z" && (ctrlKey || metaKey)) onUndo();
    else return;
    event.preventDefault();
  };
  const open = ({ target }: MouseEvent): void => {
    const cell = target instanceof HTMLTableCellElement ? target : null;
    if (cell?.matches("[data-cell]")) edit(placeOf(cell));
  };
  const save: GridActions["save"] = async (edited, value) => {
    const refusal = await onEdit(edited.seen, edited.column, value);
    if (refusal?.now !== undefined) setEditing({ ...edited, seen: refusal.now });
    return refusal;
  };
  const close = (): void => {
    setEditing(undefined);
    focus(place());
  };
  const actions = useSameActions({ pick, write: setEditing, save, close });
  return { tabStop, editing, press, follow, open, actions };
}

/** The actions as one object that never changes, so that no row is drawn again for them. */
function useSameActions(actions: GridActions): GridActions {
  const latest = useRef(actions);
  latest.current = actions;
  return useMemo(
    () => ({
      pick: (index) => latest.current.pick(index),
      write: (editing) => latest.current.write(editing),
      save: (editing, value) => latest.current.save(editing, value),
      close: () => latest.current.close(),
    }),
    [],
  );
}

/** The one cell that the Tab key reaches. It must be drawn. */
function tabStopOf(
  place: CellPlace,
  visible: VisibleRange,
  drawn: readonly DrawnColumn[],
): CellPlace {
  const row = Math.min(Math.max(place.row, visible.first), visible.last);
  const places = drawn.flatMap((part) => (part.column === undefined ? [] : [part.at]));
  return { row, column: places.includes(place.column) ? place.column : (places[0] ?? 0) };
}

function cellAt(region: HTMLElement | null, { row, column }: CellPlace): HTMLElement | null {
  return region?.querySelector<HTMLElement>(`[data-cell="${row} ${column}"]`) ?? null;
}

function placeOf(cell: HTMLElement): CellPlace {
  const [row = 0, column = 0] = (cell.dataset["cell"] ?? "").split(" ").map(Number);
  return { row, column };
}

/** Lets the Tab key reach a cell and the link in it, and no longer the cell before. */
function moveTabStop(region: HTMLElement | null, cell: HTMLElement): void {
  const before = region?.querySelector<HTMLElement>('[data-cell][tabindex="0"]');
  if (before === cell) return;
  for (const [one, tabIndex] of [
    [before, -1],
    [cell, 0],
  ] as const) {
    if (!one) continue;
    one.tabIndex = tabIndex;
    for (const link of one.querySelectorAll("a")) link.tabIndex = tabIndex;
  }
}

/** A row and the path of its key; empty if the row has not been read. */
function rowAt(
  { table, rows }: Pick<GridProps, "table" | "rows">,
  index: number,
): { readonly row?: TableRow | undefined; readonly key?: string | undefined } {
  const row = rows.rows[index - rows.offset];
  return row === undefined ? {} : { row, key: keyPath(table, row) };
}
