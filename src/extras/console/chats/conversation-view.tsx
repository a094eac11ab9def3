import type { RefObject, VNode } from "preact";
import type { Script } from "../../../core/chat/scripts/script.ts";
import type { JournalEntry } from "../../../core/emulator/journal/entry.ts";
import { Problem, JsonView } from "../parts/display.tsx";
import { Button, Select } from "../parts/controls.tsx";
import { AnswerCard } from "./answer-card.tsx";
import { calledTool, continued, type DraftChat, type DraftMessage, roles } from "./conversation.ts";
import type { ChatRun } from "./run-chat.ts";

interface ConversationProps {
  readonly list: RefObject<HTMLOListElement | null>;
  readonly draft: DraftChat;
  /** The answer that is arriving, or one that the conversation cannot continue from. */
  readonly run: ChatRun | undefined;
  readonly entries: readonly JournalEntry[];
  readonly scripts: readonly Script[];
  readonly problem: string | undefined;
  readonly onChange: (messages: readonly DraftMessage[]) => void;
  readonly onSend: (messages: readonly DraftMessage[]) => void;
  readonly stop: () => void;
}

/** The messages of a conversation, and the fields for the next one. */
export function Conversation(props: ConversationProps): VNode {
  const { list, draft, run, problem, onChange, stop } = props;
  const { messages } = draft;
  return (
    <section class="stack" aria-label="Conversation">
      <ol ref={list} class="stack" aria-label="Messages">
        {messages.map((message, index) => (
          <Message key={index} {...props} message={message} index={index} />
        ))}
        {run !== undefined && (
          <li class="panel">
            <AnswerCard {...props} run={run} choice={0} isLast />
          </li>
        )}
      </ol>
      <Problem text={problem} />
      <div class="row">
        <Button
          text={messages.at(-1)?.role === "tool" ? "Send the results" : "Send"}
          type="submit"
          class="primary"
        />
        <Button text="Stop" disabled={run?.outcome !== "pending"} onClick={stop} />
        <Button
          text="+ Message"
          class="quiet"
          onClick={() => onChange([...messages, { role: "user", content: "" }])}
        />
        <Button
          text="+ System"
          class="quiet"
          onClick={() => onChange([{ role: "system", content: "" }, ...messages])}
        />
        <span class="muted">Ctrl Enter sends</span>
      </div>
    </section>
  );
}

interface MessageProps extends ConversationProps {
  readonly message: DraftMessage;
  readonly index: number;
}

/** A message to write, or an answer. */
function Message(props: MessageProps): VNode {
  const { message, index, draft, run, onChange, onSend } = props;
  const { messages } = draft;
  const before = messages.slice(0, index);
  if (message.answer === undefined) {
    return (
      <MessageEditor
        message={message}
        number={index + 1}
        tool={message.role === "tool" ? calledTool(before, message) : undefined}
        onChange={(next) => onChange(messages.toSpliced(index, 1, next))}
        onRemove={() => onChange(messages.toSpliced(index, 1))}
      />
    );
  }
  const { answer } = message;
  const isLast = run === undefined && !messages.slice(index + 1).some((next) => next.answer);
  return (
    <li class="panel">
      <AnswerCard
        {...props}
        {...answer}
        isLast={isLast}
        onAgain={() => onSend(before)}
        onChoose={(choice) => onChange(continued(before, answer.run, choice))}
      />
    </li>
  );
}

interface MessageEditorProps {
  readonly message: DraftMessage;
  readonly number: number;
  /** The name of the tool whose result the message is. */
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
function MessageEditor(props: MessageEditorProps): VNode {
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
        <Button
          text="×"
          class="quiet end"
          aria-label={`Remove message ${number}`}
          onClick={onRemove}
        />
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
