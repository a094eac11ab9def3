import type { StreamEnd } from "../../http/event-stream.ts";

/** What can go wrong with a reply. */
export type FaultKind =
  | "hang"
  | "stall"
  | "cut"
  | "reset"
  | "malformed"
  | "duplicate"
  | "error"
  | "noFinish"
  | "noDone";

/** The kinds that can stand among the chunks of a script. */
export type ChunkFaultKind = Exclude<FaultKind, "hang">;

/** The kinds that need no reply to happen in, so that they can be planned for any request. */
export type PlannedFaultKind = "hang" | "reset";

/** What sets one kind of fault apart. */
interface FaultTraits {
  /** What a stream does, for the reference pages. */
  readonly inStream: string;
  /** What a JSON reply does, for the reference pages. */
  readonly inJson: string;
  /** How the body ends where the fault happens; absent: it goes on to its usual end. */
  readonly ending?: StreamEnd;
  /** Why `afterChunks` has no effect on it; absent: it counts. */
  readonly whyNoPlace?: string;
}

/** Every kind of fault. What a kind does to frames and bodies, beside ending them, is in apply-faults.ts. */
export const faultKinds: Readonly<Record<FaultKind, FaultTraits>> = {
  hang: {
    inStream: "sends nothing, not even a status",
    inJson: "the same",
    ending: "hang",
    whyNoPlace:
      "afterChunks has no effect on a hang, which sends nothing at all; use the kind stall, or leave it out",
  },
  stall: {
    inStream: "stops after `afterChunks`, stays open",
    inJson: "stops after the head, or half of the body",
    ending: "hang",
  },
  cut: {
    inStream: "ends in order, too soon",
    inJson: "the same, with nothing or half of the body",
    ending: "close",
  },
  reset: {
    inStream: "breaks off; before the head without `afterChunks`",
    inJson: "the same, with half of the body",
    ending: "reset",
  },
  malformed: { inStream: "the next event is not JSON", inJson: "the body is not JSON" },
  duplicate: { inStream: "the next event comes twice", inJson: "nothing" },
  error: {
    inStream: "an error in place of the next event, then it ends",
    inJson: "a 500 with that error",
    ending: "close",
  },
  noFinish: {
    inStream: "has no finish chunk",
    inJson: "has `finish_reason: null`",
    whyNoPlace: "afterChunks has no effect on noFinish; leave it out",
  },
  noDone: {
    inStream: "has no `[DONE]`",
    inJson: "nothing",
    whyNoPlace: "afterChunks has no effect on noDone; leave it out",
  },
};

/** The names of all kinds, in the order of the table. */
export const faultKindNames: readonly FaultKind[] = Object.keys(faultKinds) as FaultKind[];

/** Those that can stand among chunks. */
export const chunkFaultKinds: readonly ChunkFaultKind[] = faultKindNames.filter(
  (kind) => kind !== "hang",
);

/** Those that can be planned for any request. */
export const plannedFaultKinds: readonly PlannedFaultKind[] = ["hang", "reset"];
