import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { JournalEntry } from "../../../core/emulator/journal/entry.ts";
import { counted } from "../../../core/errors/show.ts";
import { asObject, type JsonObject } from "../../../core/schema/json.ts";
import { calledTool, type DraftMessage, draftOfBody, messageOf } from "../chats/conversation.ts";
import { ChoiceView } from "../chats/choice-view.tsx";
import { Bubble, MessageBody, roleOf } from "../chats/message-bubble.tsx";
import { receivedAnswer } from "./received.tsx";
import { Silence } from "./silence.tsx";
import type { Step } from "./threads.ts";

interface MessagesTabProps {
  readonly entry: JournalEntry;
  /** The step of its conversation that the request goes on from, if there is one. */
  readonly before: Step | undefined;
}

/**
 * The conversation that a chat sent, and its answer, as a list of messages. The messages of earlier steps are folded.
 */
export function MessagesTab({ entry, before }: MessagesTabProps): VNode {
  const all = turnsOf(asObject(entry.body) ?? {});
  const earlier = before === undefined ? 0 : earlierTurns(all, before);
  const answer = receivedAnswer(entry)?.answer;
  return (
    <div class="bubbles">
      {earlier > 0 && <EarlierTurns key={entry.id} all={all} count={earlier} />}
      {all.slice(earlier).map((_, index) => (
        <Turn key={index} all={all} index={earlier + index} isNew={earlier > 0} />
      ))}
      {answer?.choices.map((choice, index) => (
        <Bubble key={`answer ${index}`} role="assistant" name={`Answer ${index + 1}`} head="answer">
          <ChoiceView choice={choice} />
        </Bubble>
      ))}
      {entry.problem !== null && <p class="notice warn said">{entry.problem}</p>}
      <Silence entry={entry} />
    </div>
  );
}

/** The messages of a request, with its instructions as the first. */
function turnsOf(body: JsonObject): readonly DraftMessage[] {
  const { instructions } = body;
  const first = typeof instructions === "string" ? [messageOf("system", instructions)] : [];
  return [...first, ...draftOfBody(body).messages];
}

/**
 * How many of a request's messages an earlier step had, its answer included. A response that continues another by its
 * id has none of them.
 */
export function earlierTurns(all: readonly DraftMessage[], { attempts }: Step): number {
  const { answers = 0 } = attempts.at(-1)?.entry.conversation ?? {};
  const said = all.flatMap(({ items: [item = {}] }, index) =>
    roleOf(item) === "assistant" ? [index] : [],
  );
  return (said[answers] ?? -1) + 1;
}

interface EarlierTurnsProps {
  readonly all: readonly DraftMessage[];
  readonly count: number;
}

/** The first messages of a conversation, folded. They are drawn once they are opened, since they may be many. */
function EarlierTurns({ all, count }: EarlierTurnsProps): VNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="folded" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{counted(count, "earlier message")}</summary>
      <div class="bubbles">
        {isOpen &&
          all
            .slice(0, count)
            .map((_, index) => <Turn key={index} all={all} index={index} isNew={false} />)}
      </div>
    </details>
  );
}

interface TurnProps {
  readonly all: readonly DraftMessage[];
  readonly index: number;
  /** Whether no earlier step had the message. */
  readonly isNew: boolean;
}

function Turn({ all, index, isNew }: TurnProps): VNode {
  const { items = [] } = all[index] ?? {};
  return (
    <Bubble
      role={roleOf(items[0] ?? {})}
      name={`Message ${index + 1}`}
      head={isNew && <span class="badge">new</span>}
    >
      {items.map((item, at) => (
        <MessageBody
          key={at}
          item={item}
          name={`message ${index + 1}`}
          tool={calledTool(all.slice(0, index), item)}
        />
      ))}
    </Bubble>
  );
}
