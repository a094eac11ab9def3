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
  const [, setTurn] = useState(0);
  const runs = entry.ended === "pending";
  useEffect(() => {
    if (!runs) return undefined;
    const timer = setInterval(() => setTurn((turn) => turn + 1), clockMs);
    return () => clearInterval(timer);
  }, [runs]);
  return <span>{showDuration(runs ? takenMs(entry) : entry.durationMs)}</span>;
}
