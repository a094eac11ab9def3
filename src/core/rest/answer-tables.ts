import type { Call } from "../http/call.ts";
import { isPreflight, preflightReply, withCors } from "../http/cors.ts";
import { type PlannedError, type Reply, emptyReply, withoutBody } from "../http/reply.ts";
import type { Database } from "../store/database.ts";
import type { RestStages } from "./stages.ts";

/** What the tables interface needs. */
export interface TablesContext {
  readonly database: Database;
  /** The profile's stages. */
  readonly stages: RestStages;
  /** The accepted tokens; null: no token is needed. */
  readonly tokens: readonly string[] | null;
  readonly cors: boolean;
  /** The time, in Unix time in milliseconds. */
  readonly now: () => number;
}

/** Answers a call to the tables. `path` is the part after `/rest`, still percent-encoded. */
export function answerTables(
  call: Call,
  path: string,
  context: TablesContext,
): Reply | Promise<Reply> {
  const { database, stages, tokens, now } = context;
  if (context.cors && stages.cors !== undefined && isPreflight(call)) {
    return { ...preflightReply(call, stages.cors.methods), answeredBy: "preflight" };
  }
  const reply = stages.refuse(call, tokens) ?? stages.answer({ call, path, database, now });
  return reply instanceof Promise
    ? reply.then((answered) => shown(call, answered, context))
    : shown(call, reply, context);
}

/** Answers a call to a path of no interface. Only for profiles that answer such. */
export function answerElsewhere(
  call: Call,
  path: string,
  { stages, tokens }: TablesContext,
): Reply {
  const reply = stages.refuse(call, tokens) ?? stages.answerElsewhere?.(path) ?? emptyReply(404);
  return call.method === "HEAD" ? withoutBody(reply) : reply;
}

type ShowContext = Pick<TablesContext, "stages" | "cors">;

/** Answers any call to the tables with an error, readable by pages of other origins too. */
export function failTables(call: Call, error: PlannedError, context: ShowContext): Reply {
  const reply = context.stages.faults.answer(error);
  return shown(call, reply, context, Object.keys(error.headers));
}

/** Refuses a call to the tables that is not recorded, with this message. */
export function refuseUnrecordedRow(call: Call, message: string, context: ShowContext): Reply {
  return shown(call, context.stages.refuseUnrecorded(message), context);
}

/** Adapts a reply to the method and the origin of its call. */
// oxlint-disable-next-line max-params -- the last one is for one caller
function shown(
  { method }: Call,
  reply: Reply,
  { stages, cors }: ShowContext,
  readableHeaders: readonly string[] = [],
): Reply {
  const sent = method === "HEAD" ? withoutBody(reply) : reply;
  return cors && stages.cors !== undefined ? withCors(sent, readableHeaders) : sent;
}
