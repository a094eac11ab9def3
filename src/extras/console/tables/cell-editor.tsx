import type { VNode } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ColumnEntry } from "../api/setup.ts";
import type { Failure } from "../api/failure.ts";
import { Problem } from "../parts/failure-notice.tsx";
import { Form, Select } from "../parts/form.tsx";
import { type CellMode, type DraftCell, readDraft } from "./cell.ts";
import { isBlobType } from "./row.ts";

interface CellEditorProps {
  readonly column: ColumnEntry;
  readonly draft: DraftCell;
  readonly onChange: (draft: DraftCell) => void;
  readonly onSave: (value: unknown) => Promise<Failure | undefined>;
  readonly onClose: () => void;
}

/** Changes one value in its cell. Enter saves it, Escape leaves it as it is. */
export function CellEditor(props: CellEditorProps): VNode {
  const { column, draft, onChange, onSave, onClose } = props;
  const [problem, setProblem] = useState<string>();
  const editor = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const input = editor.current?.querySelector<HTMLInputElement>("textarea:enabled, select");
    input?.focus();
    if (input instanceof HTMLTextAreaElement) input.select();
    editor.current?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, []);
  const save = async (): Promise<void> => {
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
          <button type="submit" class="primary">
            Save
          </button>
          <button type="button" class="quiet" onClick={onClose}>
            Cancel
          </button>
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
export function DraftInput({ column, draft, onChange, problem }: DraftInputProps): VNode {
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
