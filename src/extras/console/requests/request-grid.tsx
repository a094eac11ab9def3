import type { JournalSummary } from "../../../core/emulator/journal/entry.ts";
import type { VNode } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { cellAfter, rowHeight, scrollToRow, useVisibleRows } from "../parts/grid.ts";
import { localClock, localTime } from "../parts/local-time.ts";
import { ColumnHeads, useColumns } from "./column-heads.tsx";
import type { DividerLine, ListLine } from "./dividers.ts";
import { EndingBadge, TakenTime } from "./ending-badge.tsx";
import { sessionName } from "./filter.ts";
import { answeredWith, askedChat, entryKey, requestTarget } from "./summary.ts";
import { takenMs } from "./use-requests.ts";

interface RequestGridProps {
  /** The requests, and what happened between them. */
  readonly lines: readonly ListLine[];
  readonly selected: string | undefined;
  /** Whether the list has the requests of several sessions. */
  readonly hasSessions: boolean;
  /** Shows only the requests of a session. */
  readonly onSession: (name: string) => void;
  /** The column that sorts the list, with a minus in front for the other direction; empty: latest first. */
  readonly sort: string;
  readonly onSort: (sort: string) => void;
  readonly onSelect: (key: string) => void;
  /** Handles keys other than those that move through the list. */
  readonly onKey: (event: KeyboardEvent) => void;
}

/** The list of requests, of any length. Only visible rows are drawn. Arrow keys move the selection. */
export function RequestGrid(props: RequestGridProps): VNode {
  const { lines, selected, hasSessions, onSession, sort, onSort, onSelect, onKey } = props;
  const box = useRef<HTMLDivElement>(null);
  const { first, last } = useVisibleRows(box);
  const shown = lines.slice(first, last + 1);
  const columns = useColumns(hasSessions);
  const at = useMemo(
    () => (selected === undefined ? -1 : lines.findIndex((line) => lineKey(line) === selected)),
    [lines, selected],
  );
  useStillRows(box, lines);
  useLayoutEffect(() => {
    if (at !== -1 && box.current !== null) scrollToRow(box.current, at);
    // Only when another request is selected, since the user may scroll away from the selected one.
  }, [selected]);
  const press = (event: KeyboardEvent): void => {
    if (event.target !== box.current) return;
    const isOfTabs = event.key === "ArrowLeft" || event.key === "ArrowRight";
    const size = { rows: lines.length, columns: 1 };
    const next = cellAfter({ key: event.key, ctrlKey: true }, { row: at, column: 0 }, size);
    const entry = next === undefined || isOfTabs ? undefined : nearestEntry(lines, at, next.row);
    if (entry === undefined) return onKey(event);
    event.preventDefault();
    onSelect(entryKey(entry));
  };
  const spanned = spanOf(shown.flatMap((line) => (isDivider(line) ? [] : [line])));
  const tracks = columns.map(({ name, track }): [string, string] => [`--${name}`, track]);
  return (
    <div
      class={hasSessions ? "requests surface sessions" : "requests surface"}
      style={Object.fromEntries(tracks)}
      ref={box}
      role="grid"
      tabIndex={0}
      aria-label="Requests"
      aria-rowcount={lines.length + 1}
      aria-activedescendant={at >= first && at < first + shown.length ? rowId(at) : undefined}
      onKeyDown={press}
    >
      <ColumnHeads columns={columns} sort={sort} onSort={onSort} />
      <div role="rowgroup" style={{ height: `${lines.length * rowHeight}px` }}>
        {shown.map((line, index) => (
          <Row
            // Keys repeat while scrolling, so that rows get new texts, which is faster than new elements.
            key={(first + index) % shown.length}
            {...spanned}
            line={line}
            index={first + index}
            isSelected={first + index === at}
            hasSessions={hasSessions}
            onSession={onSession}
            onClick={() => {
              if (!isDivider(line)) onSelect(entryKey(line));
              box.current?.focus({ preventScroll: true });
            }}
          />
        ))}
      </div>
    </div>
  );
}

interface RowProps extends Omit<RequestCellsProps, "entry"> {
  readonly line: ListLine;
  readonly index: number;
  readonly isSelected: boolean;
  readonly onClick: () => void;
}

