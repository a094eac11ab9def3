import { useState } from "preact/hooks";
import { type DraftCell, draftOf } from "./cell.ts";
import type { GridProps } from "./grid-props.ts";
import { cellAfter, type CellPlace } from "./grid-keys.ts";
import { keyPath, valueIn } from "./row.ts";
import { type CellFocus, useCellFocus } from "./use-cell-focus.ts";

/** A value that is being edited. Its row may move meanwhile. */
interface Editing {
  readonly key: string;
  readonly column: string;
  readonly draft: DraftCell;
}

/** What is done in a grid: where the focus is, and what is edited. */
export interface GridState extends Omit<CellFocus, "focus" | "place"> {
  readonly editing: Editing | undefined;
  readonly edit: (place: CellPlace) => void;
  readonly setDraft: (draft: DraftCell) => void;
  readonly stopEditing: () => void;
  /** Picks a row out, or no longer. */
  readonly pick: (index: number) => void;
  readonly press: (event: KeyboardEvent) => void;
}

/** Arrow keys move the focus, Enter edits a cell, Space picks a row, Ctrl+Z undoes. */
export function useGrid(props: GridProps): GridState {
  const { table, region, visible, rows, picked, onPick, onUndo } = props;
  const size = { rows: rows.count, columns: table.columns.length };
  const { place, focus, ...more } = useCellFocus(region, visible, size);
  const [editing, setEditing] = useState<Editing>();
  const edit = ({ row: index, column: at }: CellPlace): void => {
    const row = rows.rowAt(index);
    const column = table.columns[at];
    const key = row && keyPath(table, row);
    if (row === undefined || column === undefined || key === undefined) return;
    setEditing({ key, column: column.name, draft: draftOf(valueIn(row, column.name), column) });
  };
  const pick = (index: number): void => {
    const row = rows.rowAt(index);
    const key = row && keyPath(table, row);
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
  return {
    ...more,
    editing,
    edit,
    pick,
    press,
    setDraft: (draft) => setEditing(editing && { ...editing, draft }),
    stopEditing: () => {
      setEditing(undefined);
      focus(place);
    },
  };
}
