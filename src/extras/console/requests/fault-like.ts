import {
  type FaultKind,
  faultKindNames,
  faultKinds,
} from "../../../core/chat/faults/fault-kinds.ts";
import type { JournalSummary } from "../../../core/emulator/journal/entry.ts";
import { counted } from "../../../core/errors/show.ts";
import type { FaultRule } from "../../../core/fixture-set/format/fault-format.ts";
import type { Ending } from "../parts/stream.ts";

/** The kind of fault that causes each ending. */
const kindsOf: Partial<Readonly<Record<Ending, FaultKind>>> = {
  cut: "cut",
  reset: "reset",
  stalled: "stall",
  hung: "hang",
  malformed: "malformed",
  duplicated: "duplicate",
  failed: "error",
  noFinish: "noFinish",
};

/** Whether a request failed in a way that can be planned again. */
export function didFail({ status, ended }: JournalSummary): boolean {
  return status >= 400 || kindsOf[ended] !== undefined;
}

/** A fault for the next request to the same path: what went wrong with this one, or a 503. */
export function faultLike(entry: JournalSummary): FaultRule {
  const { interface: asked, method, path, status, ended, problem, brokenBy, chunksSent } = entry;
  // The journal may contain any method. The control API refuses unknown ones with a message.
  const known = method as NonNullable<FaultRule["method"]>;
  const next = { interface: asked, method: known, path, times: 1 };
  if (status >= 400) return { ...next, status, ...(problem === null ? {} : { message: problem }) };
  const planned = faultKindNames.find((kind) => kind === brokenBy?.kind);
  const fault = planned ?? kindsOf[ended];
  if (fault === undefined) return { ...next, status: 503 };
  // A stream may also break without a fault, such as a recorded one.
  const afterChunks = brokenBy === null ? chunksSent : (brokenBy.afterChunks ?? 0);
  const hasPlace = faultKinds[fault].whyNoPlace === undefined && afterChunks > 0;
  return { ...next, fault, ...(hasPlace ? { afterChunks } : {}) };
}

/** Describes a fault in words that follow the name of the request. */
export function inWords({ status, fault, afterChunks = 0 }: FaultRule): string {
  if (status !== undefined) return `gets ${status}`;
  const where = afterChunks > 0 ? ` after ${counted(afterChunks, "chunk")}` : "";
  return `meets the fault “${fault}”${where}`;
}
