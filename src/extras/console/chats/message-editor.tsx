import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";
import type { JsonObject, JsonPath } from "../../../core/schema/json.ts";
import { JsonView } from "../parts/display.tsx";
import { Picture } from "../parts/picture.tsx";
import { Button, Select } from "../parts/controls.tsx";
import { answeredCall, calledTool, type DraftMessage } from "./conversation.ts";
import { Bubble, MessageBody, roleOf } from "./message-bubble.tsx";
import { type ItemPart, partsOf, shownJson, withRole, withText } from "./item-parts.ts";

interface TurnProps {
  readonly message: DraftMessage;
  /** The message's number, from 1. */
  readonly number: number;
  readonly before: readonly DraftMessage[];
}

interface MessageEditorProps extends TurnProps {
  readonly onChange: (message: DraftMessage) => void;
  readonly onRemove: () => void;
}

/**
 * A message of a conversation, to be read until the user edits it. A message without a word is edited from the start.
 */
export function MessageEditor(props: MessageEditorProps): VNode {
  const { message, number, onRemove } = props;
  const [isEdited, setEdited] = useState(false);
  const isEmpty = message.items.every(
    (item) => item["role"] !== undefined && item["content"] === "",
  );
  if (isEdited || isEmpty) {
    return (
      <li class="aside stack">
        <MessageFields {...props} />
        {isEdited && <Button text="Done" class="quiet end" onClick={() => setEdited(false)} />}
      </li>
    );
  }
  return (
    <ReadMessage
      {...props}
      head={
        <>
          <Button
            text="Edit"
            class="quiet end"
            aria-label={`Edit message ${number}`}
            onClick={() => setEdited(true)}
          />
          <Button
            text="×"
            class="quiet"
            aria-label={`Remove message ${number}`}
            onClick={onRemove}
          />
        </>
      }
    />
  );
}

/** The fields of a message. Parts other than texts are only shown. */
export function MessageFields(props: MessageEditorProps): VNode {
  const { message, number, before, onChange, onRemove } = props;
  const { items } = message;
  return (
    <>
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
    </>
  );
}

interface ReadMessageProps extends TurnProps {
  /** Shown beside the role. */
  readonly head?: ComponentChildren;
}

/** A message to be read. */
export function ReadMessage({ message, number, before, head }: ReadMessageProps): VNode {
  return (
    <li class="bubbles">
      <Bubble role={roleOf(message.items[0] ?? {})} name={`Message ${number}`} head={head}>
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
  /** The name of the message, such as `message 2`. */
  readonly name: string;
  /** The name of the tool whose result the item is. */
  readonly tool: string | undefined;
  readonly onChange: (item: JsonObject) => void;
  /** The button that removes the message. */
  readonly remove: VNode | false;
}

/** The roles that a message can have. */
export const roles: readonly string[] = ["system", "developer", "user", "assistant", "tool"];

function ItemEditor({ item, name, tool, onChange, remove }: ItemEditorProps): VNode {
  const { role, type } = item;
  const callId = answeredCall(item);
  return (
    <>
      <div class="row">
        {typeof role === "string" ? (
          <Select
            label={`Role of ${name}`}
            bare
            value={role}
            options={[...new Set([...roles, role])].map((one) => [one, one])}
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
      <ItemTexts item={item} name={name} onChange={onChange} />
    </>
  );
}

/** The fields for the texts of an item. Its other parts are only shown. */
export function ItemTexts({
  item,
  name,
  onChange,
}: Pick<ItemEditorProps, "item" | "name" | "onChange">): VNode {
  const isResult = answeredCall(item) !== undefined;
  const parts = partsOf(item);
  const several = parts.filter(({ kind }) => kind === "text").length > 1;
  let count = 0;
  return (
    <>
      {parts.map((part, index) => {
        if (part.kind === "text") count++;
        return (
          <PartView
            key={index}
            part={part}
            name={several && part.kind === "text" ? `${name}, part ${count}` : name}
            placeholder={isResult ? "What the tool gives, such as {}" : undefined}
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
      return <JsonView label={`Other parts of ${name}`} value={shownJson(part.value)} />;
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
