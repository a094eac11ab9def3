import type { VNode } from "preact";

/** A status code, coloured by its kind. */
export function Status({ status }: { readonly status: number }): VNode {
  const tone = ["bad", "good", "good", "violet", "warn"][Math.floor(status / 100)] ?? "bad";
  return <span class={`status ${tone}`}>{status === 0 ? "none" : status}</span>;
}
