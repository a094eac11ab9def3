import type { JournalEntry } from "../../../core/emulator/journal/entry.ts";
import type { JournalFrame } from "../../../core/emulator/journal/response.ts";

export type RequestEntry = JournalEntry;
export type SentFrame = JournalFrame;

type OldEntry = Omit<JournalEntry, "ended" | "problem" | "response" | "usage" | "finishReason">;

/** TEMPORARY: until the server says it. */
export function completed(entry: OldEntry): RequestEntry {
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
