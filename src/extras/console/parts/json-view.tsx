import type { VNode } from "preact";
import { jsonText } from "./json-text.ts";

/** A value as JSON; a text as it is. */
export function JsonView({
  value,
  label,
}: {
  readonly value: unknown;
  readonly label: string;
}): VNode {
  const text = typeof value === "string" ? value : jsonText(value);
  return (
    <pre class="block" tabIndex={0} role="region" aria-label={label}>
      {text}
    </pre>
  );
}
