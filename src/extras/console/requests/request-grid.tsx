import type { VNode } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { rowHeight, scrollToRow, useVisibleRows } from "../parts/grid.ts";
import { ColumnHeads, useColumns } from "./column-heads.tsx";
import { isDivider } from "./dividers.ts";
import { type CellSetting, RequestCells, type TimeSpan, timesOf } from "./request-cells.tsx";
import { entryKey } from "./summary.ts";
import { ThreadCells } from "./thread-cells.tsx";
import {
  type GridLine,
  isStep,
  isThread,
  latestIn,
  lineKey,
  lineOf,
  moveFrom,
  requestOf,
  threadKey,
} from "./thread-lines.ts";
import type { Thread } from "./threads.ts";

interface RequestGridProps {
  /** The requests, their conversations, and what happened between them. */
  readonly lines: readonly GridLine[];
  readonly selected: string | undefined;
  /** Whether the list has the requests of several sessions. */
  readonly hasSessions: boolean;
  /** The column that sorts the list, with a minus in front for the other direction; empty: latest first. */
  readonly sort: string;
  /** Shows only the requests of a session, or sorts. */
  readonly onChange: (change: { readonly session: string } | { readonly sort: string }) => void;
  readonly onSelect: (key: string) => void;
  /** Opens a conversation, or folds it. */
  readonly onOpen: (thread: Thread, isOpen: boolean) => void;
  /** Handles keys other than those that move through the list. */
  readonly onKey: (event: KeyboardEvent) => void;
}

/**
 * The list of requests, of any length. Only visible rows are drawn. Keys move through the list: they select each
 * request that they reach, but no conversation.
 */
export function RequestGrid(props: RequestGridProps): VNode {
  const { lines, selected, hasSessions, sort, onChange } = props;
  const box = useRef<HTMLDivElement>(null);
  const { first, last } = useVisibleRows(box);
  const shown = lines.slice(first, last + 1);
  const columns = useColumns(hasSessions);
  useStillRows(box, lines);
  const { at, press, click } = useMoves(box, props);
  const span = spanOf(shown);
  const tracks = columns.map(({ name, track }): [string, string] => [`--${name}`, track]);
  return (
    <div
      class={hasSessions ? "requests surface sessions" : "requests surface"}
      style={Object.fromEntries(tracks)}
      ref={box}
      role="treegrid"
      tabIndex={0}
      aria-label="Requests"
      aria-rowcount={lines.length + 1}
      aria-activedescendant={at >= first && at < first + shown.length ? rowId(at) : undefined}
      onKeyDown={press}
    >
      <ColumnHeads columns={columns} sort={sort} onSort={(by) => onChange({ sort: by })} />
      <div role="rowgroup" style={{ height: `${lines.length * rowHeight}px` }}>
        {shown.map((line, index) => (
          <Row
            // The keys of rows repeat, so that scrolling changes the texts of existing elements, which is faster than
            // making new ones.
            key={(first + index) % shown.length}
            span={span}
            line={line}
            index={first + index}
            isAtCursor={first + index === at}
            selected={selected}
            hasSessions={hasSessions}
            onSession={(session) => onChange({ session })}
            onClick={() => click(line, first + index)}
          />
        ))}
      </div>
    </div>
  );
}

/** How the user moves through the list. */
interface Moves {
  /** The line that the keys move from; -1 if there is none. */
  readonly at: number;
  readonly press: (event: KeyboardEvent) => void;
  readonly click: (line: GridLine, index: number) => void;
}

