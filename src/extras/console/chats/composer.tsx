import type { VNode } from "preact";
import { Button, Select } from "../parts/controls.tsx";
import { Problem } from "../parts/display.tsx";
import {
  type DraftChat,
  type DraftMessage,
  isResult,
  messageOf,
  type SentChat,
} from "./conversation.ts";
import { withRole } from "./item-parts.ts";
import { ItemTexts, MessageFields, roles } from "./message-editor.tsx";

interface ComposerProps {
  readonly draft: DraftChat;
  readonly sent: SentChat | undefined;
  readonly problem: string | undefined;
  readonly onChange: (messages: readonly DraftMessage[]) => void;
  readonly stop: () => void;
  /** The index of the first turn that is written here. */
  readonly first: number;
}

/** The fields for the next messages. They keep their texts until an answer has come. */
export function Composer(props: ComposerProps): VNode {
  const { draft, sent, first, problem, onChange, stop } = props;
  const { messages } = draft;
  const isPending = sent?.run.outcome === "pending";
  return (
    <div class="composer">
      <Problem text={problem} />
      <div class="composer-box">
        {isPending ? (
          <textarea readOnly aria-label="Next message" placeholder="The answer is arriving." />
        ) : (
          <Written {...props} />
        )}
        <div class="row">
          {!isPending && <RoleChoice {...props} />}
          <Button
            text="+ Message"
            class="quiet"
            disabled={isPending}
            onClick={() => onChange([...messages, messageOf("user", "")])}
          />
          <Button
            text="+ System"
            class="quiet"
            disabled={isPending}
            onClick={() => onChange([messageOf("system", ""), ...messages])}
          />
          <span class="muted on-wide end">Ctrl Enter sends</span>
          {isPending ? (
            <Button text="Stop" class="send end" onClick={stop} />
          ) : (
            <Button
              text={sendText(messages.slice(first), sent !== undefined)}
              type="submit"
              class="primary send end"
            />
          )}
        </div>
      </div>
    </div>
  );
}

function sendText([next]: readonly DraftMessage[], wasSent: boolean): string {
  if (wasSent) return "Send again";
  return next !== undefined && isResult(next) ? "Send the results" : "Send";
}

/** The only message in the fields, if its role can be chosen. */
function onlyOne({ draft, first }: ComposerProps) {
  const [next, ...others] = draft.messages.slice(first);
  const [item, ...more] = next?.items ?? [];
  const isOne = others.length === 0 && more.length === 0;
  if (item === undefined || !isOne || next === undefined || isResult(next)) return undefined;
  const { role } = item;
  return typeof role === "string" ? { item, role } : undefined;
}

/** The fields for the texts of the next messages. */
function Written(props: ComposerProps): VNode {
  const { draft, first, onChange } = props;
  const { messages } = draft;
  const only = onlyOne(props);
  if (only !== undefined) {
    return (
      <ItemTexts
        item={only.item}
        name={`message ${first + 1}`}
        onChange={(item) => onChange(messages.with(first, { items: [item] }))}
      />
    );
  }
  return (
    <>
      {messages.slice(first).map((message, at) => (
        <MessageFields
          key={at}
          message={message}
          number={first + at + 1}
          before={messages.slice(0, first + at)}
          onChange={(next) => onChange(messages.with(first + at, next))}
          onRemove={() => onChange(messages.toSpliced(first + at, 1))}
        />
      ))}
    </>
  );
}

function RoleChoice(props: ComposerProps): VNode | null {
  const { draft, first, onChange } = props;
  const only = onlyOne(props);
  if (only === undefined) return null;
  const { item, role } = only;
  return (
    <Select
      label={`Role of message ${first + 1}`}
      bare
      value={role}
      options={[...new Set([...roles, role])].map((one) => [one, one])}
      onChange={(chosen) =>
        onChange(draft.messages.with(first, { items: [withRole(item, chosen)] }))
      }
    />
  );
}
