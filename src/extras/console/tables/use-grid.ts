import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { type CellPlace, cellAfter, cellWithin, type GridSize } from "./grid-keys.ts";
import type { TableRow } from "./row.ts";

/** Where the focus of a grid is, and which of its cells is edited. */
export interface GridState {
  readonly body: RefObject<HTMLTableSectionElement | null>;
  /** The one cell that the Tab key reaches. */
  readonly active: CellPlace;
  readonly editing: CellPlace | undefined;
  readonly setActive: (cell: CellPlace) => void;
  readonly edit: (cell: CellPlace) => void;
  readonly stopEditing: (cell: CellPlace) => void;
  /** Puts the focus back into the grid when other rows have come. */
  readonly refocus: () => void;
  readonly press: (event: KeyboardEvent) => void;
}

/** Moves the focus through a grid of rows. */
export function useGrid(rows: readonly TableRow[], columns: number): GridState {
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
    active,
    editing,
    setActive,
    edit: setEditing,
    stopEditing: (cell) => {
      setEditing(undefined);
      // Once the editor has gone.
      setTimeout(() => focus(cell));
    },
    refocus: () => {
      wantsFocus.current = true;
    },
    press: (event) => {
      const next = editing === undefined ? cellAfter(event, active, size) : undefined;
      if (next === undefined) return;
      event.preventDefault();
      focus(next);
    },
  };
}
