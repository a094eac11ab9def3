import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { JournalEntry } from "../../../core/emulator/journal/entry.ts";
import type { JournalFrame } from "../../../core/emulator/journal/response.ts";
import { counted } from "../../../core/errors/show.ts";
import { Check } from "../parts/controls.tsx";
import { LongList } from "../parts/long-list.tsx";
import { newsOf, type ReceivedFrame, receivedFrames, toneOf } from "../parts/stream.ts";

/** The frames with their times: the whole frames, or only the news in each. Shows where the stream stopped. */
export function SentFrames({
  frames,
  fault,
}: {
  readonly frames: readonly JournalFrame[];
  readonly fault: JournalEntry["brokenBy"];
}): VNode {
  const [isWhole, setWhole] = useState(false);
  const sent = frames.filter(({ sentMs }) => sentMs !== null).length;
  const received = useMemo(() => receivedFrames(frames, fault), [frames, fault]);
  return (
    <>
      <h3>
        {counted(sent, "frame")} sent{sent < frames.length && ` of ${frames.length}`}
      </h3>
      <Check label="whole frames" checked={isWhole} onChange={setWhole} />
      <LongList
        label="Frames of the answer"
        count={received.length}
        draw={(index) => (
          <SentFrame
            key={index}
            frame={received[index]}
            before={received[index - 1]}
            isSent={index < sent}
            isWhole={isWhole}
          />
        )}
      />
    </>
  );
}

interface SentFrameProps {
  readonly frame: ReceivedFrame | undefined;
  readonly before: ReceivedFrame | undefined;
  readonly isSent: boolean;
  /** Whether the whole frame is shown. Otherwise: what is new in it. */
  readonly isWhole: boolean;
}

function SentFrame({ frame, before, isSent, isWhole }: SentFrameProps): VNode | null {
  if (frame === undefined) return null;
  return (
    <div class={isSent ? "frame" : "frame muted"}>
      <span class="number">{isSent ? `${frame.at.toFixed(0)} ms` : "not sent"}</span>
      <span class={toneOf(frame)}>{frame.isDuplicate ? "again" : frame.kind}</span>
      <code>{isWhole ? frame.raw.trimEnd() : newsOf(frame, before)}</code>
    </div>
  );
}
