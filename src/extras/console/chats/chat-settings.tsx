import type { VNode } from "preact";
import { Check, CodeField, Field } from "../parts/form.tsx";
import type { DraftChat } from "./conversation.ts";

interface ChatSettingsProps {
  readonly draft: DraftChat;
  readonly models: readonly string[];
  readonly onChange: (draft: DraftChat) => void;
}

/** What is asked for besides the messages. */
export function ChatSettings({ draft, models, onChange }: ChatSettingsProps): VNode {
  return (
    <>
      <div class="row bottom">
        <Field label="Model" class="grow">
          <input
            list="models"
            required
            autocomplete="off"
            spellcheck={false}
            value={draft.model}
            onInput={(event) => onChange({ ...draft, model: event.currentTarget.value })}
          />
        </Field>
        <datalist id="models">
          {models.map((id) => (
            <option key={id} value={id} />
          ))}
        </datalist>
        <Check
          label="stream"
          checked={draft.stream}
          onChange={(stream) => onChange({ ...draft, stream })}
        />
      </div>
      <CodeField
        label="Tools and further fields (JSON object)"
        rows={Math.min(12, Math.max(2, draft.more.split("\n").length))}
        placeholder={exampleFields}
        value={draft.more}
        onChange={(more) => onChange({ ...draft, more })}
      />
    </>
  );
}

const exampleFields =
  '{"n": 2, "tools": [{"type": "function", "function": {"name": "get_weather"}}]}';
