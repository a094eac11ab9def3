import type { RefObject, VNode } from "preact";
import type { Script } from "../../../core/chat/scripts/script.ts";
import { Problem } from "../parts/failure-notice.tsx";
import type { JournalEntry } from "../../../core/emulator/journal/entry.ts";
import { AnswerCard } from "./answer-card.tsx";
import { calledTool, continued, type DraftChat, type DraftMessage } from "./conversation.ts";
import { MessageEditor } from "./message-editor.tsx";
import type { ChatRun } from "./run-chat.ts";

interface ConversationProps {
  readonly list: RefObject<HTMLOListElement | null>;
  readonly draft: DraftChat;
  /** The answer that is under way, or that has nothing to go on with. */
  readonly run: ChatRun | undefined;
  readonly entries: readonly JournalEntry[];
  readonly scripts: readonly Script[];
  readonly problem: string | undefined;
  readonly onChange: (messages: readonly DraftMessage[]) => void;
  readonly onSend: (messages: readonly DraftMessage[]) => void;
  readonly stop: () => void;
}

/** The messages of a conversation, and what to say next. */
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
        <button type="submit" class="primary">
          {messages.at(-1)?.role === "tool" ? "Send the results" : "Send"}
        </button>
        <button type="button" disabled={run?.outcome !== "pending"} onClick={stop}>
          Stop
        </button>
        <button
          type="button"
          class="quiet"
          onClick={() => onChange([...messages, { role: "user", content: "" }])}
        >
          + Message
        </button>
        <button
          type="button"
          class="quiet"
          onClick={() => onChange([{ role: "system", content: "" }, ...messages])}
        >
          + System
        </button>
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
