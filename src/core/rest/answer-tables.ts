import type { Call } from "../http/call.ts";
import { isPreflight, preflightReply, withCors } from "../http/cors.ts";
import { andThen, type MaybePromise } from "../http/maybe-promise.ts";
import { emptyReply, type Reply, withoutBody } from "../http/reply.ts";
import type { Database } from "../store/database.ts";
import { executeChange } from "./execute.ts";
import type { ReadPlan, WritePlan } from "./plan.ts";
import { rowsReply } from "./rows-reply.ts";
import type { RestStages } from "./stages.ts";
import { TableAnswer } from "./table-answer.ts";

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
): MaybePromise<Reply> {
  const { stages } = context;
  const cors = context.cors && stages.cors !== undefined;
  if (cors && isPreflight(call)) {
    return { ...preflightReply(call, stages.cors.methods), answeredBy: "preflight" };
  }
  return andThen(answer(call, path, context), (reply) => {
    const shown = call.method === "HEAD" ? withoutBody(reply) : reply;
    return cors ? withCors(shown, []) : shown;
  });
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

function answer(
  call: Call,
  path: string,
  { database, stages, tokens, now }: TablesContext,
): MaybePromise<Reply> {
  const refusal = stages.refuse(call, tokens);
  if (refusal !== undefined) return refusal;
  return andThen(stages.plan({ call, path, database, now }), (plan) => {
    switch (plan.kind) {
      case "answered":
        return plan.reply;
      case "read":
        return answerRead(call, plan);
      case "write":
        return answerWrite(call, plan, stages);
    }
  });
}

function answerRead({ method }: Call, { table, query }: ReadPlan): Reply {
  const rows = table.select(query);
  const { schema } = table;
  return rowsReply(rows, new TableAnswer(`${method} ${schema.name}`, rows.length, schema, query));
}

function answerWrite({ method }: Call, plan: WritePlan, stages: RestStages): MaybePromise<Reply> {
  const { name, table, change } = plan;
  return andThen(executeChange(table, change), (result) => {
    const reply = stages.respond(plan, result);
    const wanted = change.kind === "insert" ? undefined : change.target;
    return labelled(reply, new TableAnswer(`${method} ${name}`, 1, table.schema, wanted));
  });
}

/** Says in the log what gave the answer, unless the reply says so itself, as refusals do. */
function labelled(reply: Reply, answeredBy: TableAnswer): Reply {
  return { answeredBy, ...reply };
}
