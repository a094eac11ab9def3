import type { VNode } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Failure } from "../api/failure.ts";
import type { ColumnEntry, TableEntry } from "../api/setup.ts";
import { FailureNotice, Problem } from "../parts/failure-notice.tsx";
import { Form, Select } from "../parts/form.tsx";
import { type CellMode, type DraftCell, draftOf, readRow } from "./cell.ts";
import type { TableRow } from "./row.ts";

interface AddRowProps {
  readonly table: TableEntry;
  /** Gives whether it was accepted. */
  readonly onAdd: (row: TableRow) => Promise<boolean>;
  readonly failure: Failure | undefined;
  readonly onClose: () => void;
}

/** A form for a new row. Empty fields are left out and get their default. */
export function AddRow({ table, onAdd, failure, onClose }: AddRowProps): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const [drafts, setDrafts] = useState<ReadonlyMap<string, DraftCell>>(new Map());
  const [problem, setProblem] = useState<string>();
  const [wasSent, setSent] = useState(false);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const add = async (): Promise<void> => {
    const read = readRow(drafts);
    setProblem(read.ok ? undefined : read.error);
    if (!read.ok) return;
    if (await onAdd(read.value)) onClose();
    setSent(true);
  };
  return (
    <dialog ref={dialog} aria-labelledby="add-row" onClose={onClose}>
      <Form class="stack" onSend={() => void add()}>
        <h2 id="add-row">Add a row to {table.name}</h2>
        <p class="muted">What stays empty is left out and gets its default.</p>
        {table.columns.map((column) => (
          <div class="field" key={column.name}>
            <span>
              {column.name} <small>{aboutColumn(column)}</small>
            </span>
            <DraftInput
              label={column.name}
              draft={drafts.get(column.name) ?? draftOf(undefined, column)}
              canBeNull={!column.notNull}
              onChange={(draft) => setDrafts(new Map(drafts).set(column.name, draft))}
            />
          </div>
        ))}
        <div class="dialog-end">
          <Problem text={problem} />
          {wasSent && <FailureNotice failure={failure} />}
          <div class="row">
            <button type="submit" class="primary">
              Add
            </button>
            <button type="button" class="quiet" onClick={() => dialog.current?.close()}>
              Cancel
            </button>
          </div>
        </div>
      </Form>
    </dialog>
  );
}

function aboutColumn({ type, notNull }: ColumnEntry): string {
  return notNull ? `${type} · not null` : type;
}

interface DraftInputProps {
  readonly label: string;
  readonly draft: DraftCell;
  readonly onChange: (draft: DraftCell) => void;
  readonly canBeNull: boolean;
}

/** A value and its kind: plain text, JSON (numbers, true, false, objects), or null. */
export function DraftInput({ label, draft, onChange, canBeNull }: DraftInputProps): VNode {
  const modes: readonly (readonly [CellMode, string])[] = [
    ["text", "text"],
    ["json", "JSON"],
    ...(canBeNull || draft.mode === "null" ? ([["null", "null"]] as const) : []),
  ];
  return (
    <div class="row">
      <textarea
        class="grow"
        rows={draft.text.includes("\n") ? 5 : 1}
        aria-label={`Value of ${label}`}
        spellcheck={false}
        disabled={draft.mode === "null"}
        value={draft.mode === "null" ? "" : draft.text}
        onInput={(event) => onChange({ ...draft, text: event.currentTarget.value })}
      />
      <Select
        label={`Kind of ${label}`}
        bare
        value={draft.mode}
        options={modes}
        onChange={(mode) => onChange({ ...draft, mode })}
      />
    </div>
  );
}
