import type { Call } from "../http/call.ts";
import { type PlannedError, type Reply, emptyReply, withoutBody } from "../http/reply.ts";
import { isPreflight, preflightReply, withCors } from "../http/cors.ts";
import type { KnownKeys } from "./token-advice.ts";
import type { Database } from "../store/database.ts";
import type { ProfileAnswers, Warn } from "./profile-answers.ts";

export interface TablesContext extends KnownKeys {
  readonly database: Database;
  /** The profile's answers. */
  readonly answers: ProfileAnswers;
  readonly cors: boolean;
  /** The time, in Unix time in milliseconds. */
  readonly now: () => number;
  /** Logs a warning for the developer. */
  readonly warn: Warn;
}

/** Answers a call to the tables. `path` is the part after `/rest`, still percent-encoded. */
export async function answerTables(
  call: Call,
  path: string,
  context: TablesContext,
): Promise<Reply> {
  const { database, answers, now, warn } = context;
  if (context.cors && answers.cors !== undefined && isPreflight(call)) {
    return { ...preflightReply(call, answers.cors.methods), answeredBy: "preflight" };
  }
  const reply =
    answers.refuse(call, context) ?? (await answers.answer({ call, path, database, now, warn }));
  return shown(call, reply, context);
}

/** Answers a call to a path that no interface has, in profiles that answer such paths. */
export function answerElsewhere(call: Call, path: string, context: TablesContext): Reply {
  const { answers } = context;
  const reply = answers.refuse(call, context) ?? answers.answerElsewhere?.(path) ?? emptyReply(404);
  return call.method === "HEAD" ? withoutBody(reply) : reply;
}

type ShowContext = Pick<TablesContext, "answers" | "cors">;

/** Answers any call to the tables with an error, readable by pages of other origins too. */
export function failTables(call: Call, error: PlannedError, context: ShowContext): Reply {
  const reply = context.answers.faults.answer(error);
  return shown(call, reply, context, Object.keys(error.headers));
}

/** Refuses a call to the tables that is not recorded, with this message. */
export function refuseUnrecordedRow(call: Call, message: string, context: ShowContext): Reply {
  return shown(call, context.answers.refuseUnrecorded(message), context);
}

/** Adapts a reply to the method and the origin of its call. */
function shown(
  { method }: Call,
  reply: Reply,
  { answers, cors }: ShowContext,
  readableHeaders: readonly string[] = [],
): Reply {
  const sent = method === "HEAD" ? withoutBody(reply) : reply;
  return cors && answers.cors !== undefined ? withCors(sent, readableHeaders) : sent;
}
