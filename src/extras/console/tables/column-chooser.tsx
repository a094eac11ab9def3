import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { ColumnEntry, TableEntry } from "../api/client.ts";
import { Button, Check, TextField } from "../parts/controls.tsx";
import { Modal } from "../parts/display.tsx";
import { type ShownColumns, useShownColumns } from "./columns.ts";

/** A button that says how many columns are hidden, and opens a dialog to choose the shown ones. */
export function ColumnChooser({ table }: { readonly table: TableEntry }): VNode {
  const { hidden, hide } = useShownColumns(table);
  const [isOpen, setOpen] = useState(false);
  const known = table.columns.filter(({ name }) => hidden.has(name)).length;
  return (
    <>
      <Button
        text={known === 0 ? "Columns" : `Columns: ${known} hidden`}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      />
      {isOpen && (
        <Modal label="Columns that are shown" onClose={() => setOpen(false)}>
          <ColumnList columns={table.columns} hidden={hidden} hide={hide} />
          <div class="row dialog-end">
            <Button text="Show all" disabled={known === 0} onClick={() => hide(new Set())} />
            <Button text="Done" class="primary end" onClick={() => setOpen(false)} />
          </div>
        </Modal>
      )}
    </>
  );
}

interface ColumnListProps extends Pick<ShownColumns, "hidden" | "hide"> {
  /** All columns of the table. */
  readonly columns: readonly ColumnEntry[];
}

/** All columns with a checkbox each, and a field to find one. The last column that is shown cannot be hidden. */
function ColumnList({ columns, hidden, hide }: ColumnListProps): VNode {
  const [find, setFind] = useState("");
  const found = columns.filter(({ name }) => name.toLowerCase().includes(find.toLowerCase()));
  const shown = columns.filter(({ name }) => !hidden.has(name));
  const choose = (name: string, isShown: boolean): void => {
    const next = new Set(hidden);
    if (isShown) next.delete(name);
    else if (shown.length > 1) next.add(name);
    hide(next);
  };
  return (
    <>
      <TextField label="Find a column" value={find} onChange={setFind} />
      <ul class="column-list" aria-label="Columns">
        {found.map(({ name }) => (
          <li key={name}>
            <Check
              label={name}
              checked={!hidden.has(name)}
              onChange={(isShown) => choose(name, isShown)}
            />
          </li>
        ))}
      </ul>
    </>
  );
}
