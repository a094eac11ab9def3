import type { VNode } from "preact";
import type { JournalEntry } from "../../../core/emulator/journal/entry.ts";
import { isObject } from "../../../core/schema/json.ts";
import { noAnswerYet, withChunk } from "../../../core/chat/forms/chat-answer.ts";
import { ChoiceView } from "../chats/choice-view.tsx";
import { missingFrom, type ReceivedAnswer, receivedOf } from "../chats/missing.ts";
import { receivedFrames } from "../parts/stream.ts";
import { useResource } from "../parts/use-console.ts";
import { askedChat } from "./summary.ts";

/** What the client of a chat has received, from the journal; undefined for other requests. */
export function receivedAnswer(entry: JournalEntry): ReceivedAnswer | undefined {
  const { response, ended, body } = entry;
  if (response === null || !isObject(body) || askedChat(entry) === undefined) return undefined;
  const sent = response.frames?.filter(({ sentMs }) => sentMs !== null);
  const frames = receivedFrames(sent ?? [], entry.brokenBy);
  const chunks = sent === undefined ? [response.body] : frames.map(({ data }) => data);
  return {
    outcome: ended,
    isStream: sent !== undefined,
    frames,
    answer: chunks.reduce(withChunk, noAnswerYet),
    text: typeof response.body === "string" ? response.body : JSON.stringify(response.body ?? ""),
    body,
  };
}

/** The text of a chat's answer as its client has it so far, and what is missing where it broke off. */
export function Received({ entry }: { readonly entry: JournalEntry }): VNode | null {
  const { value: known } = useResource("/chats");
  const received = receivedAnswer(entry);
  if (received === undefined || received.answer.choices.length === 0) return null;
  const script = known?.chats.find(({ name }) => name === entry.script);
  const missing = missingFrom(received, script?.replies[entry.reply ?? 0]);
  return (
    <section class="stack" aria-label="What was received">
      <h3>Put together</h3>
      {received.answer.choices.map((choice, index) => (
        <ChoiceView key={index} choice={choice} />
      ))}
      {missing.length > 0 && (
        <p class="notice warn">
          Received: {receivedOf(received)}. Missing: {missing.join(", ")}.
        </p>
      )}
    </section>
  );
}
