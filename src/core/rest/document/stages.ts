import { jsonReply } from "../../http/reply.ts";
import type { RestStages } from "../stages.ts";
import { restErrorStatuses } from "./errors.ts";
import { faultManner } from "./fault-manner.ts";
import { allMethods } from "./methods.ts";
import { planRequest } from "./plan-request.ts";
import { refuseStranger, respond } from "./respond.ts";

/** The stages of the documented interface. */
export const documentStages: RestStages = {
  cors: { methods: allMethods },
  refuse: refuseStranger,
  plan: planRequest,
  respond,
  answerElsewhere: undefined,
  refuseUnrecorded: (message) =>
    jsonReply(restErrorStatuses.not_recorded, { error: message, code: "not_recorded" }),
  faults: faultManner,
};
