import type { VNode } from "preact";
import { Select } from "../parts/form.tsx";
import type { CellMode, DraftCell } from "./cell.ts";

interface DraftInputProps {
  readonly label: string;
  readonly draft: DraftCell;
  readonly onChange: (draft: DraftCell) => void;
  readonly canBeNull: boolean;
}

/** A value and its kind: a text as it stands, JSON (numbers, true, false, objects), or null. */
export function DraftInput({ label, draft, onChange, canBeNull }: DraftInputProps): VNode {
  const modes: readonly (readonly [CellMode, string])[] = [
    ["text", "text"],
    ["json", "JSON"],
    ...(canBeNull || draft.mode === "null" ? ([["null", "null"]] as const) : []),
  ];
  return (
    <div class="draft">
      <textarea
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
