import type { JournalEntry } from "../../../core/emulator/journal/entry.ts";
import type { Ending } from "../parts/timeline.ts";

/** TEMPORARY: what the journal says from today. */
export interface RequestEntry extends JournalEntry {
  readonly ended: Ending;
  readonly problem: string | null;
  readonly response: {
    readonly headers: Readonly<Record<string, string>>;
    readonly body: unknown;
    readonly encoding?: "base64";
    readonly truncated: boolean;
    readonly frames: readonly SentFrame[] | null;
  } | null;
  readonly usage: Readonly<Record<string, unknown>> | null;
  readonly finishReason: string | null;
}

export interface SentFrame {
  readonly data: string;
  readonly dueMs: number;
  readonly sentMs: number | null;
}

/** TEMPORARY: until the server says it. */
export function completed(entry: JournalEntry): RequestEntry {
  const { aborted, status, answeredBy } = entry;
  const ended = aborted
    ? "aborted"
    : status === 0
      ? "hung"
      : status >= 400
        ? "refused"
        : "complete";
  const problem = ended === "refused" ? answeredBy : null;
  return { ended, problem, response: null, usage: null, finishReason: null, ...entry };
}
