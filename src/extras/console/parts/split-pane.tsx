import type { ComponentChildren, VNode } from "preact";
import { useRef } from "preact/hooks";
import { ResizeHandle } from "./resize-handle.tsx";
import { useStored } from "./use-stored.ts";

interface SplitPaneProps {
  readonly first: ComponentChildren;
  /** What stands beside `first`. Undefined: nothing, so that `first` has the whole width. */
  readonly second: ComponentChildren;
  /** The name of `second`, for the handle. */
  readonly name: string;
}

/** The share of `second`, in percent of the width. */
const firstShare = 44;

/** Two parts side by side, with a handle between them. On a narrow screen the second stands above the first. */
export function SplitPane({ first, second, name }: SplitPaneProps): VNode {
  const pane = useRef<HTMLDivElement>(null);
  const [share, setShare] = useStored(`width of ${name}`, firstShare);
  if (second === undefined) return <div class="split">{first}</div>;
  return (
    <div ref={pane} class="split open" style={{ "--share": `${share}%` }}>
      {first}
      <ResizeHandle
        label={`Width of ${name}`}
        value={share}
        least={20}
        most={75}
        pixels={() => -(pane.current?.clientWidth ?? 100) / 100}
        onChange={setShare}
      />
      {second}
    </div>
  );
}
