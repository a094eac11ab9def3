import type { VNode } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ColumnEntry } from "../api/setup.ts";
import { DraftInput } from "./draft-input.tsx";
import { draftOf, readDraft } from "./cell.ts";

interface CellEditorProps {
  readonly column: ColumnEntry;
  readonly value: unknown;
  /** Gives whether it was accepted. */
  readonly onSave: (value: unknown) => Promise<boolean>;
  readonly onCancel: () => void;
}

/** Changes one value. Enter saves it, Escape leaves it as it is. */
export function CellEditor({ column, value, onSave, onCancel }: CellEditorProps): VNode {
  const [draft, setDraft] = useState(() => draftOf(value, column));
  const [problem, setProblem] = useState<string>();
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    const input = form.current?.querySelector<HTMLInputElement>("textarea, select");
    input?.focus();
    if (input instanceof HTMLTextAreaElement) input.select();
  }, []);
  const save = async (): Promise<void> => {
    const read = readDraft(draft);
    if ("problem" in read) setProblem(read.problem);
    else setProblem((await onSave(read.value)) ? undefined : "It was refused: see above.");
  };
  const press = (event: KeyboardEvent): void => {
    event.stopPropagation();
    const isText = event.target instanceof HTMLTextAreaElement;
    if (event.key === "Escape") onCancel();
    else if (event.key === "Enter" && isText && !event.shiftKey) {
      event.preventDefault();
      void save();
    }
  };
  return (
    <form
      ref={form}
      class="cell-editor"
      aria-label={`Change ${column.name}`}
      onKeyDown={press}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <span class="muted">{column.name}</span>
      <DraftInput
        label={column.name}
        draft={draft}
        onChange={setDraft}
        canBeNull={!column.notNull}
      />
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <div class="actions">
        <button type="submit" class="primary">
          Save
        </button>
        <button type="button" class="quiet" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </form>
  );
}
