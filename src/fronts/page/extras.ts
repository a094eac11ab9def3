import { loadOnce } from "../../core/http/load-once.ts";
import type { Extras } from "../../core/emulator/extras.ts";
import { embeddingsEndpoints } from "../../extras/embeddings/endpoints.ts";
import { responsesEndpoints } from "../../extras/responses/endpoints.ts";
import { storedCompletionsEndpoints } from "../../extras/stored-completions/endpoints.ts";
import { starbasedbProfile } from "../../extras/starbasedb/profile.ts";

/** The extras of our own worker. A user's collections cannot be sent to it. */
export const workerExtras: Extras = {
  tableProfiles: [starbasedbProfile],
  chatEndpoints: [...responsesEndpoints, ...storedCompletionsEndpoints, ...embeddingsEndpoints],
  replay: loadOnce(
    async () =>
      (await import("../../extras/recordings/replay/answer-with-recordings.ts"))
        .answerWithRecordings,
  ),
  control: async () => (await import("../../core/control/answer-control.ts")).answerControl,
  console: () => import("../../extras/console/page.ts"),
};
