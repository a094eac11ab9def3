import type { VNode } from "preact";
import type { ChatRun } from "./run-chat.ts";

/** The bytes as they came, with the time of each frame. */
export function FrameList({ run: { frames, text, isStream } }: { readonly run: ChatRun }): VNode {
  if (!isStream) {
    return (
      <pre class="block" tabIndex={0} role="region" aria-label="Body">
        {text === "" ? "(empty)" : text}
      </pre>
    );
  }
  return (
    <div class="frames" tabIndex={0} role="region" aria-label="Raw frames">
      {frames.map(({ at, kind, raw, isRepeated }, index) => (
        <div key={index} class="frame">
          <span class="number">{at.toFixed(0)} ms</span>
          <span class={`kind k-${isRepeated ? "error" : kind}`}>{isRepeated ? "again" : kind}</span>
          <code>{raw.trimEnd()}</code>
        </div>
      ))}
      {text !== "" && (
        <div class="frame">
          <span class="number" />
          <span class="kind k-malformed">unfinished</span>
          <code>{text}</code>
        </div>
      )}
    </div>
  );
}
