import type { VNode } from "preact";
import { JsonView } from "../parts/json-view.tsx";
import { Select } from "../parts/form.tsx";
import { type DraftMessage, roles } from "./conversation.ts";

interface MessageEditorProps {
  readonly message: DraftMessage;
  readonly number: number;
  readonly onChange: (message: DraftMessage) => void;
  readonly onRemove: () => void;
}

const roleOptions = roles.map((role) => [role, role] as const);

/** One message of a request. */
export function MessageEditor({ message, number, onChange, onRemove }: MessageEditorProps): VNode {
  const { role, content, toolCalls, toolCallId } = message;
  return (
    <li class={`message ${role}`}>
      <div class="message-head">
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
          class="quiet"
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
