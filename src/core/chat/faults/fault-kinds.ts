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
interface FaultTraits<Kind extends FaultKind> {
  /** What a stream does, for the reference pages. */
  readonly inStream: string;
  /** What a JSON reply does, for the reference pages. */
  readonly inJson: string;
  /** How the body ends where the fault happens; undefined: it goes on to its usual end. */
  readonly ending: StreamEnd | undefined;
  readonly amongChunks: Kind extends ChunkFaultKind ? true : false;
  /** Why `afterChunks` has no effect on it; undefined: it counts. */
  readonly whyNoPlace: string | undefined;
  readonly canBePlanned: Kind extends PlannedFaultKind ? true : false;
}

/** Every kind of fault. What a kind does to frames and bodies, beside ending them, is in apply-faults.ts. */
export const faultKinds: { readonly [Kind in FaultKind]: FaultTraits<Kind> } = {
  hang: {
    inStream: "sends nothing, not even a status",
    inJson: "the same",
    ending: "hang",
    amongChunks: false,
    whyNoPlace:
      "afterChunks has no effect on a hang, which sends nothing at all; use the kind stall, or leave it out",
    canBePlanned: true,
  },
  stall: {
    inStream: "stops after `afterChunks`, stays open",
    inJson: "stops after the head, or half of the body",
    ending: "hang",
    amongChunks: true,
    whyNoPlace: undefined,
    canBePlanned: false,
  },
  cut: {
    inStream: "ends in order, too soon",
    inJson: "the same, with nothing or half of the body",
    ending: "close",
    amongChunks: true,
    whyNoPlace: undefined,
    canBePlanned: false,
  },
  reset: {
    inStream: "breaks off; before the head without `afterChunks`",
    inJson: "the same, with half of the body",
    ending: "reset",
    amongChunks: true,
    whyNoPlace: undefined,
    canBePlanned: true,
  },
  malformed: {
    inStream: "the next event is not JSON",
    inJson: "the body is not JSON",
    ending: undefined,
    amongChunks: true,
    whyNoPlace: undefined,
    canBePlanned: false,
  },
  duplicate: {
    inStream: "the next event comes twice",
    inJson: "nothing",
    ending: undefined,
    amongChunks: true,
    whyNoPlace: undefined,
    canBePlanned: false,
  },
  error: {
    inStream: "an error in place of the next event, then it ends",
    inJson: "a 500 with that error",
    ending: "close",
    amongChunks: true,
    whyNoPlace: undefined,
    canBePlanned: false,
  },
  noFinish: {
    inStream: "has no finish chunk",
    inJson: "has `finish_reason: null`",
    ending: undefined,
    amongChunks: true,
    whyNoPlace: "afterChunks has no effect on noFinish; leave it out",
    canBePlanned: false,
  },
  noDone: {
    inStream: "has no `[DONE]`",
    inJson: "nothing",
    ending: undefined,
    amongChunks: true,
    whyNoPlace: "afterChunks has no effect on noDone; leave it out",
    canBePlanned: false,
  },
};

/** The names of all kinds, in the order of the table. */
export const faultKindNames: readonly FaultKind[] = Object.keys(faultKinds) as FaultKind[];

/** Those that can stand among chunks. */
export const chunkFaultKinds: readonly ChunkFaultKind[] = faultKindNames.filter(
  (kind): kind is ChunkFaultKind => faultKinds[kind].amongChunks,
);

/** Those that can be planned for any request. */
export const plannedFaultKinds: readonly PlannedFaultKind[] = faultKindNames.filter(
  (kind): kind is PlannedFaultKind => faultKinds[kind].canBePlanned,
);
