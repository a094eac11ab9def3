import type { VNode } from "preact";

/** A status code, coloured by its kind. */
export function Status({ status }: { readonly status: number }): VNode {
  const kind = status === 0 ? "none" : String(status)[0];
  return <span class={`status s${kind}`}>{status === 0 ? "none" : status}</span>;
}
