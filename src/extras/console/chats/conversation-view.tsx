import type { ComponentChildren, RefObject, VNode } from "preact";
import type { Script } from "../../../core/chat/scripts/script.ts";
import type { JournalSummary } from "../../../core/emulator/journal/entry.ts";
import { AnswerBubble } from "./answer-bubble.tsx";
import { Composer } from "./composer.tsx";
import {
  continued,
  type DraftChat,
  type DraftMessage,
  firstToWrite,
  replacedBy,
  type SentChat,
} from "./conversation.ts";
import { MessageEditor, ReadMessage } from "./message-editor.tsx";

interface ConversationProps {
  /** The element that contains the conversation. */
  readonly region: RefObject<HTMLElement | null>;
  readonly draft: DraftChat;
  readonly sent: SentChat | undefined;
  readonly entries: readonly JournalSummary[];
  readonly scripts: readonly Script[];
  readonly problem: string | undefined;
  /** Shown while there are no messages. */
  readonly empty: ComponentChildren;
  readonly onChange: (messages: readonly DraftMessage[]) => void;
  readonly onSend: (messages: readonly DraftMessage[]) => void;
  /** Continues the conversation with an answer that broke off. */
  readonly onGoOn: () => void;
  readonly stop: () => void;
}

/** The messages of a conversation, and below them the fields for the next one. */
export function Conversation(props: ConversationProps): VNode {
  const { region, draft, sent, empty } = props;
  const { messages } = draft;
  const field = replacedBy(draft);
  const first = firstToWrite(messages);
  return (
    <section ref={region} class="talk surface" aria-labelledby="conversation">
      <h2 id="conversation" class="unseen">
        Conversation
      </h2>
      {field !== undefined && (
        <p class="notice">
          The further fields have their own <code>{field}</code>, which are sent instead of these
          messages.
        </p>
      )}
      {first === 0 && sent === undefined ? (
        <div class="talk-scroll">{empty}</div>
      ) : (
        // The list stays at its end while a message grows.
        <div class="talk-scroll at-end">
          <ol class="bubbles" aria-label="Messages">
            {messages.slice(0, first).map((message, index) => (
              <Message key={index} {...props} message={message} index={index} />
            ))}
            {sent !== undefined && <Sent {...props} sent={sent} first={first} />}
          </ol>
        </div>
      )}
      <Composer {...props} first={first} />
    </section>
  );
}

interface SentProps extends ConversationProps {
  readonly sent: SentChat;
  /** The index of the first turn that was sent. */
  readonly first: number;
}

/** The messages that were sent last, and the answer to them. */
function Sent({ sent: { run, turns }, first, draft, ...props }: SentProps): VNode {
  const before = draft.messages.slice(0, first);
  const canGoOn = run.outcome !== "pending" && run.answer.choices.length > 0;
  return (
    <>
      {turns.map((message, index) => (
        <ReadMessage
          key={index}
          message={message}
          number={first + index + 1}
          before={[...before, ...turns.slice(0, index)]}
        />
      ))}
      <AnswerBubble
        {...props}
        run={run}
        number={first + turns.length + 1}
        choice={0}
        onGoOn={canGoOn ? props.onGoOn : undefined}
      />
    </>
  );
}

interface MessageProps extends ConversationProps {
  readonly message: DraftMessage;
  readonly index: number;
}

/** A message to read or to change, or an answer. */
function Message(props: MessageProps): VNode {
  const { message, index, draft, entries, scripts, onChange, onSend } = props;
  const { messages } = draft;
  const before = messages.slice(0, index);
  if (message.answer === undefined) {
    return (
      <MessageEditor
        message={message}
        number={index + 1}
        before={before}
        onChange={(next) => onChange(messages.toSpliced(index, 1, next))}
        onRemove={() => onChange(messages.toSpliced(index, 1))}
      />
    );
  }
  const { run, choice } = message.answer;
  return (
    <AnswerBubble
      run={run}
      number={index + 1}
      choice={choice}
      entries={entries}
      scripts={scripts}
      onAgain={() => onSend(before)}
      onChoose={(chosen) => onChange(continued({ ...draft, messages: before }, run, chosen))}
    />
  );
}
