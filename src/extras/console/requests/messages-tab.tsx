import type { VNode } from "preact";
import type { JournalEntry } from "../../../core/emulator/journal/entry.ts";
import { asObject } from "../../../core/schema/json.ts";
import { calledTool, draftOfBody, messageOf } from "../chats/conversation.ts";
import { ChoiceView } from "../chats/choice-view.tsx";
import { Bubble, MessageBody, roleOf } from "../chats/message-bubble.tsx";
import { receivedAnswer } from "./received.tsx";
import { Silence } from "./silence.tsx";

/** The conversation that a chat sent, and what it got, as people read one. */
export function MessagesTab({ entry }: { readonly entry: JournalEntry }): VNode {
  const body = asObject(entry.body) ?? {};
  const { instructions } = body;
  const { messages } = draftOfBody(body);
  const first = typeof instructions === "string" ? [messageOf("system", instructions)] : [];
  const all = [...first, ...messages];
  const answer = receivedAnswer(entry)?.answer;
  return (
    <div class="bubbles">
      {all.map(({ items }, index) => (
        <Bubble key={index} role={roleOf(items[0] ?? {})} name={`Message ${index + 1}`}>
          {items.map((item, at) => (
            <MessageBody
              key={at}
              item={item}
              name={`message ${index + 1}`}
              tool={calledTool(all.slice(0, index), item)}
            />
          ))}
        </Bubble>
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
