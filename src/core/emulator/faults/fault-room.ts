import { type MaybePromise, once } from "../../http/maybe-promise.ts";

/** Answers calls in sessions that have planned faults. Loaded when it is first needed: most plan none. */
export const faultRoom: () => MaybePromise<typeof import("./answer-with-faults.ts")> = once(
  () => import("./answer-with-faults.ts"),
);
