import { loadOnce } from "../../http/load-once.ts";

/**
 * Answers calls where something was recorded, or a real service stands behind. Loaded when it is first needed: most have
 * neither.
 */
export const replayRoom: () => Promise<typeof import("./answer-with-recordings.ts")> = loadOnce(
  () => import("./answer-with-recordings.ts"),
);
