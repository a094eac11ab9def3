import type { JournalEntry } from "../../../core/emulator/journal/entry.ts";
import type { JournalFrame } from "../../../core/emulator/journal/response.ts";
import type { VNode } from "preact";
import { counted } from "../../../core/errors/show.ts";
import { Facts } from "../parts/facts.tsx";
import { FrameList } from "../parts/frame-list.tsx";
import { JsonView } from "../parts/json-view.tsx";
import { SmallTable } from "../parts/small-table.tsx";
import { endings } from "../parts/timeline.ts";
import { TimeAxis } from "../parts/time-axis.tsx";
import { receivedFrames } from "./received-frames.ts";
import { showMs } from "./summary.ts";

interface EntryProps {
  readonly entry: JournalEntry;
}

/** What was asked. */
export function RequestTab({ entry: { query, headers, body } }: EntryProps): VNode {
  return (
    <div class="stack">
      {query !== "" && (
        <>
          <h3>Query</h3>
          <Facts class="pairs" label="Query" facts={[...new URLSearchParams(query)]} />
        </>
      )}
      <h3>Body</h3>
      {body === null ? (
        <p class="muted">none</p>
      ) : (
        <JsonView label="Body of the request" value={body} />
      )}
      <h3>Headers</h3>
      <Facts class="pairs" label="Headers of the request" facts={Object.entries(headers)} />
    </div>
  );
}

/** What was answered: the body or the frames, as far as they were sent. */
export function ResponseTab({ entry }: EntryProps): VNode {
  const { response, usage, bytes, ended, problem } = entry;
  if (response === null) {
    return (
      <p class="muted">
        {ended === "pending" ? "Nothing yet." : "The client got no answer, not even a status."}
      </p>
    );
  }
  const { headers, body, frames, truncated, encoding } = response;
  return (
    <div class="stack">
      {truncated && (
        <p class="notice">The journal keeps the first 64 KB of {counted(bytes, "byte")}.</p>
      )}
      {frames === null ? (
        <>
          <h3>Body{encoding === "base64" && ", as base64"}</h3>
          {body === null ? (
            <p class="muted">none</p>
          ) : (
            <JsonView label="Body of the answer" value={body} />
          )}
        </>
      ) : (
        <SentFrames frames={frames} />
      )}
      {problem !== null && ended !== "refused" && (
        <p class={`notice ${endings[ended].tone}`}>
          Then {endings[ended].words}: {problem}
        </p>
      )}
      {usage !== null && <Facts label="Usage" facts={Object.entries(usage).flatMap(countOf)} />}
      <h3>Headers</h3>
      <Facts class="pairs" label="Headers of the answer" facts={Object.entries(headers)} />
    </div>
  );
}

function countOf([name, value]: readonly [string, unknown]): readonly (readonly [
  string,
  string,
])[] {
  return typeof value === "number" ? [[name.replaceAll("_", " "), String(value)]] : [];
}

/** The frames, each as sent, and where they stopped. */
function SentFrames({ frames }: { readonly frames: readonly JournalFrame[] }): VNode {
  const sent = frames.filter(({ sentMs }) => sentMs !== null).length;
  return (
    <>
      <h3>
        {counted(sent, "frame")} sent{sent < frames.length && ` of ${frames.length}`}
      </h3>
      <FrameList label="Frames of the answer" frames={receivedFrames(frames)} sent={sent} />
    </>
  );
}

/** When each frame was sent, and when it was planned. */
export function TimingTab({ entry }: EntryProps): VNode {
  const { at, durationMs, bytes, chunksSent, ended } = entry;
  const frames = entry.response?.frames ?? [];
  const sent = frames.filter(({ sentMs }) => sentMs !== null);
  // What took time before the stream began is not on its axis.
  const isOver = ended !== "pending" && ended !== "stalled" && ended !== "aborted";
  return (
    <div class="stack">
      <Facts
        facts={[
          ["arrived", at],
          ["took", showMs(durationMs)],
          ["sent", counted(bytes, "byte")],
          ["chunks", chunksSent > 0 ? String(chunksSent) : undefined],
        ]}
      />
      {frames.length > 0 && (
        <>
          <TimeAxis
            frames={receivedFrames(sent)}
            planned={frames.map(({ dueMs }) => dueMs)}
            outcome={ended}
            elapsedMs={isOver ? (sent.at(-1)?.sentMs ?? 0) : durationMs}
          />
          <SmallTable
            label="Times of the frames"
            heads={["frame", "what", "planned", "sent", "late"]}
            rows={receivedFrames(frames).map(({ kind }, index) => {
              const { dueMs = 0, sentMs = null } = frames[index] ?? {};
              const times =
                sentMs === null ? ["not sent", ""] : [sentMs, sentMs - dueMs].map(showMs);
              return [index + 1, kind, showMs(dueMs), ...times];
            })}
          />
        </>
      )}
    </div>
  );
}
