import type { RefObject, VNode } from "preact";
import { useState } from "preact/hooks";
import type { Script } from "../../../core/chat/scripts/script.ts";
import type { JournalEntry } from "../../../core/emulator/journal/entry.ts";
import type { JsonObject, JsonPath } from "../../../core/schema/json.ts";
import { Problem, JsonView } from "../parts/display.tsx";
import { Picture } from "../parts/picture.tsx";
import { Button, Select } from "../parts/controls.tsx";
import { AnswerCard } from "./answer-card.tsx";
import {
  answeredCall,
  calledTool,
  continued,
  type DraftChat,
  type DraftMessage,
  isResult,
  messageOf,
  replacedBy,
} from "./conversation.ts";
import { Bubble, MessageBody, roleOf } from "./message-bubble.tsx";
import { type ItemPart, partsOf, shownJson, withRole, withText } from "./item-parts.ts";
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
  const field = replacedBy(draft);
  const last = messages.at(-1);
  return (
    <section class="stack" aria-label="Conversation">
      {field !== undefined && (
        <p class="notice">
          The further fields have their own <code>{field}</code>, which are sent instead of these
          messages.
        </p>
      )}
      <ol ref={list} class="stack" aria-label="Messages">
        {messages.map((message, index) => (
          <Message key={index} {...props} message={message} index={index} />
        ))}
        {run !== undefined && (
          <li class="panel">
            <AnswerCard {...props} run={run} choice={0} />
          </li>
        )}
      </ol>
      <Problem text={problem} />
      <div class="row composer">
        <Button
          text={last !== undefined && isResult(last) ? "Send the results" : "Send"}
          type="submit"
          class="primary"
        />
        <Button text="Stop" disabled={run?.outcome !== "pending"} onClick={stop} />
        <Button
          text="+ Message"
          class="quiet"
          onClick={() => onChange([...messages, messageOf("user", "")])}
        />
        <Button
          text="+ System"
          class="quiet"
          onClick={() => onChange([messageOf("system", ""), ...messages])}
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
        before={before}
        isWritten={isBeingWritten(messages, index) && run?.outcome !== "pending"}
        onChange={(next) => onChange(messages.toSpliced(index, 1, next))}
        onRemove={() => onChange(messages.toSpliced(index, 1))}
      />
    );
  }
  const { answer } = message;
  return (
    <li class="panel">
      <AnswerCard
        {...props}
        {...answer}
        onAgain={() => onSend(before)}
        onChoose={(choice) =>
          onChange(continued({ ...draft, messages: before }, answer.run, choice))
        }
      />
    </li>
  );
}

/** Whether a message is what is sent next: the last one, or of several results of calls all, or an empty one. */
function isBeingWritten(messages: readonly DraftMessage[], index: number): boolean {
  const after = messages.slice(index);
  const [first] = after;
  if (first === undefined) return false;
  const isEmpty = first.items.every((item) => item["role"] !== undefined && item["content"] === "");
  return after.length === 1 || isEmpty || after.every(isResult);
}

interface MessageEditorProps {
  readonly message: DraftMessage;
  readonly number: number;
  readonly before: readonly DraftMessage[];
  /** Whether it is what is being written: the last message, the results of calls, or one without a word yet. */
  readonly isWritten: boolean;
  readonly onChange: (message: DraftMessage) => void;
  readonly onRemove: () => void;
}

/** One message of a request. While it is written or edited, its texts are fields, and whatever else it has is shown. */
function MessageEditor(props: MessageEditorProps): VNode {
  const { message, number, before, isWritten, onChange, onRemove } = props;
  const { items } = message;
  const [isEdited, setEdited] = useState(false);
  if (!isEdited && !isWritten) {
    return <ReadMessage {...props} onEdit={() => setEdited(true)} />;
  }
  return (
    <li class={`aside stack ${tones.get(String(items[0]?.["role"])) ?? ""}`}>
      {items.map((item, index) => (
        <ItemEditor
          key={index}
          item={item}
          name={items.length === 1 ? `message ${number}` : `message ${number}, item ${index + 1}`}
          tool={calledTool(before, item)}
          onChange={(next) => onChange({ ...message, items: items.with(index, next) })}
          remove={
            index === 0 && (
              <Button
                text="×"
                class="quiet end"
                aria-label={`Remove message ${number}`}
                onClick={onRemove}
              />
            )
          }
        />
      ))}
    </li>
  );
}

