import type { VNode } from "preact";

interface FactsProps {
  /** A name and what it is; what is undefined is left out. */
  readonly facts: readonly (readonly [name: string, text: string | undefined])[];
  readonly label?: string;
  /** `pairs` for those that are read as code, one below the other. */
  readonly class?: "facts" | "pairs";
}

/** Names and what they are. */
export function Facts({ facts, label, class: name = "facts" }: FactsProps): VNode {
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
