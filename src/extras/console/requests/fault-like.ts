import type { FaultKind } from "../../../core/chat/faults/fault-kinds.ts";
import type { JournalEntry } from "../../../core/emulator/journal/entry.ts";
import { counted } from "../../../core/errors/show.ts";
import type { FaultRule } from "../../../core/fixture-set/format/fault-format.ts";
import { type Ending, receivedFrames } from "../parts/stream.ts";

/** The kinds of faults that end an answer so. */
const kindsOf: Partial<Readonly<Record<Ending, FaultKind>>> = {
  cut: "cut",
  reset: "reset",
  stalled: "stall",
  hung: "hang",
  malformed: "malformed",
  noFinish: "noFinish",
  refused: "error",
};

/** Whether the same could be planned again. */
export function didFail({ status, ended }: JournalEntry): boolean {
  return status >= 400 || kindsOf[ended] !== undefined;
}

/** A fault for the next request to the same path: what went wrong with this one, or 503. */
export function faultLike(entry: JournalEntry): FaultRule {
  const { interface: asked, method, path, status, ended, problem } = entry;
  // Other methods are in the journal, too: the control API refuses those, and says so.
  const known = method as NonNullable<FaultRule["method"]>;
  const next = { interface: asked, method: known, path, times: 1 };
  if (status >= 400) return { ...next, status, ...(problem === null ? {} : { message: problem }) };
  const fault = kindsOf[ended];
  if (fault === undefined) return { ...next, status: 503 };
  const afterChunks = chunksBefore(entry);
  const hasPlace = fault !== "hang" && fault !== "noFinish" && afterChunks > 0;
  return { ...next, fault, ...(hasPlace ? { afterChunks } : {}) };
}

/** How many chunks came before the one that is wrong, or before the end. */
function chunksBefore({ response, chunksSent }: JournalEntry): number {
  const wrong = receivedFrames(response?.frames ?? []).findIndex(
    ({ kind }) => kind === "malformed" || kind === "error",
  );
  return wrong === -1 ? chunksSent : wrong;
}

/** What a fault does, in words that follow the request. */
export function inWords({ status, fault, afterChunks = 0 }: FaultRule): string {
  if (status !== undefined) return `gets ${status}`;
  const where = afterChunks > 0 ? ` after ${counted(afterChunks, "chunk")}` : "";
  return `meets the fault “${fault}”${where}`;
}
