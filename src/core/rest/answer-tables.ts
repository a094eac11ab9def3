import type { Call } from "../http/call.ts";
import { isPreflight, preflightReply, withCors } from "../http/cors.ts";
import { type PlannedError, type Reply, emptyReply, withoutBody } from "../http/reply.ts";
import type { Database } from "../store/database.ts";
import type { RestStages } from "./stages.ts";

/** What the tables interface works with. */
export interface TablesContext {
  readonly database: Database;
  /** Those of its profile. */
  readonly stages: RestStages;
  /** The tokens that open the tables; null: everybody may. */
  readonly tokens: readonly string[] | null;
  readonly cors: boolean;
  /** The time, in milliseconds of Unix time. */
  readonly now: () => number;
}

/** Answers a call to the tables. `path` is what follows `/rest`, still percent-encoded. */
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

/** Answers a call at a path that no interface has. Only for profiles that answer such. */
export function answerElsewhere(
  call: Call,
  path: string,
  { stages, tokens }: TablesContext,
): Reply {
  const reply = stages.refuse(call, tokens) ?? stages.answerElsewhere?.(path) ?? emptyReply(404);
  return call.method === "HEAD" ? withoutBody(reply) : reply;
}

type ShowContext = Pick<TablesContext, "stages" | "cors">;

/** Answers a call to the tables with an error, whatever it asks for. Pages of other origins can read it, too. */
export function failTables(call: Call, error: PlannedError, context: ShowContext): Reply {
  const reply = context.stages.faults.answer(error);
  return shown(call, reply, context, Object.keys(error.headers));
}

/** Refuses a call to the tables that is not recorded. The message says so. */
export function refuseUnrecordedRow(call: Call, message: string, context: ShowContext): Reply {
  return shown(call, context.stages.refuseUnrecorded(message), context);
}

/** A reply as the method and the origin of its call want it. */
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
