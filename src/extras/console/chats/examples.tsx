import type { VNode } from "preact";
import type { Script } from "../../../core/chat/scripts/script.ts";
import type { DraftChat } from "./conversation.ts";
import { exampleOf } from "./script-example.ts";

interface ExamplesProps {
  readonly scripts: readonly Script[];
  readonly models: readonly string[];
  readonly onChoose: (example: DraftChat) => void;
}

/** A conversation for each script that it answers, as far as its conditions tell one. */
export function Examples({ scripts, models, onChoose }: ExamplesProps): VNode | null {
  const examples = scripts.flatMap((script) => {
    const example = exampleOf(script, models);
    return example === undefined ? [] : [[script.name, example] as const];
  });
  if (examples.length === 0) return null;
  return (
    <details open>
      <summary>Try what a script answers</summary>
      <ul class="lines examples" aria-label="Examples">
        {examples.map(([name, example]) => (
          <li key={name}>
            <button type="button" class="quiet" onClick={() => onChoose(example)}>
              <strong>{name}</strong> {example.messages.at(-1)?.content}
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}
