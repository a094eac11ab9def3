import type { VNode } from "preact";
import { parseJson } from "../../../core/schema/json.ts";
import { JsonView } from "../parts/display.tsx";
import type { AnsweredChoice } from "./answer.ts";

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
      {content !== "" && <p class="said">{content}</p>}
      {toolCalls.map(({ id, name, arguments: given }, index) => (
        <div key={index} class="aside warn">
          <h3>
            calls <code>{name}</code> <span class="muted">{id}</span>
          </h3>
          <JsonView label={`Arguments of ${name}`} value={parseJson(given) ?? given} />
        </div>
      ))}
      {finishReason !== undefined && (
        <p class="muted">
          finish reason <code>{finishReason}</code>
        </p>
      )}
    </>
  );
}
