import { loadOnce } from "../../core/http/load-once.ts";
import type { Extras } from "../../core/emulator/extras.ts";
import { responsesEndpoints } from "../../extras/responses/endpoints.ts";
import { storedCompletionsEndpoints } from "../../extras/stored-completions/endpoints.ts";
import { starbasedbProfile } from "../../extras/starbasedb/profile.ts";

/** The extras of our own worker. A user's collections cannot be sent to it. */
export const workerExtras: Extras = {
  tableProfiles: [starbasedbProfile],
  replay: loadOnce(
    async () =>
      (await import("../../extras/recordings/replay/answer-with-recordings.ts"))
        .answerWithRecordings,
  ),
  chatEndpoints: [...responsesEndpoints, ...storedCompletionsEndpoints],
  control: async () => (await import("../../core/control/answer-control.ts")).answerControl,
  console: () => import("../../extras/console/console-page.ts"),
};
