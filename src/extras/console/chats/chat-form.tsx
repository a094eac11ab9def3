import type { VNode } from "preact";
import { Field } from "../parts/field.tsx";
import type { DraftChat, DraftMessage } from "./conversation.ts";
import { MessageEditor } from "./message-editor.tsx";

interface DraftProps {
  readonly draft: DraftChat;
  readonly onChange: (draft: DraftChat) => void;
}

interface ChatFormProps extends DraftProps {
  readonly models: readonly string[];
  readonly problem: string | undefined;
  readonly isRunning: boolean;
  readonly onSend: () => void;
  readonly onStop: () => void;
}

/** A request to be edited. Ctrl or Cmd and Enter send it from anywhere. */
export function ChatForm(props: ChatFormProps): VNode {
  const { draft, models, problem, isRunning, onChange, onSend, onStop } = props;
  return (
    <form
      class="stack chat-form"
      aria-label="Request"
      onSubmit={(event) => {
        event.preventDefault();
        onSend();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        // As the button does: what is required has to be there.
        event.currentTarget.requestSubmit();
      }}
    >
      <ModelLine draft={draft} models={models} onChange={onChange} />
      <Messages draft={draft} onChange={onChange} />
      <Further draft={draft} onChange={onChange} />
      {problem !== undefined && (
        <p class="notice failure" role="alert">
          {problem}
        </p>
      )}
      <div class="actions">
        <button type="submit" class="primary">
          Send
        </button>
        <button type="button" disabled={!isRunning} onClick={onStop}>
          Stop
        </button>
        <span class="muted keys">Ctrl Enter sends</span>
      </div>
    </form>
  );
}

function ModelLine({ draft, models, onChange }: DraftProps & Pick<ChatFormProps, "models">): VNode {
  return (
    <div class="bar">
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
      <label class="check">
        <input
          type="checkbox"
          checked={draft.stream}
          onChange={(event) => onChange({ ...draft, stream: event.currentTarget.checked })}
        />
        stream
      </label>
    </div>
  );
}

function Messages({ draft, onChange }: DraftProps): VNode {
  const { messages } = draft;
  const change = (next: readonly DraftMessage[]): void => onChange({ ...draft, messages: next });
  return (
    <>
      <ol class="messages" aria-label="Messages">
        {messages.map((message, index) => (
          <MessageEditor
            key={index}
            message={message}
            number={index + 1}
            onChange={(next) => change(messages.toSpliced(index, 1, next))}
            onRemove={() => change(messages.toSpliced(index, 1))}
          />
        ))}
      </ol>
      <div class="actions">
        <button
          type="button"
          class="quiet"
          onClick={() => change([...messages, { role: "user", content: "" }])}
        >
          + Message
        </button>
        <button
          type="button"
          class="quiet"
          onClick={() => change([{ role: "system", content: "" }, ...messages])}
        >
          + System
        </button>
      </div>
    </>
  );
}

const exampleTools = '[{"type":"function","function":{"name":"get_weather"}}]';

function Further({ draft, onChange }: DraftProps): VNode {
  return (
    <details>
      <summary>Tools and further fields</summary>
      <Field label="Tools (JSON array)">
        <textarea
          class="code"
          rows={3}
          spellcheck={false}
          placeholder={exampleTools}
          value={draft.tools}
          onInput={(event) => onChange({ ...draft, tools: event.currentTarget.value })}
        />
      </Field>
      <Field label="Further fields (JSON object)">
        <textarea
          class="code"
          rows={2}
          spellcheck={false}
          placeholder='{"temperature": 0, "max_tokens": 50}'
          value={draft.more}
          onInput={(event) => onChange({ ...draft, more: event.currentTarget.value })}
        />
      </Field>
    </details>
  );
}
