import type { StreamEnd } from "../../http/event-stream.ts";
import type { AnswerEnd } from "../../http/answer-end.ts";
import type { AnswerFault } from "../../http/reply.ts";

/** The kinds that can stand among the chunks of a script. */
export type ChunkFaultKind = Exclude<FaultKind, "hang">;

/** The properties of a kind of fault. */
interface FaultTraits {
  /** The effect on a stream, for the reference pages. */
  readonly inStream: string;
  /** The effect on a JSON reply, for the reference pages. */
  readonly inJson: string;
  /** How the body ends at the fault. Absent: the body continues to its usual end. */
  readonly ending?: StreamEnd;
  /** The ending that the journal shows for an answer with the fault. */
  readonly ended: AnswerEnd;
  /** Why `afterChunks` and `afterMs` have no effect on a fault of this kind. Absent: they have one. */
  readonly whyNoPlace?: string;
}

/** All kinds of faults. fault-effects.ts says what each kind does to frames and bodies. */
const kinds = {
  hang: {
    inStream: "sends nothing, not even a status",
    inJson: "the same",
    ending: "hang",
    ended: "hung",
    whyNoPlace:
      "has no effect on a hang, which sends nothing at all; use the kind stall, or remove it",
  },
  stall: {
    inStream: "stops after `afterChunks`; the connection stays open",
    inJson: "stops after the head, or half of the body",
    ending: "hang",
    ended: "stalled",
  },
  cut: {
    inStream: "ends cleanly, but too soon",
    inJson: "the same, with nothing or half of the body",
    ending: "close",
    ended: "cut",
  },
  reset: {
    inStream: "breaks off; before the head without `afterChunks`",
    inJson: "the same, with half of the body",
    ending: "reset",
    ended: "reset",
  },
  malformed: {
    inStream: "the next event is not JSON",
    inJson: "the body is not JSON",
    ended: "malformed",
  },
  duplicate: { inStream: "the next event comes twice", inJson: "nothing", ended: "duplicated" },
  error: {
    inStream: "an error in place of the next event, then it ends",
    inJson: "a 500 with that error",
    ending: "close",
    ended: "failed",
  },
  noFinish: {
    inStream: "has no finish chunk",
    inJson: "has `finish_reason: null`",
    ended: "noFinish",
    whyNoPlace: "has no effect on noFinish; remove it",
  },
  noDone: {
    inStream: "has no `[DONE]`",
    inJson: "nothing",
    ended: "noFinish",
    whyNoPlace: "has no effect on noDone; remove it",
  },
} as const;

/** What can go wrong with a reply. */
export type FaultKind = keyof typeof kinds;

export const faultKinds: Readonly<Record<FaultKind, FaultTraits>> = kinds;

/** The names of all kinds, in table order. */
export const faultKindNames: readonly FaultKind[] = Object.keys(faultKinds) as FaultKind[];

/** The kinds that can stand among chunks. */
export const chunkFaultKinds: readonly ChunkFaultKind[] = faultKindNames.filter(
  (kind) => kind !== "hang",
);

/** A fault in an answer, as the log and the journal show it. */
export function answerFault(kind: FaultKind, chunksBefore?: number): AnswerFault {
  return { kind, ended: faultKinds[kind].ended, afterChunks: chunksBefore };
}
