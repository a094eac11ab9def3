import type { VNode } from "preact";
import { Markdown } from "../parts/markdown.tsx";
import type { AnsweredChoice } from "../../../core/chat/forms/chat-answer.ts";
import { Call } from "./message-bubble.tsx";

/** The finish reasons of answers that end as usual, which are not shown. */
const usualReasons: readonly string[] = ["stop", "tool_calls"];

/** The parts of a choice, each with its tone. */
export function ChoiceView({ choice }: { readonly choice: AnsweredChoice }): VNode {
  const { content, reasoning, refusal, toolCalls, finishReason } = choice;
  const asides = [
    ["reasoning", "violet", reasoning],
    ["refusal", "bad", refusal],
  ] as const;
  return (
    <>
      {asides.map(
        ([name, tone, text]) =>
          text !== "" && (
            <div key={name} class={`aside ${tone}`}>
              <h3>{name}</h3>
              <p class="said">{text}</p>
            </div>
          ),
      )}
      {content !== "" && <Markdown text={content} />}
      {toolCalls.map(({ name, arguments: given }, index) => (
        <Call key={index} name={name} given={given} />
      ))}
      {finishReason !== undefined && !usualReasons.includes(finishReason) && (
        <p class="muted">
          finish reason <code>{finishReason}</code>
        </p>
      )}
    </>
  );
}
