import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Failure } from "../api/failure.ts";
import type { TableEntry } from "../api/setup.ts";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { Form } from "../parts/form.tsx";
import { Modal } from "../parts/modal.tsx";
import { DraftInput } from "./cell-editor.tsx";
import { copyOf, type DraftCell, draftOf, readRow } from "./cell.ts";
import { problemsByColumn, type TableRow } from "./row.ts";

interface AddRowProps {
  readonly table: TableEntry;
  /** The row to begin with, except for its generated key. */
  readonly like: TableRow | undefined;
  readonly onAdd: (row: TableRow) => Promise<Failure | undefined>;
  readonly onClose: () => void;
}

/** A form for a new row. Empty fields are left out and get their default. */
export function AddRow({ table, like, onAdd, onClose }: AddRowProps): VNode {
  const [drafts, setDrafts] = useState<ReadonlyMap<string, DraftCell>>(() => copyOf(table, like));
  const [refusal, setRefusal] = useState<Failure>();
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map());
  const add = async (): Promise<void> => {
    const read = readRow(drafts);
    const failure = read.ok ? await onAdd(read.value) : undefined;
    if (read.ok && failure === undefined) return onClose();
    setRefusal(failure);
    setProblems(read.ok ? problemsByColumn(failure?.message ?? "", table) : read.error);
  };
  return (
    <Modal label={`Add a row to ${table.name}`} onClose={onClose}>
      <Form class="stack" onSend={() => void add()}>
        <h2>Add a row to {table.name}</h2>
        <p class="muted">What stays empty is left out and gets its default.</p>
        {table.columns.map((column) => (
          <div class="field" key={column.name}>
            <span>
              {column.name} <small>{column.type + (column.notNull ? " · not null" : "")}</small>
            </span>
            <DraftInput
              column={column}
              draft={drafts.get(column.name) ?? draftOf(undefined, column)}
              problem={problems.get(column.name)}
              onChange={(draft) => setDrafts(new Map(drafts).set(column.name, draft))}
            />
          </div>
        ))}
        <div class="dialog-end">
          {problems.size === 0 && <FailureNotice failure={refusal} />}
          <div class="row">
            <button type="submit" class="primary">
              Add
            </button>
            <button type="button" class="quiet" onClick={onClose}>
              Cancel
            </button>
          </div>
        </div>
      </Form>
    </Modal>
  );
}
