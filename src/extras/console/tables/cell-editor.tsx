import type { VNode } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Failure, ColumnEntry, TableEntry } from "../api/client.ts";
import { FailureNotice, Problem, Modal } from "../parts/display.tsx";
import { Button, Form, Select } from "../parts/controls.tsx";
import { type CellMode, copyOf, type DraftCell, draftOf, readDraft, readRow } from "./cell.ts";
import { isBlobType, problemsByColumn, type TableRow } from "./row.ts";

interface CellEditorProps {
  readonly column: ColumnEntry;
  readonly draft: DraftCell;
  /** Whether the draft differs from the value with which the editor was opened. Otherwise nothing is saved. */
  readonly isChanged: boolean;
  readonly onChange: (draft: DraftCell) => void;
  readonly onSave: (value: unknown) => Promise<Failure | undefined>;
  readonly onClose: () => void;
}

/** Changes one value in its cell. Enter saves it, Escape leaves it as it is. */
export function CellEditor(props: CellEditorProps): VNode {
  const { column, draft, isChanged, onChange, onSave, onClose } = props;
  const [problem, setProblem] = useState<string>();
  const editor = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const input = editor.current?.querySelector<HTMLInputElement>("textarea:enabled, select");
    input?.focus();
    if (input instanceof HTMLTextAreaElement) input.select();
    editor.current?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, []);
  const save = async (): Promise<void> => {
    if (!isChanged) return onClose();
    const read = readDraft(draft);
    const refusal = read.ok ? await onSave(read.value) : undefined;
    if (!read.ok) setProblem(read.error);
    else if (refusal === undefined) onClose();
    else setProblem([refusal.message, refusal.hint].join(" ").trim());
  };
  const press = (event: KeyboardEvent): void => {
    event.stopPropagation();
    const isText = event.target instanceof HTMLTextAreaElement;
    if (event.key === "Escape") onClose();
    else if (event.key === "Enter" && isText && !event.shiftKey) {
      event.preventDefault();
      void save();
    }
  };
  return (
    <div ref={editor} class="cell-editor">
      <Form
        class="stack"
        aria-label={`Change ${column.name}`}
        onKeyDown={press}
        onSend={() => void save()}
      >
        <DraftInput column={column} draft={draft} onChange={onChange} problem={problem} />
        <div class="row">
          <Button text="Save" type="submit" class="primary" />
          <Button text="Cancel" class="quiet" onClick={onClose} />
        </div>
      </Form>
    </div>
  );
}

interface DraftInputProps extends Pick<CellEditorProps, "column" | "draft" | "onChange"> {
  /** Why the value was refused. */
  readonly problem: string | undefined;
}

/** A value and its kind: plain text, JSON (numbers, true, false, objects), or null. */
function DraftInput({ column, draft, onChange, problem }: DraftInputProps): VNode {
  const { name, notNull } = column;
  const modes: readonly (readonly [CellMode, string])[] = [
    ["text", "text"],
    ["json", "JSON"],
    ...(!notNull || draft.mode === "null" ? ([["null", "null"]] as const) : []),
  ];
  return (
    <>
      <div class="row">
        <textarea
          class="grow"
          rows={draft.text.includes("\n") ? 5 : 1}
          aria-label={`Value of ${name}`}
          aria-invalid={problem !== undefined}
          spellcheck={false}
          disabled={draft.mode === "null"}
          value={draft.mode === "null" ? "" : draft.text}
          onInput={(event) => onChange({ ...draft, text: event.currentTarget.value })}
        />
        <Select
          label={`Kind of ${name}`}
          bare
          value={draft.mode}
          options={modes}
          onChange={(mode) => onChange({ ...draft, mode })}
        />
      </div>
      {isBlobType(column) && (
        <small>Bytes show as base64. Any other text is stored as a text.</small>
      )}
      <Problem text={problem} />
    </>
  );
}

interface AddRowProps {
  readonly table: TableEntry;
  /** The row to copy, except for its generated key. */
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
            <Button text="Add" type="submit" class="primary" />
            <Button text="Cancel" class="quiet" onClick={onClose} />
          </div>
        </div>
      </Form>
    </Modal>
  );
}
