import type { VNode } from "preact";
import type { JournalSummary } from "../../../core/emulator/journal/entry.ts";
import { localClock, localTime } from "../parts/local-time.ts";
import { EndingBadge, TakenTime } from "./ending-badge.tsx";
import { sessionName } from "./filter.ts";
import { StepText } from "./step-text.tsx";
import { answeredWith, askedChat, requestTarget } from "./summary.ts";
import type { Attempt } from "./threads.ts";
import { takenMs } from "./use-requests.ts";

/** The time in which something ran, in Unix time in milliseconds. */
export interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

/** When a request ran. */
export function timesOf(entry: JournalSummary): TimeSpan {
  const from = Date.parse(entry.at);
  return { from, to: from + takenMs(entry) };
}

/** The time from the start of the first of several requests to the end of the last. There must be at least one. */
export function timesOfAll(entries: readonly JournalSummary[]): TimeSpan {
  const times = entries.map(timesOf);
  return {
    from: Math.min(...times.map(({ from }) => from)),
    to: Math.max(...times.map(({ to }) => to)),
  };
}

/** The values that the cells of all rows need. */
export interface CellSetting {
  /** The time that the width of a bar stands for. */
  readonly span: TimeSpan;
  readonly hasSessions: boolean;
  /** Shows only the requests of a session. */
  readonly onSession: (name: string) => void;
}

interface RequestCellsProps extends CellSetting {
  readonly entry: JournalSummary;
  /** The request's place in the conversation whose line is above. Undefined: the request stands alone. */
  readonly attempt: Attempt | undefined;
}

/** The cells of a request. */
export function RequestCells({ entry, attempt, ...setting }: RequestCellsProps): VNode {
  const answer = answeredWith(entry);
  return (
    <>
      <TimeCell at={entry.at} />
      <span role="gridcell" class="ended">
        <EndingBadge entry={entry} />
      </span>
      <SessionCell {...setting} entry={entry} />
      <span role="gridcell" class="method code muted">
        {entry.method}
      </span>
      <span role="gridcell" class={attempt === undefined ? "request" : "request parted"}>
        {attempt === undefined ? (
          <RequestText entry={entry} />
        ) : (
          <StepText attempt={attempt} said={askedChat(entry)?.said ?? ""} />
        )}
      </span>
      <span role="gridcell" class="answer muted" title={answer}>
        {answer}
      </span>
      <span role="gridcell" class="took number">
        <TakenTime entry={entry} />
      </span>
      <BarCell ran={timesOf(entry)} span={setting.span} />
    </>
  );
}

/** What a request asks for. */
function RequestText({ entry }: { readonly entry: JournalSummary }): VNode {
  const chat = askedChat(entry);
  return (
    <>
      {entry.retryCount !== null && entry.retryCount > 0 && (
        <span class="badge warn">retry {entry.retryCount}</span>
      )}{" "}
      {chat === undefined ? (
        <span class="code">{requestTarget(entry)}</span>
      ) : (
        <>
          {chat.said === "" ? "no user message" : chat.said}{" "}
          <span class="muted">
            {chat.model} {chat.isStream ? "stream" : "JSON"}
          </span>
        </>
      )}
    </>
  );
}

/** The time at which a request arrived. */
export function TimeCell({ at }: Pick<JournalSummary, "at">): VNode {
  return (
    <time role="gridcell" class="time muted number" dateTime={at} title={localTime(at)}>
      {localClock(at)}
    </time>
  );
}

interface BarCellProps {
  /** The time to show. What is outside the span is left out. */
  readonly ran: TimeSpan;
  readonly span: TimeSpan;
}

/** When something ran, as a bar. */
export function BarCell({ ran, span }: BarCellProps): VNode {
  const share = (time: number): number =>
    Math.min(Math.max((time - span.from) / (span.to - span.from), 0), 1) * 100;
  const left = share(ran.from);
  return (
    <span role="gridcell" class="bar">
      <span style={{ marginLeft: `${left}%`, width: `${share(ran.to) - left}%` }} />
    </span>
  );
}

interface SessionCellProps extends Pick<CellSetting, "hasSessions" | "onSession"> {
  readonly entry: JournalSummary;
}

/**
 * The session of a request, if there are several. A click shows only the session's requests, and does not open the
 * request.
 */
export function SessionCell({ entry, hasSessions, onSession }: SessionCellProps): VNode | null {
  if (!hasSessions) return null;
  const name = sessionName(entry);
  return (
    <span role="gridcell" class="session">
      <button
        type="button"
        class="badge"
        tabIndex={-1}
        title="Show only this session"
        onClick={(event) => {
          event.stopPropagation();
          onSession(name);
        }}
      >
        {name}
      </button>
    </span>
  );
}
