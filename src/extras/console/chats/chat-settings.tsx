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
        <Field label="Choices (n)">
          <input
            type="number"
            min={1}
            max={128}
            placeholder="1"
            value={draft.n}
            onInput={(event) => onChange({ ...draft, n: event.currentTarget.value })}
          />
        </Field>
        <Check
          label="stream"
          checked={draft.stream}
          onChange={(stream) => onChange({ ...draft, stream })}
        />
      </div>
      <details>
        <summary>Tools and further fields</summary>
        <CodeField
          label="Tools (JSON array)"
          rows={3}
          placeholder={exampleTools}
          value={draft.tools}
          onChange={(tools) => onChange({ ...draft, tools })}
        />
        <CodeField
          label="Further fields (JSON object)"
          rows={2}
          placeholder='{"temperature": 0, "max_tokens": 50}'
          value={draft.more}
          onChange={(more) => onChange({ ...draft, more })}
        />
      </details>
    </>
  );
}

const exampleTools = '[{"type":"function","function":{"name":"get_weather"}}]';
