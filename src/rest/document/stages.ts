import type { RestStages } from "../stages.ts";
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
  faults: faultManner,
};
