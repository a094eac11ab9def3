import { type MaybePromise, once } from "../../http/maybe-promise.ts";

/**
 * Answers calls where something was recorded, or a real service stands behind. Loaded when it is first needed: most have
 * neither.
 */
export const replayRoom: () => MaybePromise<typeof import("./answer-with-recordings.ts")> = once(
  () => import("./answer-with-recordings.ts"),
);
