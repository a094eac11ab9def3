import type { ComponentProps, VNode } from "preact";
import type { ColumnEntry } from "../api/client.ts";
import { Select } from "../parts/controls.tsx";
import { Problem } from "../parts/display.tsx";
import { type CellMode, dateInput, dateText, type DraftCell, modeOf } from "./cell.ts";
import { isBlobType } from "./row.ts";

export interface DraftInputProps {
  readonly column: ColumnEntry;
  readonly draft: DraftCell;
  readonly onChange: (draft: DraftCell) => void;
  /** Why the value was refused. */
  readonly problem: string | undefined;
  /** How many lines of a text are seen. Default: as many as it needs, up to five. */
  readonly rows?: number;
}

/** The names of the kinds. */
const kinds: Readonly<Record<CellMode, string>> = {
  text: "text",
  number: "number",
  boolean: "true or false",
  date: "date",
  json: "JSON",
  null: "null",
};

/** Fields for a value and its kind. A column takes values of any kind, as in SQLite. */
export function DraftInput(props: DraftInputProps): VNode {
  const { column, draft, onChange, problem } = props;
  const modes = new Set<CellMode>([modeOf(column), draft.mode, "text", "json"]);
  if (!column.notNull) modes.add("null");
  return (
    <>
      <div class="row">
        <ValueInput {...props} />
        <Select
          label={`Kind of ${column.name}`}
          bare
          value={draft.mode}
          options={[...modes].map((mode) => [mode, kinds[mode]] as const)}
          onChange={(mode) => onChange(inMode(draft, mode))}
        />
      </div>
      {isBlobType(column) && (
        <small>Bytes show as base64. Any other text is stored as a text.</small>
      )}
      <Problem text={problem} />
    </>
  );
}

/** A draft of another kind. A text that the kind's field cannot show is dropped. */
function inMode({ text }: DraftCell, mode: CellMode): DraftCell {
  if (mode === "boolean") return { mode, text: text === "false" ? "false" : "true" };
  return { mode, text: mode === "date" && dateInput(text) === undefined ? "" : text };
}

/** The field for a value of the draft's kind. */
function ValueInput({ column, draft, onChange, problem, rows }: DraftInputProps): VNode {
  const change = (text: string): void => onChange({ ...draft, text });
  const field = {
    class: "grow",
    "aria-label": `Value of ${column.name}`,
    "aria-invalid": problem !== undefined,
  } as const;
  const date = draft.mode === "date" ? dateInput(draft.text) : undefined;
  if (draft.mode === "boolean")
    return <BooleanInput field={field} text={draft.text} change={change} />;
  if (date !== undefined) {
    return (
      <input
        {...field}
        type={date.kind}
        step={date.kind === "date" ? undefined : "0.001"}
        value={date.value}
        onInput={(event) => change(dateText(date, event.currentTarget.value))}
      />
    );
  }
  if (draft.mode === "number") {
    return (
      <input
        {...field}
        inputMode="decimal"
        autocomplete="off"
        value={draft.text}
        onInput={(event) => change(event.currentTarget.value)}
      />
    );
  }
  return (
    <textarea
      {...field}
      rows={rows ?? Math.min(5, draft.text.split("\n").length)}
      spellcheck={false}
      disabled={draft.mode === "null"}
      value={draft.mode === "null" ? "" : draft.text}
      onInput={(event) => change(event.currentTarget.value)}
    />
  );
}

interface BooleanInputProps {
  readonly field: Pick<ComponentProps<"select">, "class" | "aria-label" | "aria-invalid">;
  readonly text: string;
  readonly change: (text: string) => void;
}

/** A choice of true and false. For a new row, the choice may also be neither, which leaves the column out. */
function BooleanInput({ field, text, change }: BooleanInputProps): VNode {
  return (
    <select {...field} value={text} onChange={(event) => change(event.currentTarget.value)}>
      {text === "" && <option value="">default</option>}
      <option value="true">true</option>
      <option value="false">false</option>
    </select>
  );
}
