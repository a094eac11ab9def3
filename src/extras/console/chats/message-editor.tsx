import type { VNode } from "preact";
import { Select } from "../parts/form.tsx";
import { JsonView } from "../parts/json-view.tsx";
import { type DraftMessage, roles } from "./conversation.ts";

interface MessageEditorProps {
  readonly message: DraftMessage;
  readonly number: number;
  /** The tool whose result it is. */
  readonly tool: string | undefined;
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
export function MessageEditor(props: MessageEditorProps): VNode {
  const { message, number, tool, onChange, onRemove } = props;
  const { role, content, toolCalls, toolCallId } = message;
  return (
    <li class={`aside stack ${tones[role]}`}>
      <div class="row">
        <Select
          label={`Role of message ${number}`}
          bare
          value={role}
          options={roleOptions}
          onChange={(chosen) => onChange({ ...message, role: chosen })}
        />
        {tool !== undefined && (
          <span>
            result of <code>{tool}</code>
          </span>
        )}
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
        placeholder={tool === undefined ? undefined : "What the tool gives, such as {}"}
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
