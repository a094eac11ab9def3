import type { Call } from "../http/call.ts";
import type { MaybePromise } from "../http/maybe-promise.ts";
import type { Reply } from "../http/reply.ts";
import type { WriteResult } from "../store/table.ts";
import type { FaultManner } from "./fault-manner.ts";
import type { Plan, TablesRequest, WritePlan } from "./plan.ts";

/** What each stage of an answer does under a profile. */
export interface RestStages {
  /** With it preflights are answered, and replies are readable by pages of other origins. */
  readonly cors: { readonly methods: readonly string[] } | undefined;
  /** Refuses a call without the token, before anything else of it is looked at. Tokens of null: no call is. */
  readonly refuse: (call: Call, tokens: readonly string[] | null) => Reply | undefined;
  /** Finds out what a call asks for and what that means for its table, or refuses it. */
  readonly plan: (request: TablesRequest) => MaybePromise<Plan>;
  /** Answers a write that was tried. */
  readonly respond: (plan: WritePlan, result: WriteResult) => Reply;
  /** Answers paths that no interface has, under a profile that does. */
  readonly answerElsewhere: ((path: string) => Reply) | undefined;
  /** Refuses, with this message, what nothing answers and nobody recorded. */
  readonly refuseUnrecorded: (message: string) => Reply;
  /** What becomes of requests that were planned to fail. */
  readonly faults: FaultManner;
}
