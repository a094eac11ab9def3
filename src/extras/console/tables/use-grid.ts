import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { TableEntry } from "../api/setup.ts";
import type { VisibleRows } from "../parts/visible-rows.ts";
import { type DraftCell, draftOf } from "./cell.ts";
import { cellAfter, type CellPlace, cellWithin } from "./grid-keys.ts";
import { keyPath, type TableRow, valueIn } from "./row.ts";
import type { KnownRows } from "./use-rows.ts";

/** The height of every row, in pixels. */
export const rowHeight = 30;

/** Rows that are picked out, by the path of their key. */
export type PickedRows = ReadonlyMap<string, TableRow>;

/** What a grid has, and what it tells of. */
export interface GridContent {
  readonly table: TableEntry;
  /** What scrolls. */
  readonly region: RefObject<HTMLDivElement | null>;
  readonly visible: VisibleRows;
  readonly rows: KnownRows;
  readonly picked: PickedRows;
  readonly onPick: (picked: PickedRows) => void;
  readonly onUndo: () => void;
}

/** A value that is being edited. Its row may move meanwhile. */
interface Editing {
  readonly key: string;
  readonly column: string;
  readonly draft: DraftCell;
}

/** What is done in a grid: where the focus is, and what is edited. */
export interface GridState {
  /** The one cell that the Tab key reaches. It is one of those that are drawn. */
  readonly active: CellPlace;
  readonly setPlace: (place: CellPlace) => void;
  readonly editing: Editing | undefined;
  readonly setEditing: (editing: Editing | undefined) => void;
  readonly edit: (place: CellPlace) => void;
  /** Gives the focus back to the cell that had it. */
  readonly refocus: () => void;
  readonly pick: (index: number) => void;
  readonly press: (event: KeyboardEvent) => void;
}

/** Arrow keys move the focus over all rows, drawn or not; Enter edits a cell, Space picks a row, Ctrl+Z undoes. */
export function useGrid(content: GridContent): GridState {
  const { table, region, visible, rows, picked, onPick, onUndo } = content;
  const size = { rows: rows.count, columns: table.columns.length };
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
    if (region.current !== null) scrollToRow(region.current, next.row);
  };
  const edit = (at: CellPlace): void => {
    const { row, key } = rowAt(content, at.row);
    const column = table.columns[at.column];
    if (row === undefined || column === undefined || key === undefined) return;
    setEditing({ key, column: column.name, draft: draftOf(valueIn(row, column.name), column) });
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
  const active = { ...place, row };
  return { active, setPlace, editing, setEditing, edit, refocus: () => focus(place), pick, press };
}

/** A row and the path of its key, as far as they are known. */
export function rowAt(
  { table, rows }: Pick<GridContent, "table" | "rows">,
  index: number,
): { readonly row?: TableRow | undefined; readonly key?: string | undefined } {
  const row = rows.rows[index - rows.offset];
  return row === undefined ? {} : { row, key: keyPath(table, row) };
}

/** Scrolls as little as is needed to see a row below the head. */
function scrollToRow(region: HTMLElement, row: number): void {
  const head = region.querySelector("thead")?.offsetHeight ?? 0;
  const top = row * rowHeight;
  const bottom = top + rowHeight + head - region.clientHeight;
  region.scrollTop = Math.max(Math.min(region.scrollTop, top), bottom);
}
