import type { VNode } from "preact";
import { counted } from "../../../core/errors/show.ts";
import {
  frameKinds,
  type ReceivedFrame,
  toneOf,
  axisTimes,
  type Ending,
  endings,
  showDuration,
  placesOf,
  ticksOf,
  timelineOf,
} from "./stream.ts";

interface TimeAxisProps {
  readonly frames: readonly ReceivedFrame[];
  readonly outcome: Ending;
  /** When the stream ended, or the time so far, in milliseconds. */
  readonly elapsedMs: number;
  /** When the frames were planned to be sent, in milliseconds; drawn below the axis. */
  readonly planned?: readonly number[];
}

const height = 74;
const floor = 52;

/** The times of a stream: a tick for each frame, the first token, gaps, and the end. */
export function TimeAxis(props: TimeAxisProps): VNode {
  const { frames, outcome, planned = [] } = props;
  const { totalMs, firstTokenMs, gaps } = timelineOf(frames, props);
  const span = Math.max(totalMs, planned.at(-1) ?? 0, 1);
  const at = (ms: number): string => percent(Math.min(ms / span, 1));
  return (
    <figure class="axis muted">
      <svg height={height} role="img" aria-label={inWords(props)}>
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
            <text x={at(time)} y={floor + 16} text-anchor={anchorAt(time / span)}>
              {showDuration(time)}
            </text>
          </g>
        ))}
        {firstTokenMs !== undefined && (
          <line class="first good" x1={at(firstTokenMs)} x2={at(firstTokenMs)} y1={4} y2={floor} />
        )}
        {ticksOf(frames, span).map((tick, index) => (
          <line
            key={index}
            class={`tick ${toneOf(tick.frame)}`}
            x1={percent(tick.at)}
            x2={percent(tick.at)}
            y1={floor - frameKinds[tick.frame.kind].height}
            y2={floor}
          />
        ))}
        {placesOf(planned, span).map((place) => (
          <line
            key={place}
            class="tick"
            x1={percent(place)}
            x2={percent(place)}
            y1={floor}
            y2={floor + 6}
          />
        ))}
        {outcome !== "pending" && (
          <line class={`end ${endings[outcome].tone}`} x1="100%" x2="100%" y1={4} y2={floor} />
        )}
      </svg>
      <Legend frames={frames} />
    </figure>
  );
}

function percent(part: number): string {
  return `${(part * 100).toFixed(3)}%`;
}

/** The legend: a colour for each kind of frame received. */
function Legend({ frames }: Pick<TimeAxisProps, "frames">): VNode {
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

function inWords(props: TimeAxisProps): string {
  const { frames, outcome } = props;
  const { totalMs, firstTokenMs, longestGap } = timelineOf(frames, props);
  const parts = [
    `${counted(frames.length, "frame")} in ${showDuration(totalMs)}`,
    firstTokenMs === undefined ? "no token" : `first token after ${showDuration(firstTokenMs)}`,
    ...(longestGap === undefined
      ? []
      : [`longest gap ${showDuration(longestGap.to - longestGap.from)}`]),
    endings[outcome].words,
  ];
  return `Time axis: ${parts.join(", ")}.`;
}

/** How to align a text at its position on the axis, so that the text stays within the axis. */
function anchorAt(part: number): "start" | "middle" | "end" {
  if (part === 0) return "start";
  return part > 0.94 ? "end" : "middle";
}