function Row({ line, index, isSelected, onClick, ...more }: RowProps): VNode {
  return (
    <div
      id={rowId(index)}
      role="row"
      class={isDivider(line) ? "divider" : ""}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      style={{ top: `${index * rowHeight}px` }}
      onClick={onClick}
    >
      {isDivider(line) ? (
        <span role="gridcell">↑ {line.divider}</span>
      ) : (
        <RequestCells {...more} entry={line} />
      )}
    </div>
  );
}

function isDivider(line: ListLine): line is DividerLine {
  return "divider" in line;
}

function lineKey(line: ListLine): string | undefined {
  return isDivider(line) ? undefined : entryKey(line);
}

/** The request at a line. If a divider is there, the next one in the direction from `from`. */
function nearestEntry(
  lines: readonly ListLine[],
  from: number,
  to: number,
): JournalSummary | undefined {
  const step = to < from ? -1 : 1;
  for (let at = to; at >= 0 && at < lines.length; at += step) {
    const line = lines[at];
    if (line !== undefined && !isDivider(line)) return line;
  }
  return undefined;
}

function rowId(index: number): string {
  return `request-row-${index}`;
}

/** Keeps the visible rows in place when rows are added above them. */
function useStillRows(
  { current: box }: { readonly current: HTMLElement | null },
  lines: readonly ListLine[],
): void {
  const before = useRef(lines);
  useLayoutEffect(() => {
    const top = box === null ? 0 : Math.floor(box.scrollTop / rowHeight);
    const seen = before.current.slice(top).find((line) => !isDivider(line));
    const place = seen === undefined ? top : before.current.indexOf(seen);
    const key = seen && lineKey(seen);
    before.current = lines;
    if (box === null || top === 0 || key === undefined) return;
    const now = lines.findIndex((line) => lineKey(line) === key);
    if (now > place) box.scrollTop += (now - place) * rowHeight;
  }, [box, lines]);
}

/** When the visible requests began, and how long it took until the last of them ended, in milliseconds. */
function spanOf(shown: readonly JournalSummary[]): {
  readonly from: number;
  readonly span: number;
} {
  const starts = shown.map(({ at }) => Date.parse(at));
  const from = Math.min(...starts);
  const ends = shown.map((entry, index) => (starts[index] ?? 0) + takenMs(entry));
  return { from, span: Math.max(...ends, from + 1) - from };
}

interface RequestCellsProps {
  readonly entry: JournalSummary;
  readonly from: number;
  readonly span: number;
  readonly hasSessions: boolean;
  /** Shows only the requests of a session. */
  readonly onSession: (name: string) => void;
}

function RequestCells({ entry, from, span, hasSessions, onSession }: RequestCellsProps): VNode {
  const chat = askedChat(entry);
  const left = ((Date.parse(entry.at) - from) / span) * 100;
  const width = Math.min((takenMs(entry) / span) * 100, 100 - left);
  const answer = answeredWith(entry);
  return (
    <>
      <time
        role="gridcell"
        class="time muted number"
        dateTime={entry.at}
        title={localTime(entry.at)}
      >
        {localClock(entry.at)}
      </time>
      <span role="gridcell" class="ended">
        <EndingBadge entry={entry} />
      </span>
      {hasSessions && (
        <span role="gridcell" class="session">
          <SessionBadge name={sessionName(entry)} onChoose={onSession} />
        </span>
      )}
      <span role="gridcell" class="method code muted">
        {entry.method}
      </span>
      <span role="gridcell" class="request">
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
      </span>
      <span role="gridcell" class="answer muted" title={answer}>
        {answer}
      </span>
      <span role="gridcell" class="took number">
        <TakenTime entry={entry} />
      </span>
      <span role="gridcell" class="bar">
        <span style={{ marginLeft: `${left}%`, width: `${width}%` }} />
      </span>
    </>
  );
}

interface SessionBadgeProps {
  readonly name: string;
  readonly onChoose: (name: string) => void;
}

/** The session of a request. A click shows its requests alone, and does not open the request. */
function SessionBadge({ name, onChoose }: SessionBadgeProps): VNode {
  return (
    <button
      type="button"
      class="badge"
      tabIndex={-1}
      title="Show only this session"
      onClick={(event) => {
        event.stopPropagation();
        onChoose(name);
      }}
    >
      {name}
    </button>
  );
}
