import type { VNode } from "preact";

/** A value as JSON; a text as it is. */
export function JsonView({
  value,
  label,
}: {
  readonly value: unknown;
  readonly label: string;
}): VNode {
  const text = typeof value === "string" ? value : JSON.stringify(value, undefined, 2);
  return (
    <pre class="block" tabIndex={0} role="region" aria-label={label}>
      {text}
    </pre>
  );
}
