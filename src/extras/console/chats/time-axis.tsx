import type { VNode } from "preact";
import { counted } from "../../../core/errors/show.ts";
import { frameKinds, toneOf } from "./frames.ts";
import type { ChatRun } from "./run-chat.ts";
import { axisTimes, outcomes, showDuration, type StreamTimeline } from "./timeline.ts";

interface TimeAxisProps {
  readonly run: ChatRun;
  readonly timeline: StreamTimeline;
}

const height = 74;
const floor = 52;

/** The times of a stream: a tick for each frame, the first token, gaps, and the end. */
export function TimeAxis({ run, timeline }: TimeAxisProps): VNode {
  const { totalMs, firstTokenMs, gaps } = timeline;
  const span = Math.max(totalMs, 1);
  const at = (ms: number): string => `${(Math.min(ms / span, 1) * 100).toFixed(3)}%`;
  return (
    <figure class="axis muted">
      <svg height={height} role="img" aria-label={inWords(run, timeline)}>
        {gaps.map(({ from, to }) => (
          <g key={from} class="gap warn">
            <rect x={at(from)} width={at(to - from)} y={8} height={floor - 8} />
            {(to - from) / span > 0.09 && (
              <text x={at((from + to) / 2)} y={18} text-anchor="middle">
                {showDuration(to - from)}
              </text>
            )}
          </g>
        ))}
        <line x1="0" x2="100%" y1={floor} y2={floor} />
        {axisTimes(span).map((time) => (
          <g key={time}>
            <line x1={at(time)} x2={at(time)} y1={floor} y2={floor + 4} />
            <text
              x={at(time)}
              y={floor + 16}
              text-anchor={time === 0 ? "start" : time / span > 0.94 ? "end" : "middle"}
            >
              {showDuration(time)}
            </text>
          </g>
        ))}
        {firstTokenMs !== undefined && (
          <line class="first good" x1={at(firstTokenMs)} x2={at(firstTokenMs)} y1={4} y2={floor} />
        )}
        {run.frames.map((frame, index) => (
          <line
            key={index}
            class={`tick ${toneOf(frame)}`}
            x1={at(frame.at)}
            x2={at(frame.at)}
            y1={floor - frameKinds[frame.kind].height}
            y2={floor}
          />
        ))}
        <End run={run} />
      </svg>
      <Legend run={run} />
    </figure>
  );
}

/** The legend: a colour for each kind of frame received. */
function Legend({ run: { frames } }: { readonly run: ChatRun }): VNode {
  return (
    <figcaption class="row">
      {Object.entries(frameKinds).map(([kind, { tone }]) => {
        const { length } = frames.filter((frame) => frame.kind === kind);
        return (
          length > 0 && (
            <span key={kind} class={tone}>
              {kind} {length}
            </span>
          )
        );
      })}
    </figcaption>
  );
}

/** A mark at the end of the stream: in order, or not. */
function End({ run: { outcome } }: { readonly run: ChatRun }): VNode | null {
  if (outcome === "running") return null;
  return <line class={`end ${outcomes[outcome].tone}`} x1="100%" x2="100%" y1={4} y2={floor} />;
}

function inWords(
  { frames, outcome }: ChatRun,
  { totalMs, firstTokenMs, longestGap }: StreamTimeline,
): string {
  const parts = [
    `${counted(frames.length, "frame")} in ${showDuration(totalMs)}`,
    firstTokenMs === undefined ? "no token" : `first token after ${showDuration(firstTokenMs)}`,
    ...(longestGap === undefined
      ? []
      : [`longest gap ${showDuration(longestGap.to - longestGap.from)}`]),
    outcome,
  ];
  return `Time axis: ${parts.join(", ")}.`;
}
