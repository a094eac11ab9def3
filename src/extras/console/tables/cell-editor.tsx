import type { VNode } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Failure, ColumnEntry, TableEntry } from "../api/client.ts";
import { FailureNotice, Modal } from "../parts/display.tsx";
import { Button, Form } from "../parts/controls.tsx";
import { copyOf, type DraftCell, draftOf, readDraft, readRow } from "./cell.ts";
import { DraftInput } from "./draft-input.tsx";
import { mistakeIn } from "./json-mistake.ts";
import { problemsByColumn, type TableRow } from "./row.ts";

interface CellEditorProps {
  readonly column: ColumnEntry;
  readonly draft: DraftCell;
  /** Whether the draft differs from the value with which the editor was opened. Otherwise nothing is saved. */
  readonly isChanged: boolean;
  readonly onChange: (draft: DraftCell) => void;
  readonly onSave: (value: unknown) => Promise<Failure | undefined>;
  readonly onClose: () => void;
}

/** An editor for one value in its cell. Enter saves the value, Escape leaves it unchanged. */
export function CellEditor(props: CellEditorProps): VNode {
  const { column, draft, isChanged, onChange, onSave, onClose } = props;
  const [problem, setProblem] = useState<string>();
  const [isLong] = useState(() => draft.text.length > longText || draft.text.includes("\n\n"));
  const editor = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => beginIn(editor.current), []);
  const save = async (): Promise<void> => {
    if (!isChanged) return onClose();
    const read = readDraft(draft);
    const refusal = read.ok ? await onSave(read.value) : undefined;
    if (!read.ok) {
      setProblem(read.error);
      selectMistake(editor.current, draft);
    } else if (refusal === undefined) onClose();
    else setProblem([refusal.message, refusal.hint].join(" ").trim());
  };
  const press = (event: KeyboardEvent): void => {
    event.stopPropagation();
    const isText = event.target instanceof HTMLTextAreaElement;
    if (event.key === "Escape") {
      event.preventDefault();
      onClose();
    } else if (event.key === "Enter" && isText && !event.shiftKey && (!isLong || event.ctrlKey)) {
      event.preventDefault();
      void save();
    }
  };
  const form = (
    <div ref={editor} class={isLong ? "stack" : "cell-editor"}>
      <Form
        class="stack"
        aria-label={`Change ${column.name}`}
        onKeyDown={press}
        onSend={() => void save()}
      >
        <DraftInput
          column={column}
          draft={draft}
          onChange={onChange}
          problem={problem}
          {...(isLong ? { rows: 18 } : {})}
        />
        <div class="row">
          <Button text="Save" type="submit" class="primary" />
          <Button text="Cancel" class="quiet" onClick={onClose} />
          {isLong && <small>Ctrl+Enter saves, Enter starts a new line.</small>}
        </div>
      </Form>
    </div>
  );
  if (!isLong) return form;
  return (
    <Modal label={`Change ${column.name}`} onClose={onClose}>
      <h2>{column.name}</h2>
      {form}
    </Modal>
  );
}

/** Moves the focus to the field of an editor, and selects its text. */
function beginIn(editor: HTMLElement | null): void {
  const input = editor?.querySelector<HTMLElement>("textarea:enabled, input:enabled, select");
  input?.focus();
  if (input instanceof HTMLTextAreaElement || input instanceof HTMLInputElement) input.select();
  editor?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

/** The number of characters from which a value is edited in a panel of its own. */
const longText = 160;

/** Puts the cursor where a text stops being JSON. */
function selectMistake(editor: HTMLElement | null, { mode, text }: DraftCell): void {
  const place = mode === "json" ? mistakeIn(text) : undefined;
  const field = editor?.querySelector("textarea");
  if (place === undefined || !field) return;
  field.focus();
  field.setSelectionRange(place.offset, place.offset + 1);
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
