import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Check } from "./form.tsx";
import { type ReceivedFrame, newsOf, toneOf } from "./frames.ts";

interface FrameListProps {
  readonly label: string;
  readonly frames: readonly ReceivedFrame[];
  /** How many of them were sent. */
  readonly sent: number;
}

/** Frames, each with its time and with what changed since the one before, or as it is. */
export function FrameList({ label, frames, sent }: FrameListProps): VNode {
  const [isWhole, setWhole] = useState(false);
  return (
    <>
      <Check label="whole frames" checked={isWhole} onChange={setWhole} />
      <div class="block" tabIndex={0} role="region" aria-label={label}>
        {frames.map((frame, index) => (
          <div key={index} class={index < sent ? "frame" : "frame muted"}>
            <span class="number">{index < sent ? `${frame.at.toFixed(0)} ms` : "not sent"}</span>
            <span class={toneOf(frame)}>{frame.isRepeated ? "again" : frame.kind}</span>
            <code>{isWhole ? frame.raw.trimEnd() : newsOf(frame, frames[index - 1])}</code>
          </div>
        ))}
      </div>
    </>
  );
}
