import { type MaybePromise, once } from "../../http/maybe-promise.ts";

/** Loaded when it is first needed: few share their tables. */
export const sharedRoom: () => MaybePromise<typeof import("./answer-shared.ts")> = once(
  () => import("./answer-shared.ts"),
);
