import type { ComponentChildren, VNode } from "preact";

interface PageHeadProps {
  readonly title: string;
  readonly note?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** The heading of a view, with its buttons. */
export function PageHead({ title, note, children }: PageHeadProps): VNode {
  return (
    <div class="row">
      <h1 tabIndex={-1}>{title}</h1>
      {note !== undefined && <p class="muted">{note}</p>}
      <div class="row end">{children}</div>
    </div>
  );
}
