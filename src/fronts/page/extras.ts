import type { Extras } from "../../core/emulator/extras.ts";
import { starbasedbProfile } from "../../extras/starbasedb/profile.ts";

/** What our own worker has besides the core. A user's collections cannot be sent to it. */
export const workerExtras: Extras = {
  tableProfiles: [starbasedbProfile],
  control: async () => (await import("../../core/control/answer-control.ts")).answerControl,
  console: () => import("../../extras/console/console-page.ts"),
};
