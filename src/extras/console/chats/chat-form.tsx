import type { VNode } from "preact";
import { Problem } from "../parts/failure-notice.tsx";
import { Check, CodeField, Field, Form, Select } from "../parts/form.tsx";
import { type DraftChat, type DraftMessage, roles } from "./conversation.ts";
import { JsonView } from "../parts/json-view.tsx";

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
    <Form
      class="stack"
      aria-label="Request"
      onSend={onSend}
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
      <Problem text={problem} />
      <div class="row">
        <button type="submit" class="primary">
          Send
        </button>
        <button type="button" disabled={!isRunning} onClick={onStop}>
          Stop
        </button>
        <span class="muted">Ctrl Enter sends</span>
      </div>
    </Form>
  );
}

function ModelLine({ draft, models, onChange }: DraftProps & Pick<ChatFormProps, "models">): VNode {
  return (
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
  );
}

function Messages({ draft, onChange }: DraftProps): VNode {
  const { messages } = draft;
  const change = (next: readonly DraftMessage[]): void => onChange({ ...draft, messages: next });
  return (
    <>
      <ol class="stack" aria-label="Messages">
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
      <div class="row">
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
  );
}

interface MessageEditorProps {
  readonly message: DraftMessage;
  readonly number: number;
  readonly onChange: (message: DraftMessage) => void;
  readonly onRemove: () => void;
}

const roleOptions = roles.map((role) => [role, role] as const);

const tones: Readonly<Record<DraftMessage["role"], string>> = {
  system: "violet",
  user: "accent",
  assistant: "",
  tool: "warn",
};

/** One message of a request. */
function MessageEditor({ message, number, onChange, onRemove }: MessageEditorProps): VNode {
  const { role, content, toolCalls, toolCallId } = message;
  return (
    <li class={`aside ${tones[role]}`}>
      <div class="row">
        <Select
          label={`Role of message ${number}`}
          bare
          value={role}
          options={roleOptions}
          onChange={(chosen) => onChange({ ...message, role: chosen })}
        />
        {role === "tool" && (
          <input
            aria-label={`Tool call that message ${number} answers`}
            placeholder="tool_call_id"
            value={toolCallId ?? ""}
            onInput={(event) => onChange({ ...message, toolCallId: event.currentTarget.value })}
          />
        )}
        <button
          type="button"
          class="quiet end"
          aria-label={`Remove message ${number}`}
          onClick={onRemove}
        >
          ×
        </button>
      </div>
      <textarea
        aria-label={`Content of message ${number}`}
        rows={Math.min(8, Math.max(2, content.split("\n").length))}
        value={content}
        onInput={(event) => onChange({ ...message, content: event.currentTarget.value })}
      />
      {toolCalls !== undefined && (
        <JsonView label={`Tool calls of message ${number}`} value={toolCalls} />
      )}
    </li>
  );
}
