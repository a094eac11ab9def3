import type { RestStages } from "../../core/rest/plan.ts";
import { answerElsewhere } from "./elsewhere.ts";
import { errorReply } from "./errors.ts";
import { faultManner } from "./fault-manner.ts";
import { planStatement } from "./plan-statement.ts";
import { refuseOtherTokens } from "./refuse-other-tokens.ts";
import { respondToStatement } from "./respond.ts";

/** The stages of the observed service. */
export const starbasedbStages: RestStages = {
  cors: undefined,
  refuse: refuseOtherTokens,
  plan: planStatement,
  respond: respondToStatement,
  answerElsewhere,
  refuseUnrecorded: (message) => errorReply(404, message),
  faults: faultManner,
};
