import { loadOnce } from "../../http/load-once.ts";

/** Loaded when it is first needed: few share their tables. */
export const sharedRoom: () => Promise<typeof import("./answer-shared.ts")> = loadOnce(
  () => import("./answer-shared.ts"),
);
