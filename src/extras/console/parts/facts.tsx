import type { ComponentChildren, VNode } from "preact";

interface FactsProps {
  /** Names and values. Undefined values are left out. */
  readonly facts: readonly (readonly [name: string, value: ComponentChildren])[];
  readonly label?: string;
  /** `pairs` shows them as code, one below the other. */
  readonly class?: "row" | "pairs";
}

/** A list of names and values. */
export function Facts({ facts, label, class: name = "row" }: FactsProps): VNode {
  return (
    <dl class={name} aria-label={label}>
      {facts.map(
        ([fact, text], index) =>
          text !== undefined && (
            <div key={index}>
              <dt>{fact}</dt>
              <dd>{text}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
