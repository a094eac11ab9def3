import type { JournalSummary } from "../../../core/emulator/journal/entry.ts";
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { endings, showDuration } from "../parts/stream.ts";
import { takenMs } from "./use-requests.ts";

/** How a request ended: its status, and a coloured word. */
export function EndingBadge({
  entry: { status, ended },
}: {
  readonly entry: Pick<JournalSummary, "status" | "ended">;
}): VNode {
  const { words, tone } = endings[ended];
  const isError = ended === "refused" && status >= 500;
  return (
    <span class={`ending ${isError ? "bad" : tone}`}>
      {status > 0 && <strong>{status}</strong>} <span>{words}</span>
    </span>
  );
}

/** How often a running clock is updated, in milliseconds. */
const clockMs = 100;

/** How long a request took; a running clock while it is under way. */
export function TakenTime({ entry }: { readonly entry: JournalSummary }): VNode {
  const runs = entry.ended === "pending";
  return <Clock runs={runs} taken={() => (runs ? takenMs(entry) : entry.durationMs)} />;
}

interface ClockProps {
  readonly runs: boolean;
  /** The time to show, in milliseconds. */
  readonly taken: () => number;
}

/** A time that goes on while something runs. */
export function Clock({ runs, taken }: ClockProps): VNode {
  const [, setTurn] = useState(0);
  useEffect(() => {
    if (!runs) return undefined;
    const timer = setInterval(() => setTurn((turn) => turn + 1), clockMs);
    return () => clearInterval(timer);
  }, [runs]);
  return <span>{showDuration(taken())}</span>;
}
