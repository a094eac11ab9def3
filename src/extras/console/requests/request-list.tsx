import type { VNode } from "preact";
import type { JournalEntry } from "../../../core/emulator/journal/entry.ts";
import { hashOf } from "../parts/route.ts";
import { requestTarget } from "./filter.ts";
import { Status } from "./status.tsx";

interface RequestListProps {
  /** Newest first. */
  readonly entries: readonly JournalEntry[];
  readonly selected: string | undefined;
  /** Whether there are none at all, filtered or not. */
  readonly isEmpty: boolean;
}

/** The requests, each a link to its details. */
export function RequestList({ entries, selected, isEmpty }: RequestListProps): VNode {
  if (entries.length === 0) {
    return (
      <p class="empty">
        {isEmpty
          ? "No requests yet. They appear here as they arrive."
          : "No request matches the filter."}
      </p>
    );
  }
  return (
    <ol class="requests surface" aria-label="Requests, newest first" onKeyDown={moveFocus}>
      {entries.map((entry) => (
        <li key={`${entry.id} ${entry.at}`}>
          <a
            href={hashOf("requests", entry.id)}
            aria-current={entry.id === selected ? "true" : undefined}
          >
            <Status status={entry.status} />
            <span class="code">{entry.method}</span>
            <span class="code" title={requestTarget(entry)}>
              {entry.path}
              {entry.query !== "" && <span class="muted">?{entry.query}</span>}
            </span>
            <span class="why muted">{entry.answeredBy ?? ""}</span>
            <span class="number">{showMs(entry.durationMs)}</span>
            <time class="muted number" dateTime={entry.at}>
              {entry.at.slice(11, 19)}
            </time>
          </a>
        </li>
      ))}
    </ol>
  );
}

export function showMs(ms: number): string {
  if (ms >= 10_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${ms >= 10 ? Math.round(ms) : ms.toFixed(1)} ms`;
}

/** Arrow keys go from one request to the next. */
function moveFocus(event: KeyboardEvent): void {
  const step = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" } as const;
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  const item = document.activeElement?.closest("li");
  const link = item?.[step[event.key]]?.querySelector("a");
  if (!(link instanceof HTMLElement)) return;
  event.preventDefault();
  link.focus();
}
