import type { Reply } from "../../http/reply.ts";
import type { Timers } from "../../http/scheduler.ts";
import type { PlayCounts } from "../../recordings/play-counts.ts";
import type { AnswerCall } from "../answer-from-fixtures.ts";
import type { Exchange } from "../exchange.ts";
import type { Upstream } from "./upstream.ts";

/** What can answer a call. */
export interface AnswerSources {
  readonly upstream: Upstream | undefined;
  readonly timers: Timers;
  /** The replay counts of all sessions. */
  readonly plays: PlayCounts;
  /** Answers from tables and scripts. */
  readonly answerFromFixtures: AnswerCall;
}

/** Answers a call from recordings, a real service, or tables and scripts. */
export type AnswerWithRecordings = (exchange: Exchange, sources: AnswerSources) => Promise<Reply>;