/** Moves through the list by keys and clicks. */
function useMoves(
  { current: box }: { readonly current: HTMLElement | null },
  { lines, selected, onSelect, onOpen, onKey }: RequestGridProps,
): Moves {
  const { at, setHead } = useCursor(lines, selected);
  useLayoutEffect(() => {
    if (at !== -1 && box !== null) scrollToRow(box, at);
    // Scrolls only when another request is selected, since the user may scroll away from the selected one.
  }, [selected]);
  const goTo = (index: number): void => {
    const line = lines[index];
    if (line === undefined || isDivider(line)) return;
    const entry = requestOf(line);
    setHead(isThread(line) ? threadKey(line.thread) : undefined);
    if (entry !== undefined) onSelect(entryKey(entry));
    if (box !== null) scrollToRow(box, index);
  };
  const press = (event: KeyboardEvent): void => {
    if (event.target !== box) return;
    const move = moveFrom(lines, at, event.key);
    if (move === undefined) return onKey(event);
    event.preventDefault();
    if ("to" in move) goTo(move.to);
    else onOpen(move.thread, move.isOpen);
  };
  const click = (line: GridLine, index: number): void => {
    if (isThread(line)) onOpen(line.thread, !line.isOpen);
    goTo(index);
    box?.focus({ preventScroll: true });
  };
  return { at, press, click };
}

/** The line that keys move from: that of the selected request, or a conversation that the user has come to since. */
function useCursor(
  lines: readonly GridLine[],
  selected: string | undefined,
): { readonly at: number; readonly setHead: (key: string | undefined) => void } {
  const [head, setHead] = useState<{
    readonly key: string | undefined;
    readonly since: typeof selected;
  }>();
  const key = head?.since === selected ? head?.key : undefined;
  const at = useMemo(() => {
    const found = key === undefined ? -1 : lines.findIndex((line) => lineKey(line) === key);
    return found === -1 && selected !== undefined ? lineOf(lines, selected) : found;
  }, [lines, selected, key]);
  return { at, setHead: (next) => setHead({ key: next, since: selected }) };
}

interface RowProps extends CellSetting {
  readonly line: GridLine;
  readonly index: number;
  /** Whether the keys move from this row. */
  readonly isAtCursor: boolean;
  readonly selected: string | undefined;
  readonly onClick: () => void;
}

function Row({ line, index, isAtCursor, selected, onClick, ...more }: RowProps): VNode {
  const entry = requestOf(line);
  const isOpen = isThread(line) ? line.isOpen : undefined;
  return (
    <div
      id={rowId(index)}
      role="row"
      class={kindOf(line, isAtCursor)}
      aria-rowindex={index + 2}
      aria-level={isStep(line) ? 2 : 1}
      aria-expanded={isOpen}
      aria-selected={entry !== undefined && entryKey(entry) === selected}
      style={{ top: `${index * rowHeight}px` }}
      onClick={onClick}
    >
      {isDivider(line) && <span role="gridcell">↑ {line.divider}</span>}
      {isThread(line) && <ThreadCells {...more} line={line} />}
      {entry !== undefined && (
        <RequestCells {...more} entry={entry} attempt={isStep(line) ? line.attempt : undefined} />
      )}
    </div>
  );
}

/** The classes of a row: its kind, and whether the keys move from it. */
function kindOf(line: GridLine, isAtCursor: boolean): string {
  const cursor = isAtCursor ? " cursor" : "";
  if (isDivider(line)) return "divider";
  if (isThread(line)) return `thread${cursor}`;
  return isStep(line) ? `step${cursor}` : "";
}

function rowId(index: number): string {
  return `request-row-${index}`;
}

/** Keeps the visible rows in place when rows are added above them. */
function useStillRows(
  { current: box }: { readonly current: HTMLElement | null },
  lines: readonly GridLine[],
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

/** The time from the start of the first visible request to the end of the last. */
function spanOf(shown: readonly GridLine[]): TimeSpan {
  const ran = shown.flatMap((line) => {
    const entry = isThread(line) ? latestIn(line) : requestOf(line);
    return entry === undefined ? [] : [timesOf(entry)];
  });
  const from = Math.min(...ran.map((one) => one.from));
  return { from, to: Math.max(...ran.map(({ to }) => to), from + 1) };
}
