import type { JournalEntry } from "../../../core/emulator/journal/entry.ts";
import type { VNode } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { useConsole } from "../parts/use-console.ts";
import { cellAfter, rowHeight, scrollToRow, useVisibleRows } from "../parts/grid.ts";
import { EndingBadge, TakenTime } from "./ending-badge.tsx";
import { answeredWith, askedChat, entryKey, requestTarget } from "./summary.ts";
import { takenMs } from "./use-requests.ts";

interface RequestGridProps {
  readonly entries: readonly JournalEntry[];
  readonly selected: string | undefined;
  /** What happened between requests, by the key of the one that it stands above. */
  readonly dividers: ReadonlyMap<string, string>;
  /** The column that sorts the list, with a minus in front for the other direction; empty: latest first. */
  readonly sort: string;
  readonly onSort: (sort: string) => void;
  readonly onSelect: (key: string) => void;
  /** Handles keys other than those that move through the list. */
  readonly onKey: (event: KeyboardEvent) => void;
}

/** The columns: their sort keys and titles. */
const columns = [
  ["time", "Time"],
  ["ended", "Ended"],
  ["request", "Request"],
  ["answer", "Answer"],
  ["took", "Took"],
] as const;

/** The list of requests, of any length. Only visible rows are drawn. Arrow keys move the selection. */
export function RequestGrid(props: RequestGridProps): VNode {
  const { entries, selected, dividers, sort, onSort, onSelect, onKey } = props;
  const box = useRef<HTMLDivElement>(null);
  const { first, last } = useVisibleRows(box);
  const shown = entries.slice(first, last + 1);
  const at = useMemo(
    () =>
      selected === undefined ? -1 : entries.findIndex((entry) => entryKey(entry) === selected),
    [entries, selected],
  );
  useStillRows(box, entries);
  useLayoutEffect(() => {
    if (at !== -1 && box.current !== null) scrollToRow(box.current, at);
    // Only when another request is selected, since the user may scroll away from the selected one.
  }, [selected]);
  const press = (event: KeyboardEvent): void => {
    if (event.target !== box.current) return;
    const isOfTabs = event.key === "ArrowLeft" || event.key === "ArrowRight";
    const size = { rows: entries.length, columns: 1 };
    const next = cellAfter({ key: event.key, ctrlKey: true }, { row: at, column: 0 }, size);
    const entry = next === undefined || isOfTabs ? undefined : entries[next.row];
    if (entry === undefined) return onKey(event);
    event.preventDefault();
    onSelect(entryKey(entry));
  };
  const spanned = spanOf(shown);
  return (
    <div
      class="requests surface"
      ref={box}
      role="grid"
      tabIndex={0}
      aria-label="Requests"
      aria-rowcount={entries.length + 1}
      aria-activedescendant={at >= first && at < first + shown.length ? rowId(at) : undefined}
      onKeyDown={press}
    >
      <ColumnHeads sort={sort} onSort={onSort} />
      <div role="rowgroup" style={{ height: `${entries.length * rowHeight}px` }}>
        {shown.map((entry, index) => (
          <div
            // Keys repeat while scrolling, so that rows get new texts, which is faster than new elements.
            key={(first + index) % shown.length}
            id={rowId(first + index)}
            role="row"
            aria-rowindex={first + index + 2}
            aria-selected={first + index === at}
            style={{ top: `${(first + index) * rowHeight}px` }}
            onClick={() => {
              onSelect(entryKey(entry));
              box.current?.focus({ preventScroll: true });
            }}
          >
            <RequestCells {...spanned} entry={entry} divider={dividers.get(entryKey(entry))} />
          </div>
        ))}
      </div>
    </div>
  );
}

function rowId(index: number): string {
  return `request-row-${index}`;
}

/** Keeps the visible rows in place when rows are added above them. */
function useStillRows(
  { current: box }: { readonly current: HTMLElement | null },
  entries: readonly JournalEntry[],
): void {
  const before = useRef(entries);
  useLayoutEffect(() => {
    const top = box === null ? 0 : Math.floor(box.scrollTop / rowHeight);
    const seen = before.current[top];
    before.current = entries;
    if (box === null || top === 0 || seen === undefined) return;
    const now = entries.findIndex((entry) => entryKey(entry) === entryKey(seen));
    if (now > top) box.scrollTop += (now - top) * rowHeight;
  }, [box, entries]);
}

/** How a column sorts the list now, and the order for a click on its header: descending, ascending, then by arrival. */
function sortingOf(
  name: string,
  sort: string,
): { readonly direction: "descending" | "ascending" | "none"; readonly next: string } {
  if (sort === `-${name}`) return { direction: "descending", next: name };
  if (sort === name) return { direction: "ascending", next: "" };
  return { direction: "none", next: `-${name}` };
}

function ColumnHeads({ sort, onSort }: Pick<RequestGridProps, "sort" | "onSort">): VNode {
  return (
    <div role="row" aria-rowindex={1} class="heads">
      {columns.map(([name, title]) => {
        const isDown = sort === `-${name}`;
        const { direction, next } = sortingOf(name, sort);
        return (
          <span key={name} role="columnheader" class={name} aria-sort={direction}>
            <button type="button" class="quiet" onClick={() => onSort(next)}>
              {title}
              <span aria-hidden="true">{isDown ? " ▼" : sort === name && " ▲"}</span>
            </button>
          </span>
        );
      })}
      <span role="columnheader" class="bar muted">
        Waterfall
      </span>
    </div>
  );
}

/** When the visible requests began, and how long it took until the last of them ended, in milliseconds. */
function spanOf(shown: readonly JournalEntry[]): { readonly from: number; readonly span: number } {
  const starts = shown.map(({ at }) => Date.parse(at));
  const from = Math.min(...starts);
  const ends = shown.map((entry, index) => (starts[index] ?? 0) + takenMs(entry));
  return { from, span: Math.max(...ends, from + 1) - from };
}

interface RequestCellsProps {
  readonly entry: JournalEntry;
  readonly from: number;
  readonly span: number;
  /** What happened after this request and before the next. */
  readonly divider: string | undefined;
}

function RequestCells({ entry, from, span, divider }: RequestCellsProps): VNode {
  const { setup } = useConsole();
  const chat = askedChat(entry);
  const left = ((Date.parse(entry.at) - from) / span) * 100;
  const width = Math.min((takenMs(entry) / span) * 100, 100 - left);
  const answer = answeredWith(entry);
  return (
    <>
      <time role="gridcell" class="time muted number" dateTime={entry.at}>
        {entry.at.slice(11, 23)}
      </time>
      <span role="gridcell" class="ended">
        <EndingBadge entry={entry} />
      </span>
      <span role="gridcell" class="request">
        {divider !== undefined && <span class="badge accent">↑ {divider}</span>}{" "}
        {entry.session !== setup.session && (
          <span class="badge">{entry.session ?? "base session"}</span>
        )}{" "}
        {entry.retryCount !== null && entry.retryCount > 0 && (
          <span class="badge warn">retry {entry.retryCount}</span>
        )}{" "}
        {chat === undefined ? (
          <span class="code">
            {entry.method} {requestTarget(entry)}
          </span>
        ) : (
          <>
            <span class="code muted">{chat.model}</span>{" "}
            {chat.said === "" ? "no user message" : chat.said}{" "}
            <span class="muted">{chat.isStream ? "stream" : "JSON"}</span>
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
