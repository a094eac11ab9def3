import type { Call } from "../http/call.ts";
import { isPreflight, preflightReply, withCors } from "../http/cors.ts";
import { emptyReply, type Reply, withoutBody } from "../http/reply.ts";
import type { Database } from "../store/database.ts";
import { executeChange } from "./execute.ts";
import type { RestProfile } from "./profiles.ts";
import { rowsReply } from "./rows-reply.ts";

/** What the tables interface works with. */
export interface TablesContext {
  readonly database: Database;
  readonly profile: RestProfile;
  /** The tokens that open the tables; null: everybody may. */
  readonly tokens: readonly string[] | null;
  readonly cors: boolean;
  /** The time, in milliseconds of Unix time. */
  readonly now: () => number;
}

/** Answers a call to the tables. `path` is what follows `/rest`, still percent-encoded. */
export async function answerTables(
  call: Call,
  path: string,
  context: TablesContext,
): Promise<Reply> {
  const { profile } = context;
  const cors = context.cors && profile.cors !== undefined;
  if (cors && isPreflight(call)) {
    return { ...preflightReply(call, profile.cors.methods), answeredBy: "preflight" };
  }
  const reply = await answer(call, path, context);
  const shown = call.method === "HEAD" ? withoutBody(reply) : reply;
  return cors ? withCors(shown, []) : shown;
}

/** Answers a call at a path that no interface has. Only for profiles that answer such. */
export async function answerElsewhere(
  call: Call,
  path: string,
  { profile, tokens }: TablesContext,
): Promise<Reply> {
  const reply = profile.refuse(call, tokens) ?? profile.answerElsewhere?.(path) ?? emptyReply(404);
  return call.method === "HEAD" ? withoutBody(reply) : reply;
}

async function answer(
  call: Call,
  path: string,
  { database, profile, tokens, now }: TablesContext,
): Promise<Reply> {
  const refusal = profile.refuse(call, tokens);
  if (refusal !== undefined) return refusal;
  const plan = await profile.plan({ call, path, database, now });
  if (plan.kind === "answered") return plan.reply;
  if (plan.kind === "write") {
    const result = await executeChange(plan.table, plan.change);
    const reply = await profile.respond(plan, result);
    return labelled(reply, `${call.method} ${plan.name}: 1 row`);
  }
  const rows = plan.table.select(plan.query);
  const count = rows.length === 1 ? "1 row" : `${rows.length} rows`;
  return labelled(rowsReply(rows), `${call.method} ${plan.table.schema.name}: ${count}`);
}

/** Says in the log what gave the answer, unless the reply says so itself, as refusals do. */
function labelled(reply: Reply, answeredBy: string): Reply {
  return { answeredBy, ...reply };
}
