import { jsonReply } from "../../http/reply.ts";
import type { RestStages } from "../plan.ts";
import { restErrorStatuses } from "./errors.ts";
import { planRequest } from "./plan.ts";
import { allMethods, readTarget } from "./request.ts";
import { refuseWithoutToken, respond } from "./respond.ts";

/** The stages of the documented interface. */
export const documentStages: RestStages = {
  cors: { methods: allMethods },
  refuse: refuseWithoutToken,
  plan: planRequest,
  respond,
  answerElsewhere: undefined,
  refuseUnrecorded: (message) =>
    jsonReply(restErrorStatuses.not_recorded, { error: message, code: "not_recorded" }),
  faults: {
    isOfTable: (path, table) => {
      const target = readTarget(path);
      return target.ok && target.value.table === table;
    },
    // The code is none of the service's own: nobody asked it.
    answer: ({ status, message, headers }) =>
      jsonReply(status, { error: message, code: "planned_fault" }, headers),
  },
};
