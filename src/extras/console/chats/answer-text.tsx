import type { VNode } from "preact";
import { JsonView } from "../parts/json-view.tsx";
import { parseTypedJson } from "../parts/json-text.ts";
import type { AnsweredCall, AnsweredChoice, ChatAnswer } from "./answer.ts";

interface AnswerTextProps {
  readonly answer: ChatAnswer;
  /** Shown as long as it says nothing. */
  readonly nothing: string;
  readonly isOver: boolean;
  readonly onContinue: (choice: AnsweredChoice) => void;
}

/** What an answer says, choice by choice. */
export function AnswerText({ answer, nothing, isOver, onContinue }: AnswerTextProps): VNode {
  const { choices } = answer;
  if (choices.length === 0) return <p class="muted">{nothing}</p>;
  return (
    <>
      {choices.map((choice, index) => (
        <article key={index} class="choice" aria-label={`Choice ${index}`}>
          {choices.length > 1 && <h3>Choice {index}</h3>}
          <Choice choice={choice} />
          {isOver && (
            <div class="actions">
              <button type="button" onClick={() => onContinue(choice)}>
                Continue the conversation
              </button>
            </div>
          )}
        </article>
      ))}
    </>
  );
}

function Choice({ choice }: { readonly choice: AnsweredChoice }): VNode {
  const { content, reasoning, refusal, toolCalls, finishReason } = choice;
  return (
    <>
      {reasoning !== "" && (
        <div class="reasoning">
          <h4>reasoning</h4>
          <p class="said">{reasoning}</p>
        </div>
      )}
      {content !== "" && <p class="said">{content}</p>}
      {refusal !== "" && (
        <div class="refusal">
          <h4>refusal</h4>
          <p class="said">{refusal}</p>
        </div>
      )}
      {toolCalls.map((call, index) => (
        <ToolCall key={index} call={call} />
      ))}
      {finishReason !== undefined && (
        <p class="muted">
          finish reason <code>{finishReason}</code>
        </p>
      )}
    </>
  );
}

function ToolCall({ call }: { readonly call: AnsweredCall }): VNode {
  const read = parseTypedJson(call.arguments);
  return (
    <div class="tool-call">
      <h4>
        calls <code>{call.name}</code> <span class="muted">{call.id}</span>
      </h4>
      <JsonView
        label={`Arguments of ${call.name}`}
        value={"value" in read ? read.value : call.arguments}
      />
    </div>
  );
}