interface ReadMessageProps extends MessageEditorProps {
  readonly onEdit: () => void;
}

/** A message that was sent, to be read. */
function ReadMessage({ message, number, before, onEdit, onRemove }: ReadMessageProps): VNode {
  const buttons = (
    <>
      <Button
        text="Edit"
        class="quiet end"
        aria-label={`Edit message ${number}`}
        onClick={onEdit}
      />
      <Button text="×" class="quiet" aria-label={`Remove message ${number}`} onClick={onRemove} />
    </>
  );
  return (
    <li class="bubbles">
      <Bubble role={roleOf(message.items[0] ?? {})} name={`Message ${number}`} head={buttons}>
        {message.items.map((item, index) => (
          <MessageBody
            key={index}
            item={item}
            name={`message ${number}`}
            tool={calledTool(before, item)}
          />
        ))}
      </Bubble>
    </li>
  );
}

interface ItemEditorProps {
  readonly item: JsonObject;
  /** Such as `message 2`. */
  readonly name: string;
  /** The name of the tool whose result the item is. */
  readonly tool: string | undefined;
  readonly onChange: (item: JsonObject) => void;
  /** The button that removes the message. */
  readonly remove: VNode | false;
}

/** The roles, with their tones. */
const tones: ReadonlyMap<string, string> = new Map([
  ["system", "violet"],
  ["developer", "violet"],
  ["user", "accent"],
  ["assistant", ""],
  ["tool", "warn"],
]);

function ItemEditor({ item, name, tool, onChange, remove }: ItemEditorProps): VNode {
  const { role, type } = item;
  const callId = answeredCall(item);
  const parts = partsOf(item);
  const several = parts.filter(({ kind }) => kind === "text").length > 1;
  let count = 0;
  return (
    <>
      <div class="row">
        {typeof role === "string" ? (
          <Select
            label={`Role of ${name}`}
            bare
            value={role}
            options={[...new Set([...tones.keys(), role])].map((one) => [one, one])}
            onChange={(chosen) => onChange(withRole(item, chosen))}
          />
        ) : (
          <code>{String(type)}</code>
        )}
        {tool !== undefined && (
          <span>
            result of <code>{tool}</code>
          </span>
        )}
        {callId !== undefined && (
          <input
            aria-label={`Tool call that ${name} answers`}
            placeholder="tool_call_id"
            value={callId}
            onInput={({ currentTarget: { value } }) =>
              onChange({ ...item, [role === "tool" ? "tool_call_id" : "call_id"]: value })
            }
          />
        )}
        {remove}
      </div>
      {parts.map((part, index) => {
        if (part.kind === "text") count++;
        return (
          <PartView
            key={index}
            part={part}
            name={several && part.kind === "text" ? `${name}, part ${count}` : name}
            placeholder={callId === undefined ? undefined : "What the tool gives, such as {}"}
            onText={(at, text) => onChange(withText(item, at, text))}
          />
        );
      })}
    </>
  );
}

interface PartViewProps {
  readonly part: ItemPart;
  readonly name: string;
  readonly placeholder: string | undefined;
  readonly onText: (at: JsonPath, text: string) => void;
}

/** A text to edit, a picture, or JSON that is sent as it was. */
function PartView({ part, name, placeholder, onText }: PartViewProps): VNode {
  switch (part.kind) {
    case "picture":
      return <Picture url={part.url} name={name} />;
    case "calls":
      return <JsonView label={`Tool calls of ${name}`} value={shownJson(part.value)} />;
    case "other":
      return <JsonView label={`What else ${name} has`} value={shownJson(part.value)} />;
    default:
      return (
        <textarea
          aria-label={`${part.kind === "refusal" ? "Refusal" : "Content"} of ${name}`}
          placeholder={placeholder}
          rows={Math.min(8, Math.max(2, part.text.split("\n").length))}
          value={part.text}
          onInput={(event) => onText(part.at, event.currentTarget.value)}
        />
      );
  }
}
